// SPDX-License-Identifier: Apache-2.0
// Figures of a chosen stretch of the plan.
#pragma once

#include "core/graph/graph.h"
#include "core/views/sample_axis.h"
#include "core/views/span.h"

namespace remat {

/// What happens in a range. A computation counts when any part of it is inside.
struct RangeFigures {
    std::size_t firstSample = 0, endSample = 0; ///< computations [first, end)
    double fromUs = 0, toUs = 0, timeUs = 0;
    std::int64_t firstStep = 0, steps = 0; ///< steps of the plan, frees and copies included
    double recomputeUs = 0;
    std::int64_t allocatedBytes = 0, freedBytes = 0; ///< storages; workspace comes and goes with its op
    std::int64_t maxBytes = 0;
    double meanBytes = 0; ///< over time

    std::int64_t computations() const { return static_cast<std::int64_t>(endSample - firstSample); }
};

/// Made once per plan; asking then costs by the computations in the range.
class RangeMeter
{
public:
    RangeMeter() = default;
    RangeMeter(const Graph &graph, const MemoryTimeline &timeline);

    /// `range` is on `axis`, which is the axis of `timeline`; parts outside of the plan are left out.
    RangeFigures measure(const MemoryTimeline &timeline, const SampleAxis &axis, Span range) const;

private:
    struct Change {
        std::int32_t step = 0;
        std::int64_t sumBytes = 0; ///< bytes of this one and all before
    };
    static std::int64_t between(const std::vector<Change> &changes, std::int32_t first, std::int32_t end);

    std::vector<Change> m_allocated, m_freed; ///< by step
    std::int32_t m_steps = 0;
};

} // namespace remat
