// SPDX-License-Identifier: Apache-2.0
#include "core/views/targets.h"

namespace remat {

Targets targetsOf(const Graph &graph, const Selection &selection, const GraphTree &tree, const std::string &clusterPath)
{
    Targets targets;
    if (selection.op) targets.ops = {selection.op};
    if (selection.storage && selection.op) {
        // An op's first output is selected with the op; another one was meant by itself.
        const std::vector<StorageId> &outputs = graph.op(selection.op).outputs;
        if (!outputs.empty() && outputs.front() != selection.storage) targets.storages = {selection.storage};
    }
    if (!targets.empty() || clusterPath.empty()) return targets;
    const int node = tree.find(clusterPath);
    if (node < 0) return targets;
    targets.ops = tree.node(node).forwardOps;
    const std::vector<OpId> &backward = tree.node(node).backwardOps;
    targets.ops.insert(targets.ops.end(), backward.begin(), backward.end());
    return targets;
}

Pins decided(const Graph &graph, const Pins &pins, Decision decision, const Targets &targets)
{
    std::vector<OpId> ops = targets.ops;
    if (decision == Decision::Keep && ops.size() > 1)
        std::erase_if(ops, [&](OpId op) { return graph.op(op).phase == Phase::Backward; });
    return decide(graph, pins, decision, ops, targets.storages);
}

} // namespace remat
