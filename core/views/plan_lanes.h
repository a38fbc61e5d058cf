// SPDX-License-Identifier: Apache-2.0
// What the lanes of a plan are busy with, where compute waits, and which lane sets the pace.
#pragma once

#include "core/model/open_model.h"
#include "core/views/span.h"

#include <array>

namespace remat {

/// `Host` has the updates that the CPU computes; plans without any have no use for it.
enum class Lane : std::uint8_t { Compute, Recompute, CopyOut, CopyIn, Host };
constexpr std::size_t kLaneCount = 5;

/// A computation or a copy.
struct LaneEvent {
    double fromUs = 0, toUs = 0;
    std::int32_t step = 0;
    OpId op;           ///< set for computations
    StorageId storage; ///< set for copies
};

/// In time, whatever the axis shows.
struct PlanLanes {
    std::array<std::vector<LaneEvent>, kLaneCount> events; ///< each rises and does not overlap
    std::vector<Span> waits;                               ///< compute has to wait for a copy
    double timeUs = 0;

    const std::vector<LaneEvent> &of(Lane lane) const { return events[static_cast<std::size_t>(lane)]; }
    double busyUs(Lane lane) const;
    double waitUs() const;
};

/// Where the computation of a sample runs.
Lane laneOf(const Graph &graph, const MemoryTimeline &timeline, std::size_t sample);

/// The lanes as a real run of the plan took them, drawn to the plan's length (`timeline.timeUs`): lanes can then be
/// compared whatever machine ran. Without waits; without events where the steps were not run, or not timed.
/// O(steps).
PlanLanes measuredLanes(const Graph &graph, const MemoryTimeline &timeline, const Plan &plan);

/// What a wait of compute is for: the copy that ends with it; none where no copy does.
StorageId waitedFor(const PlanLanes &lanes, const Span &wait);

/// A stretch of the critical path: while it lasts, only a faster `lane` would end the plan earlier. Compute stands for
/// recomputations too, which run on the same engine.
struct CriticalStretch {
    Lane lane = Lane::Compute;
    Span time;
};

/// Lanes of `plan`, of which `timeline` is the timeline; without a plan those of keep-all. Copies by the simulator; a
/// plan that it refuses shows computations only. O(steps × degree) with copies, else O(samples).
PlanLanes planLanes(const CostedModel &model, const MemoryTimeline &timeline, const Plan *plan);

/// The critical path from the end of the plan back to its start, in rising order, neighbours on one lane joined.
/// O(events log events).
std::vector<CriticalStretch> criticalPath(const PlanLanes &lanes);

} // namespace remat
