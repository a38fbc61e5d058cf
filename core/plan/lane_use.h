// SPDX-License-Identifier: Apache-2.0
// What a plan's time is limited by.
#pragma once

#include "core/plan/simulator.h"

#include <string>

namespace remat {

/// How long each lane works during a plan that takes `timeUs`; all in µs.
struct LaneUse {
    double timeUs = 0;
    double computeUs = 0; ///< time that the device computes, what is computed again included
    double recomputeUs = 0;
    double toHostUs = 0, fromHostUs = 0; ///< time that the link is used, each way
    double hostUs = 0;                   ///< time that updates take on the host
};

/// Fails only when the steps are not possible. O(steps × degree).
Expected<LaneUse> laneUse(const Graph &graph, const CostTable &costs, const std::vector<Step> &steps);

/// `computing`, `the link to host memory`, `the link from host memory`, `updates on the host`: the lane that works
/// longest, where that is 90 % of the time or more; `waiting` where none is, since they wait for each other.
const char *limitName(const LaneUse &use);
/// `computing: the device works 97.8 % of the time (2.2 % of it again), the link 56.1 % out and 56.3 % back`, and
/// updates on the host where there are any.
std::string limitSentence(const LaneUse &use);

} // namespace remat
