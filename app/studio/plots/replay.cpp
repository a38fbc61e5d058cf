#include "app/studio/plots/replay.h"

#include "app/studio/document/time_window.h"

#include <algorithm>
#include <cmath>

namespace remat::studio {

Replay::Replay(Document *document, QObject *parent) : QObject(parent), m_document(document)
{
    constexpr int kFrameMs = 33;
    m_timer.setInterval(kFrameMs);
    connect(&m_timer, &QTimer::timeout, this, [this] { advance(static_cast<double>(m_clock.restart()) / 1000); });
    connect(document, &Document::modelChanged, this, &Replay::pause);
    connect(document, &Document::currentPlanChanged, this, &Replay::pause);
}

std::size_t Replay::sample() const
{
    const SampleAxis &axis = m_document->time().axes().plan;
    return m_document->cursorUs() < 0 ? 0 : axis.sampleAt(axis.ofTime(m_document->cursorUs()));
}

void Replay::go(std::size_t sample)
{
    TimeWindow &time = m_document->time();
    const SampleAxis &axis = time.axes().plan;
    const double middle = (axis.edges()[sample] + axis.edges()[sample + 1]) / 2;
    // Page by page: a view that moved with every step could not be read.
    if (middle < time.view().from || middle > time.view().to)
        time.pan(middle - time.view().from - time.view().width() * 0.1);
    m_document->setCursor(axis.toTime(middle));
}

void Replay::play()
{
    const SampleAxis &axis = m_document->time().axes().plan;
    if (!m_document->model() || axis.count() == 0 || playing()) return;
    const bool fromStart = m_document->cursorUs() < 0 || sample() + 1 >= axis.count();
    if (fromStart) go(0);
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

void Replay::step(int by)
{
    pause();
    const SampleAxis &axis = m_document->time().axes().plan;
    if (!m_document->model() || axis.count() == 0) return;
    const auto last = static_cast<std::int64_t>(axis.count()) - 1;
    // The first step on shows the first computation.
    const std::int64_t from = m_document->cursorUs() < 0 ? -1 : static_cast<std::int64_t>(sample());
    go(static_cast<std::size_t>(std::clamp<std::int64_t>(from + by, 0, last)));
}

void Replay::advance(double seconds)
{
    const SampleAxis &axis = m_document->time().axes().plan;
    if (!playing() || axis.count() == 0) return;
    m_owed += seconds * m_speed;
    const double whole = std::floor(m_owed);
    if (whole < 1) return;
    m_owed -= whole;
    const std::size_t last = axis.count() - 1;
    const std::size_t to = std::min(last, sample() + static_cast<std::size_t>(whole));
    go(to);
    if (to == last) pause();
}

} // namespace remat::studio
