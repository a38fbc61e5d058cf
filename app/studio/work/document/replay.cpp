// SPDX-License-Identifier: Apache-2.0
#include "app/studio/work/document/replay.h"

#include "app/studio/work/document/document.h"
#include "app/studio/work/document/time_window.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace remat::studio {

Replay::Replay(Document *document, QObject *parent) : QObject(parent), m_document(document)
{
    constexpr int kFrameMs = 33;
    m_timer.setInterval(kFrameMs);
    connect(&m_timer, &QTimer::timeout, this, [this] { advance(static_cast<double>(m_clock.restart()) / 1000); });
    connect(document, &Document::modelChanged, this, [this] {
        pause();
        m_sample = -1;
        setLoop({});
        Q_EMIT sampleChanged();
    });
    connect(document, &Document::currentPlanChanged, this, &Replay::takePlan);
    connect(document, &Document::cursorChanged, this, &Replay::takeCursor);
}

std::int64_t Replay::count() const
{
    return m_document->model() ? static_cast<std::int64_t>(m_document->time().axes().plan.count()) : 0;
}

void Replay::takePlan()
{
    m_sample = std::min(m_sample, count() - 1);
    if (m_loop && m_loop->to >= count()) setLoop({});
    Q_EMIT sampleChanged();
}

void Replay::takeCursor()
{
    const double cursor = m_document->cursorUs();
    if (m_going || playing() || cursor < 0 || count() == 0) return;
    const SampleAxis &axis = m_document->time().axes().plan;
    m_sample = static_cast<std::int64_t>(axis.sampleAt(axis.ofTime(cursor)));
    Q_EMIT sampleChanged();
}

void Replay::go(std::int64_t sample)
{
    if (count() == 0) return;
    m_sample = std::clamp<std::int64_t>(sample, 0, count() - 1);
    TimeWindow &time = m_document->time();
    const SampleAxis &axis = time.axes().plan;
    const auto at = static_cast<std::size_t>(m_sample);
    const double middle = (axis.edges()[at] + axis.edges()[at + 1]) / 2;
    m_going = true;
    // Page by page: a view that moved with every step could not be read.
    if (middle < time.view().from || middle > time.view().to)
        time.pan(middle - time.view().from - time.view().width() * 0.1);
    m_document->setCursor(axis.toTime(middle));
    m_going = false;
    Q_EMIT sampleChanged();
}

void Replay::step(int by)
{
    pause();
    go(m_sample + by);
}

void Replay::play()
{
    if (count() == 0 || playing()) return;
    const bool inLoop = m_loop && m_sample >= m_loop->from && m_sample <= m_loop->to;
    if (m_loop && !inLoop)
        go(m_loop->from);
    else if (!m_loop && (m_sample < 0 || m_sample + 1 >= count()))
        go(0);
    m_owed = 0;
    m_clock.start();
    m_timer.start();
    Q_EMIT playingChanged();
}

void Replay::pause()
{
    if (!playing()) return;
    m_timer.stop();
    Q_EMIT playingChanged();
}

void Replay::setLoop(std::optional<Loop> loop)
{
    if (m_loop == loop) return;
    m_loop = loop;
    Q_EMIT loopChanged();
}

void Replay::loopFromHere()
{
    if (m_sample >= 0) setLoop(Loop{m_sample, std::max(m_sample, m_loop ? m_loop->to : count() - 1)});
}

void Replay::loopToHere()
{
    if (m_sample >= 0) setLoop(Loop{std::min(m_sample, m_loop ? m_loop->from : 0), m_sample});
}

void Replay::endLoop()
{
    setLoop({});
}

void Replay::advance(double seconds)
{
    if (!playing() || count() == 0) return;
    m_owed += seconds * m_speed;
    const double whole = std::min(std::floor(m_owed), static_cast<double>(count()));
    if (whole < 1) return;
    m_owed -= whole;
    std::int64_t next = m_sample + static_cast<std::int64_t>(whole);
    if (m_loop && next > m_loop->to) next = m_loop->from + (next - m_loop->from) % (m_loop->to - m_loop->from + 1);
    go(next);
    if (m_loop) return;
    if (m_sample + 1 >= count()) pause();
}

} // namespace remat::studio
