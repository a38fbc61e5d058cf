// SPDX-License-Identifier: Apache-2.0
// A layered model in sizes of real training, and plans of it that recompute.
#pragma once

#include "core/model/plan_entry.h"
#include "tests/support/graphs.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace remat::test {

/// The layered graph with storages of MiB and ops of tens of µs.
inline Graph memoryGraph(int layers)
{
    Graph graph = layeredGraph(layers);
    for (Storage &storage : graph.storages)
        storage.bytes *= 3000;
    for (Op &op : graph.ops) {
        op.timeUs *= 3;
        if (op.kind == "bmm") op.workspaceBytes = std::int64_t(16) * 1024 * 1024;
    }
    Expected<Graph> finished = finishGraph(std::move(graph));
    if (!finished) std::abort();
    return *std::move(finished);
}

inline std::shared_ptr<const CostedModel> memoryModel(Model model)
{
    auto open = std::make_shared<OpenModel>();
    auto costed = std::make_shared<CostedModel>();
    costed->costs = std::make_shared<const CostTable>(graphCosts(model.graph));
    open->model = std::make_shared<const Model>(std::move(model));
    open->readers = readersOf(open->model->graph);
    const Graph &graph = open->model->graph;
    auto keepAll = buildTimeline(graph, *costed->costs, keepAllPlan(graph).steps);
    if (!keepAll) std::abort();
    costed->keepAll = std::make_shared<const MemoryTimeline>(*std::move(keepAll));
    costed->keepAllPeakBytes = costed->keepAll->peakBytes;
    costed->keepAllTimeUs = keepAllTimeUs(*costed->costs);
    // The largest that one op holds: good enough for a floor in a picture.
    for (std::size_t i = 0; i < graph.ops.size(); ++i) {
        std::int64_t bytes = costed->costs->workspaceBytes[i];
        for (const auto &list : {graph.ops[i].inputs, graph.ops[i].outputs})
            for (const StorageId storage : list)
                if (graph.planned(storage)) bytes += graph.storage(storage).bytes;
        if (bytes <= costed->floor.bytes) continue;
        costed->floor.bytes = bytes;
        costed->floor.op = OpId(i);
    }
    costed->open = std::move(open);
    costed->costTitle = "reference";
    return costed;
}

/// Keeps what crosses the borders of √n segments of the forward pass, computes the rest again when it is needed.
inline std::vector<OpId> segmentedSequence(const Graph &graph)
{
    std::vector<OpId> forward;
    for (std::size_t i = 0; i < graph.ops.size(); ++i)
        if (graph.ops[i].phase == Phase::Forward) forward.emplace_back(i);
    const auto segments = std::max<std::size_t>(2, static_cast<std::size_t>(std::sqrt(double(forward.size()))));
    std::vector<int> segmentOf(graph.ops.size(), -1);
    for (std::size_t i = 0; i < forward.size(); ++i)
        segmentOf[forward[i].index()] = static_cast<int>(i * segments / forward.size());
    std::vector<char> again(segments, 0);
    again.back() = 1;
    std::vector<OpId> sequence;
    for (std::size_t i = 0; i < graph.ops.size(); ++i) {
        if (graph.ops[i].phase == Phase::Backward)
            for (const StorageId input : graph.ops[i].inputs) {
                const OpId producer = graph.storage(input).producer;
                const int segment = producer ? segmentOf[producer.index()] : -1;
                if (segment < 0 || again[std::size_t(segment)]) continue;
                again[std::size_t(segment)] = 1;
                for (const OpId op : forward)
                    if (segmentOf[op.index()] == segment) sequence.push_back(op);
            }
        sequence.emplace_back(i);
    }
    return dropUselessRecomputes(graph, std::move(sequence));
}

inline std::shared_ptr<const PlanEntry> planEntry(const CostedModel &model, std::vector<Step> steps, int id)
{
    auto plan = std::make_shared<Plan>();
    plan->steps = std::move(steps);
    auto timeline = buildTimeline(model.graph(), *model.costs, plan->steps);
    if (!timeline) std::abort();
    auto entry = std::make_shared<PlanEntry>();
    entry->id = id;
    entry->plan = std::move(plan);
    entry->timeline = std::make_shared<const MemoryTimeline>(*std::move(timeline));
    entry->title = "Chen √n";
    entry->check = Verdict{true, -1, {}, entry->timeline->peakBytes, entry->timeline->timeUs};
    entry->recomputedOps.assign(model.graph().ops.size(), 0);
    return entry;
}

} // namespace remat::test
