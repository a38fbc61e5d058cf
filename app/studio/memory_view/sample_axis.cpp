#include "app/studio/memory_view/sample_axis.h"

#include <algorithm>
#include <cmath>

namespace remat::studio {

SampleAxis::SampleAxis(const MemoryTimeline &timeline, AxisKind kind) : m_kind(kind)
{
    const std::size_t count = timeline.startUs.size();
    m_starts = timeline.startUs;
    m_starts.push_back(count ? std::max(timeline.timeUs, timeline.endUs.back()) : 0);
    if (count) m_starts.front() = 0; // waiting for the first op counts as its time
    m_edges = m_starts;
    if (kind == AxisKind::Steps)
        for (std::size_t i = 0; i <= count; ++i)
            m_edges[i] = static_cast<double>(i);
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
    return static_cast<double>(i) + (width > 0 ? std::clamp((timeUs - m_starts[i]) / width, 0.0, 1.0) : 0.0);
}

double SampleAxis::toTime(double position) const
{
    if (m_kind == AxisKind::Time || count() == 0) return position;
    const double inside = std::clamp(position, 0.0, length());
    const std::size_t i = std::min(static_cast<std::size_t>(inside), count() - 1);
    return m_starts[i] + (inside - static_cast<double>(i)) * (m_starts[i + 1] - m_starts[i]);
}

} // namespace remat::studio
