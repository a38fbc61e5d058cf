// SPDX-License-Identifier: Apache-2.0
// A plan for programs that compute modules again as a whole, but for what they keep of each.
#pragma once

#include "core/exports/kept_choice.h"

#include <string>
#include <vector>

namespace remat {

/// A module whose forward is computed again in one go, before its first backward op that reads what was not kept.
struct Region {
    std::string module;    ///< its path; empty for the model itself
    std::vector<OpId> ops; ///< neighbours in graph order
};

/// One way to cut a model into regions, and what comes of it.
struct RegionPlan {
    std::vector<Region> regions;
    std::vector<char> saved; ///< per op: not computed again with its region; set for all ops outside of regions
    Simulation predicted;
};

/// Which ops of a region are saved; sets them to 1.
using SaveRule = void (*)(const Graph &graph, const KeptChoice &choice, const Region &region, std::vector<char> &saved);

/// The best of all levels of modules: one that fits the budget at the least time, else that of the least peak. A region
/// is computed again up to the last op that the backward pass needs, or to its end where `toTheEnd`. Modules whose
/// children are only numbered count as lists, which are never called. Fails where the steps are not possible.
Expected<RegionPlan> bestRegions(const ExportInput &input, const KeptChoice &choice, SaveRule save, bool toTheEnd);

/// Sentences about what computing whole modules again does to this model.
void sayWhatRegionsLose(const ExportInput &input, const RegionPlan &plan, KeptChoice &choice);

/// The component of a module's path below a region; empty for the region itself.
std::string belowRegion(const std::string &module, const std::string &region);

} // namespace remat
