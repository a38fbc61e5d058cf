// SPDX-License-Identifier: Apache-2.0
#include "tests/benchmarks/window/bench.h"

#include <QApplication>
#include <QMouseEvent>
#include <QTimer>
#include <QWheelEvent>

namespace remat::bench {

Bench::Bench()
{
    m_window.resize(1600, 1000);
    m_window.show();
    spin([this] { return m_window.isVisible() && m_window.idle(); }, 30);
}

bool Bench::spin(const std::function<bool()> &until, double seconds)
{
    const double end = wallMs() + seconds * 1e3;
    // Sleeps between events, as the window's own loop does: a thread that polls would take a processor from the jobs.
    QTimer look;
    look.setTimerType(Qt::PreciseTimer);
    look.start(2);
    while (!until()) {
        if (wallMs() > end) return false;
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents | QEventLoop::AllEvents);
    }
    return true;
}

void Bench::settle()
{
    spin([this] { return m_window.idle(); }, 120);
}

bool Bench::open(const QString &path)
{
    const auto before = document().model();
    m_window.openFile(path);
    const bool opened = spin([&] { return document().model() != before; }, 120);
    settle();
    return opened;
}

bool Bench::openSample(const QString &name)
{
    const auto before = document().model();
    if (!m_window.openSample(name)) return false;
    const bool opened = spin([&] { return document().model() != before; }, 120);
    settle();
    return opened;
}

void Bench::frame(Measure &measure, const std::function<void()> &input)
{
    const double wall = wallMs(), cpu = threadMs();
    input();
    QCoreApplication::sendPostedEvents(nullptr, QEvent::UpdateRequest);
    QCoreApplication::processEvents(QEventLoop::ExcludeSocketNotifiers);
    measure.wall.push_back(wallMs() - wall);
    measure.cpu.push_back(threadMs() - cpu);
}

void Bench::wheel(QWidget &widget, QPointF at, int delta, Qt::KeyboardModifiers modifiers)
{
    QWheelEvent event(at, widget.mapToGlobal(at), {}, {0, delta}, Qt::NoButton, modifiers, Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(&widget, &event);
}

void Bench::mouse(QWidget &widget, QEvent::Type type, QPointF at)
{
    const bool pressed = type != QEvent::MouseButtonRelease;
    QMouseEvent event(type, at, widget.mapToGlobal(at), type == QEvent::MouseMove ? Qt::NoButton : Qt::LeftButton,
                      pressed ? Qt::LeftButton : Qt::NoButton, {});
    QCoreApplication::sendEvent(&widget, &event);
}

} // namespace remat::bench
