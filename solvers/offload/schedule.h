// SPDX-License-Identifier: Apache-2.0
// Steps with offloads and prefetches, from a sequence and the gaps in which storages are away.
#pragma once

#include "core/plan/plan.h"
#include "solvers/offload/selection.h"

namespace remat::offload {

/// A plan's steps and what they cost.
struct OffloadSchedule {
    std::vector<Step> steps;
    double timeUs = 0;
    std::int64_t peakBytes = 0;
};

/// Lets each gap's storage leave as late and come back as early as the budget and its copies ask for: a storage stays
/// until its copy to host memory has ended, and is fetched so early that it is there when it is read, as far as there
/// is room; where there is none, the computation waits. What is made earlier is offloaded first, what is read earlier
/// is fetched first, and a storage is copied to host memory once. A gap that closes up in this way is not used at all.
/// `selection` fits the budget. Both orders of giving out the room (stays first, early fetches first) are tried, and
/// the faster schedule is taken.
Expected<OffloadSchedule> scheduleOffloads(const Graph &graph, const CostTable &costs,
                                           const std::vector<OpId> &sequence, const Residence &residence,
                                           const Selection &selection, std::int64_t budgetBytes);

} // namespace remat::offload
