// SPDX-License-Identifier: Apache-2.0
#include "app/studio/work/document/time_window.h"

#include "app/studio/work/document/document.h"

#include <algorithm>

namespace remat::studio {

TimeWindow::TimeWindow(QObject *parent) : QObject(parent) {}

void TimeWindow::follow(std::shared_ptr<const CostedModel> model, std::shared_ptr<const PlanEntry> plan, bool all)
{
    if (model != m_model) clearRange();
    m_model = std::move(model);
    m_plan = std::move(plan);
    m_axes = {};
    if (m_model) {
        const MemoryTimeline &timeline = m_plan ? *m_plan->timeline : *m_model->keepAll;
        m_axes = PlanAxes(timeline, *m_model->keepAll, m_kind);
    }
    refit(all);
}

void TimeWindow::refit(bool all)
{
    const Viewport before = m_view;
    if (m_model) {
        double length = std::max(m_axes.length(), m_kind == AxisKind::Time ? m_reachUs : m_reachSteps);
        if (m_held) length = std::max(length, m_view.length);
        constexpr std::size_t kFewest = 50;
        m_view.fit(length, length / static_cast<double>(std::max<std::size_t>(4 * m_axes.plan.count(), kFewest)));
        if (!all && !before.all()) m_view.show(before.from, before.to);
    } else {
        m_view.fit(1, 1);
    }
    Q_EMIT viewChanged();
}

void TimeWindow::change(const Viewport &before)
{
    if (before.from != m_view.from || before.to != m_view.to) Q_EMIT viewChanged();
}

void TimeWindow::setKind(AxisKind kind)
{
    if (kind == m_kind) return;
    const std::optional<Span> range = m_range;
    const SampleAxis axis = m_axes.plan;
    m_kind = kind;
    follow(m_model, m_plan, true);
    if (range) setRange({m_axes.plan.ofTime(axis.toTime(range->from)), m_axes.plan.ofTime(axis.toTime(range->to))});
}

void TimeWindow::fit()
{
    refit(true);
}

void TimeWindow::zoom(double at, double factor)
{
    const Viewport before = m_view;
    m_view.zoom(at, factor);
    change(before);
}

void TimeWindow::pan(double by)
{
    const Viewport before = m_view;
    m_view.pan(by);
    change(before);
}

void TimeWindow::reveal(double at)
{
    if (at < m_view.from || at > m_view.to) pan(at - (m_view.from + m_view.to) / 2);
}

void TimeWindow::show(double from, double to)
{
    const Viewport before = m_view;
    m_view.show(from, to);
    change(before);
}

void TimeWindow::setReach(double timeUs, double steps)
{
    if (timeUs == m_reachUs && steps == m_reachSteps) return;
    m_reachUs = timeUs;
    m_reachSteps = steps;
    refit(m_view.all());
}

void TimeWindow::setHeld(bool held)
{
    if (held == m_held) return;
    m_held = held;
    if (!held) refit(m_view.all());
}

void TimeWindow::setRange(Span range)
{
    if (range.to < range.from) std::swap(range.from, range.to);
    range.from = std::clamp(range.from, 0.0, m_view.length);
    range.to = std::clamp(range.to, 0.0, m_view.length);
    if (m_range && m_range->from == range.from && m_range->to == range.to) return;
    m_range = range;
    Q_EMIT rangeChanged();
}

void TimeWindow::trade(TimeWindow &other)
{
    std::swap(m_kind, other.m_kind);
    std::swap(m_view, other.m_view);
    std::swap(m_axes, other.m_axes);
    std::swap(m_range, other.m_range);
    std::swap(m_model, other.m_model);
    std::swap(m_plan, other.m_plan);
}

void TimeWindow::tellAll()
{
    refit(m_view.all());
    Q_EMIT rangeChanged();
}

void TimeWindow::clearRange()
{
    if (!m_range) return;
    m_range.reset();
    Q_EMIT rangeChanged();
}

void TimeWindow::setMeasuring(bool measuring)
{
    if (measuring == m_measuring) return;
    m_measuring = measuring;
    Q_EMIT measuringChanged();
}

} // namespace remat::studio
