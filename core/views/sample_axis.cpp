// SPDX-License-Identifier: Apache-2.0
#include "core/views/sample_axis.h"

#include <algorithm>
#include <cmath>

namespace remat {

SampleAxis::SampleAxis(const MemoryTimeline &timeline, AxisKind kind) : m_kind(kind)
{
    const std::size_t count = timeline.startUs.size();
    m_starts = timeline.startUs;
    m_starts.push_back(count ? std::max(timeline.timeUs, timeline.endUs.back()) : 0);
    if (count) m_starts.front() = 0; // waiting for the first op counts as its time
    m_edges = m_starts;
    if (kind == AxisKind::Time || count == 0) return;
    for (std::size_t i = 1; i < count; ++i)
        m_edges[i] = timeline.step[i];
    m_edges.front() = 0;
    m_edges.back() = timeline.step.back() + 1;
}

SampleAxis SampleAxis::alignedSteps(const MemoryTimeline &timeline, const MemoryTimeline &other,
                                    const SampleAxis &otherAxis)
{
    SampleAxis axis(timeline, AxisKind::Steps);
    std::vector<double> firstAt;
    for (std::size_t i = other.op.size(); i-- > 0;) {
        firstAt.resize(std::max(firstAt.size(), other.op[i].index() + 1), 0);
        firstAt[other.op[i].index()] = otherAxis.edges()[i];
    }
    // A planner may compute in another order; what is out of order has no width.
    for (std::size_t i = 1; i < timeline.op.size(); ++i)
        axis.m_edges[i] = std::max(axis.m_edges[i - 1], firstAt[timeline.op[i].index()]);
    axis.m_edges.back() = otherAxis.length();
    return axis;
}

std::size_t SampleAxis::sampleAt(double position) const
{
    const auto next = std::upper_bound(m_edges.begin(), m_edges.end() - 1, position);
    const auto index = next == m_edges.begin() ? 0 : static_cast<std::size_t>(next - m_edges.begin() - 1);
    return std::min(index, count() - 1);
}

double SampleAxis::ofTime(double timeUs) const
{
    if (m_kind == AxisKind::Time || count() == 0) return timeUs;
    const auto next = std::upper_bound(m_starts.begin(), m_starts.end() - 1, timeUs);
    const auto i = next == m_starts.begin() ? 0 : static_cast<std::size_t>(next - m_starts.begin() - 1);
    if (i >= count()) return length();
    const double width = m_starts[i + 1] - m_starts[i];
    const double share = width > 0 ? std::clamp((timeUs - m_starts[i]) / width, 0.0, 1.0) : 0.0;
    return m_edges[i] + share * (m_edges[i + 1] - m_edges[i]);
}

PlanAxes::PlanAxes(const MemoryTimeline &timeline, const MemoryTimeline &keepAllTimeline, AxisKind kind)
    : plan(timeline, kind),
      keepAll(kind == AxisKind::Time ? SampleAxis(keepAllTimeline, kind)
                                     : SampleAxis::alignedSteps(keepAllTimeline, timeline, plan))
{
}

double PlanAxes::length() const
{
    constexpr double kRoomBehind = 1.04;
    return std::max({plan.length(), keepAll.length(), 1e-3}) * kRoomBehind;
}

double SampleAxis::toTime(double position) const
{
    if (m_kind == AxisKind::Time || count() == 0) return position;
    const std::size_t i = sampleAt(position);
    const double width = m_edges[i + 1] - m_edges[i];
    const double share = width > 0 ? std::clamp((position - m_edges[i]) / width, 0.0, 1.0) : 0.0;
    return m_starts[i] + share * (m_starts[i + 1] - m_starts[i]);
}

} // namespace remat
