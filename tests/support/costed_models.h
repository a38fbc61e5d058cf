// SPDX-License-Identifier: Apache-2.0
// Graphs and samples as open models under costs, and plans of them.
#pragma once

#include "core/model/plan_entry.h"
#include "tests/support/graphs.h"

#include <algorithm>
#include <filesystem>
#include <memory>

namespace remat::test {

/// A graph as an open model under the times its ops were given.
inline std::shared_ptr<const CostedModel> costedModel(Graph graph)
{
    auto model = std::make_shared<Model>();
    model->graph = std::move(graph);
    auto open = std::make_shared<OpenModel>();
    open->modules = moduleTree(model->graph);
    auto costs = std::make_shared<CostTable>(graphCosts(model->graph));
    open->partition = blockPartition(model->graph, costs->timeUs, {});
    open->readers = readersOf(model->graph);
    open->model = model;
    auto costed = std::make_shared<CostedModel>();
    costed->keepAll = std::make_shared<const MemoryTimeline>(
        buildTimeline(model->graph, *costs, keepAllPlan(model->graph).steps).value());
    costed->keepAllPeakBytes = costed->keepAll->peakBytes;
    costed->keepAllTimeUs = keepAllTimeUs(*costs);
    costed->floor = workingSetBound(model->graph, *costs);
    costed->costs = std::move(costs);
    costed->costTitle = "given";
    costed->open = std::move(open);
    return costed;
}

/// A test trace or sample under the reference device.
inline Expected<std::shared_ptr<const CostedModel>> costedSample(const std::string &name)
{
    const auto device = findDevice("reference");
    if (!device) return tl::unexpected(device.error());
    const auto open = openModel(tracePath(name), *device);
    if (!open) return tl::unexpected(open.error());
    return costModel(*open, {*device, nullptr, {}});
}

/// A plan that computes the chosen forward ops again right before the first backward op that reads them.
template <class Choice>
std::shared_ptr<const PlanEntry> recomputingPlan(const CostedModel &model, int id, Choice chosen)
{
    const Graph &graph = model.graph();
    std::vector<OpId> sequence;
    std::vector<char> again(graph.ops.size(), 0), done(graph.ops.size(), 0);
    for (std::size_t i = 0; i < graph.ops.size(); ++i) {
        const Op &op = graph.ops[i];
        again[i] = op.phase == Phase::Forward && !op.computeOnce && chosen(op);
    }
    const auto recompute = [&](auto &self, OpId op) -> void {
        if (!again[op.index()] || done[op.index()]) return;
        done[op.index()] = 1;
        for (const StorageId input : graph.op(op).inputs)
            if (graph.storage(input).producer) self(self, graph.storage(input).producer);
        sequence.push_back(op);
    };
    for (std::size_t i = 0; i < graph.ops.size(); ++i) {
        if (graph.ops[i].phase == Phase::Backward)
            for (const StorageId input : graph.ops[i].inputs)
                if (graph.storage(input).producer) recompute(recompute, graph.storage(input).producer);
        sequence.push_back(OpId(i));
    }
    auto plan = std::make_shared<Plan>();
    plan->steps = withEarliestFrees(graph, sequence);
    return makePlanEntry(model, plan, id, "Test", false).value();
}

} // namespace remat::test
