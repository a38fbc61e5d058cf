// SPDX-License-Identifier: Apache-2.0
// Where samples of a timeline lie on the horizontal axis: by time, or one step of the plan as wide as the next.
#pragma once

#include "core/plan/timeline.h"

#include <cstddef>
#include <vector>

namespace remat {

enum class AxisKind { Time, Steps };

/// Positions of a timeline's samples: microseconds, or indices of the plan's steps (frees count too). A sample holds
/// until the next begins.
class SampleAxis
{
public:
    SampleAxis() = default;
    SampleAxis(const MemoryTimeline &timeline, AxisKind kind);
    /// Puts each op of `timeline` where `other` computes it first, so that two plans for one graph can be compared by
    /// steps. Every op of `timeline` is in `other`.
    static SampleAxis alignedSteps(const MemoryTimeline &timeline, const MemoryTimeline &other,
                                   const SampleAxis &otherAxis);

    /// Borders of the samples, one more than there are; rising.
    const std::vector<double> &edges() const { return m_edges; }
    double length() const { return m_edges.back(); }
    std::size_t count() const { return m_edges.size() - 1; }
    /// The sample at a position, clamped to the first and last; only when there is one.
    std::size_t sampleAt(double position) const;
    /// The position at a time, and back.
    double ofTime(double timeUs) const;
    double toTime(double position) const;

private:
    AxisKind m_kind = AxisKind::Time;
    std::vector<double> m_edges{0.0};
    std::vector<double> m_starts{0.0}; ///< times of the borders
};

/// The axis of a plan's timeline and where keep-all's samples lie on it.
struct PlanAxes {
    SampleAxis plan, keepAll;

    PlanAxes() = default;
    PlanAxes(const MemoryTimeline &timeline, const MemoryTimeline &keepAllTimeline, AxisKind kind);
    /// What an axis of both must hold, with a little room behind the end.
    double length() const;
};

} // namespace remat
