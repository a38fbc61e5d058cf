// SPDX-License-Identifier: Apache-2.0
#include "app/studio/work/document/time_window.h"

#include "app/studio/work/document/document.h"

#include <algorithm>

namespace remat::studio {

TimeWindow::TimeWindow(const Document &document, QObject *parent) : QObject(parent), m_document(document) {}

TimeAxis &TimeWindow::axis() const
{
    return m_document.work()->time;
}

void TimeWindow::follow(bool all)
{
    const ModelWork &work = *m_document.work();
    double least = kind() == AxisKind::Time ? m_reachUs : m_reachSteps;
    if (m_held) least = std::max(least, view().length);
    fitAxis(axis(), work.model.get(), work.current.get(), least, all);
    Q_EMIT viewChanged();
}

void TimeWindow::change(const Viewport &before)
{
    if (before.from != view().from || before.to != view().to) Q_EMIT viewChanged();
}

void TimeWindow::setKind(AxisKind kind)
{
    if (kind == axis().kind) return;
    const std::optional<Span> before = range();
    const SampleAxis from = axes().plan, &to = axis().axes.plan;
    axis().kind = kind;
    follow(true);
    if (before) setRange({to.ofTime(from.toTime(before->from)), to.ofTime(from.toTime(before->to))});
}

void TimeWindow::fit()
{
    follow(true);
}

void TimeWindow::zoom(double at, double factor)
{
    const Viewport before = view();
    axis().view.zoom(at, factor);
    change(before);
}

void TimeWindow::pan(double by)
{
    const Viewport before = view();
    axis().view.pan(by);
    change(before);
}

void TimeWindow::reveal(double at)
{
    if (at < view().from || at > view().to) pan(at - (view().from + view().to) / 2);
}

void TimeWindow::show(double from, double to)
{
    const Viewport before = view();
    axis().view.show(from, to);
    change(before);
}

void TimeWindow::setReach(double timeUs, double steps)
{
    if (timeUs == m_reachUs && steps == m_reachSteps) return;
    m_reachUs = timeUs;
    m_reachSteps = steps;
    follow(view().all());
}

void TimeWindow::setHeld(bool held)
{
    if (held == m_held) return;
    m_held = held;
    if (!held) follow(view().all());
}

void TimeWindow::setRange(Span range)
{
    range = rangeWithin(axis(), range);
    std::optional<Span> &own = axis().range;
    if (own && own->from == range.from && own->to == range.to) return;
    own = range;
    Q_EMIT rangeChanged();
}

void TimeWindow::tellAll()
{
    follow(view().all());
    Q_EMIT rangeChanged();
}

void TimeWindow::clearRange()
{
    if (!axis().range) return;
    axis().range.reset();
    Q_EMIT rangeChanged();
}

void TimeWindow::setMeasuring(bool measuring)
{
    if (measuring == m_measuring) return;
    m_measuring = measuring;
    Q_EMIT measuringChanged();
}

} // namespace remat::studio
