// SPDX-License-Identifier: Apache-2.0
#include "core/bounds/bounds.h"

#include "core/bounds/needs.h"

#include <algorithm>
#include <numeric>

namespace remat {

namespace {

/// What an op has in memory while it runs, by its part in the outputs of the graph.
struct OpMemory {
    std::int64_t outputBytes = 0; ///< outputs of the graph that it makes
    std::int64_t otherBytes =
        0; ///< all else that it reads, makes and works with, but for outputs of the graph it reads
    std::int64_t readOutputBytes = 0;

    std::int64_t all() const { return outputBytes + otherBytes + readOutputBytes; }
};

OpMemory memoryOf(const Graph &graph, const CostTable &costs, OpId id)
{
    OpMemory memory;
    memory.otherBytes = costs.workspace(id);
    for (const StorageId input : graph.op(id).inputs) {
        if (!graph.planned(input)) continue;
        (graph.storage(input).isOutput ? memory.readOutputBytes : memory.otherBytes) += graph.storage(input).bytes;
    }
    for (const StorageId output : graph.op(id).outputs)
        (graph.storage(output).isOutput ? memory.outputBytes : memory.otherBytes) += graph.storage(output).bytes;
    return memory;
}

// Without offloads an output is back for good from the last computation of its op on. So at the last computation of an
// op, all outputs are held whose ops had theirs before, beside its own working set. Over all orders of the last
// computations the largest such sum is smallest when ops with more beside their outputs come first (Jackson 1955, the
// one-machine rule for delivery times). Outputs that the op itself reads may be among those held: not counted beside.
PeakBound outputsAtTheEnd(const Graph &graph, const CostTable &costs, const Needs &needs)
{
    struct Last {
        OpId op;
        OpMemory memory;
    };
    std::vector<Last> lasts;
    for (std::size_t i = 0; i < graph.ops.size(); ++i) {
        const OpMemory memory = memoryOf(graph, costs, OpId(i));
        if (needs.op[i] && memory.outputBytes > 0) lasts.push_back({OpId(i), memory});
    }
    std::stable_sort(lasts.begin(), lasts.end(),
                     [](const Last &a, const Last &b) { return a.memory.otherBytes > b.memory.otherBytes; });
    PeakBound bound;
    bound.method = "outputs at the end";
    bound.holdsFor = HoldsFor::AnyOrder;
    std::int64_t heldBytes = 0;
    for (const Last &last : lasts) {
        heldBytes += last.memory.outputBytes;
        if (heldBytes + last.memory.otherBytes > bound.bytes)
            bound = {heldBytes + last.memory.otherBytes, last.op, bound.method, bound.holdsFor};
    }
    return bound;
}

// In the given order without offloads, what an op made that is computed only once, and that is needed later, is held
// from its computation on: nothing could bring it back.
PeakBound besideWhatStays(const Graph &graph, const CostTable &costs, const Needs &needs, const std::vector<char> &once)
{
    std::vector<std::int64_t> held(graph.ops.size() + 2, 0); // changes at each op, then sums
    for (std::size_t s = 0; s < graph.storages.size(); ++s) {
        const OpId producer = graph.storages[s].producer;
        if (!producer || !once[producer.index()] || needs.last[s] <= producer.value) continue;
        held[producer.index() + 1] += graph.storages[s].bytes;
        held[static_cast<std::size_t>(needs.last[s])] -= graph.storages[s].bytes; // read or taken at the end from there
    }
    std::partial_sum(held.begin(), held.end(), held.begin());
    PeakBound bound;
    for (std::size_t i = 0; i < graph.ops.size(); ++i) {
        if (!needs.op[i]) continue;
        std::int64_t bytes = memoryOf(graph, costs, OpId(i)).all() + held[i];
        for (const StorageId input : graph.ops[i].inputs) { // counted twice when it stays beyond this op
            const OpId producer = graph.storage(input).producer;
            const bool stays = producer && once[producer.index()] && needs.last[input.index()] > static_cast<int>(i);
            bytes -= stays ? graph.storage(input).bytes : 0;
        }
        if (bytes > bound.bytes || !bound.op) bound = {bytes, OpId(i), {}, HoldsFor::GivenOrder};
    }
    return bound;
}

} // namespace

// Why it holds for every plan: each needed op is computed at least once, and while it is computed what it reads, what
// it makes and its workspace are in device memory together. At the end all outputs of the graph are. More cannot be
// asked for: an output made early may be freed and computed again, or, where it may be computed only once, wait in host
// memory. With offloads the bound is reached: all that the next op does not touch goes to the host.
PeakBound workingSetBound(const Graph &graph, const CostTable &costs)
{
    const std::vector<char> needed = needsOf(graph).op;
    PeakBound bound;
    std::int64_t outputBytes = 0;
    for (std::size_t i = 0; i < graph.ops.size(); ++i) {
        if (!needed[i]) continue;
        const OpMemory memory = memoryOf(graph, costs, OpId(i));
        outputBytes += memory.outputBytes;
        if (memory.all() > bound.bytes || !bound.op) bound = {memory.all(), OpId(i), {}, {}};
    }
    if (outputBytes > bound.bytes) bound = {outputBytes, {}, {}, {}};
    bound.method = "working set";
    bound.holdsFor = HoldsFor::EveryPlan;
    return bound;
}

std::vector<PeakBound> peakBounds(const Graph &graph, const CostTable &costs)
{
    const Needs needs = needsOf(graph);
    std::vector<char> once(graph.ops.size());
    for (std::size_t i = 0; i < once.size(); ++i)
        once[i] = graph.ops[i].computeOnce ? 1 : 0;

    std::vector<PeakBound> bounds = {workingSetBound(graph, costs), outputsAtTheEnd(graph, costs, needs),
                                     besideWhatStays(graph, costs, needs, once)};
    bounds.back().method = "held until read";
    for (const Storage &storage : graph.storages)
        if (storage.isOutput && storage.producer) once[storage.producer.index()] = 1;
    bounds.push_back(besideWhatStays(graph, costs, needs, once));
    bounds.back().method = "outputs held";
    bounds.back().holdsFor = HoldsFor::OutputsOnce;
    for (std::size_t i = 1; i < bounds.size(); ++i) {
        // What holds for more plans holds for these, too.
        if (bounds[i].bytes >= bounds[i - 1].bytes) continue;
        bounds[i].bytes = bounds[i - 1].bytes;
        bounds[i].op = bounds[i - 1].op;
    }
    return bounds;
}

} // namespace remat
