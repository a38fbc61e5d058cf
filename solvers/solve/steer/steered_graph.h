// SPDX-License-Identifier: Apache-2.0
// A graph in which decisions made by hand cannot be broken, and the way back from its plans.
#pragma once

#include "core/costs/cost_table.h"
#include "core/plan/pins.h"

#include <vector>

namespace remat::steer {

/// How much of a decision to recompute the graph itself enforces.
enum class Strictness : std::uint8_t {
    /// Forward readers may be computed again from a copy that the forward pass made; `plainSteps` repairs that.
    Relaxed,
    /// Forward readers of what is to be recomputed are computed once, so that no such copy is of use.
    Strict
};

/// The graph under pins, for any planner:
/// - what makes a storage to be kept, and an op never to be computed again, may be computed only once;
/// - an op X to be computed again gets a twin before the first op after the forward pass that reads what X makes, and
///   all such ops read the twin's copy instead; other twins count as such ops, so that a whole cluster is computed
///   again from what comes in from outside.
/// Storages keep their ids, those of twins come after them.
struct SteeredGraph {
    Graph graph;
    CostTable costs;
    std::vector<OpId> opOf;           ///< per op, the given graph's op that it computes
    std::vector<StorageId> storageOf; ///< per storage, the given graph's storage that it is a copy of
    bool hasTwins = false;
};

/// With planned parameters no op is made computable only once (the rules of planned parameters look at that): only
/// planners that never recompute take them. Fails with a sentence where `checkPins` does. O(graph).
Expected<SteeredGraph> steerGraph(const Graph &graph, const CostTable &costs, const Pins &pins, Strictness strictness);

/// Steps of the steered graph as steps of `graph`: a twin's computation is its op's again, and is left out where a copy
/// from after the forward pass is there. Plans without copies to host memory get earliest frees, and an op to be
/// computed again is computed again where a copy from the forward pass would be read. The result may not follow the
/// pins or fit where the steered plan did; `pinsViolated` and the checker tell. O(steps × degree).
std::vector<Step> plainSteps(const Graph &graph, const Pins &pins, const SteeredGraph &steered,
                             const std::vector<Step> &steps);

} // namespace remat::steer
