// SPDX-License-Identifier: Apache-2.0
// What a plan takes in energy.
#pragma once

#include "core/plan/plan.h"

namespace remat {

/// Joules of a plan's steps: ops at the costs' power and copies at that of the link, each while it runs (Patil et al.,
/// POET, ICML 2022, the objective). What the device draws while it waits is not counted. 0 when the costs name no
/// power. O(steps).
double planJoules(const Graph &graph, const CostTable &costs, const std::vector<Step> &steps);

} // namespace remat
