// SPDX-License-Identifier: Apache-2.0
#include "solvers/tools/flat.h"

#include <algorithm>

namespace remat {

FlatGraph flatten(const Graph &graph, const CostTable &costs)
{
    FlatGraph flat;
    flat.graph = &graph;
    flat.costs = &costs;
    flat.ops = static_cast<int>(graph.ops.size());
    flat.forwardOps = flat.ops;
    flat.inputs.resize(graph.ops.size());
    flat.outputs.resize(graph.ops.size());
    flat.readers.resize(graph.storages.size());
    flat.timeUs = costs.timeUs;
    flat.workspaceBytes = costs.workspaceBytes;
    flat.once.resize(graph.ops.size());
    flat.bytes.resize(graph.storages.size());
    flat.producer.assign(graph.storages.size(), -1);
    flat.output.resize(graph.storages.size());
    flat.lastUse.assign(graph.storages.size(), -1);
    for (std::size_t s = 0; s < graph.storages.size(); ++s) {
        flat.bytes[s] = graph.storages[s].bytes;
        flat.output[s] = graph.keptToEnd(StorageId(s)) ? 1 : 0;
    }
    for (int i = 0; i < flat.ops; ++i) {
        const Op &op = graph.ops[i];
        if (op.phase == Phase::Backward) flat.forwardOps = std::min(flat.forwardOps, i);
        flat.once[i] = op.computeOnce ? 1 : 0;
        for (const StorageId input : op.inputs) {
            if (!graph.planned(input)) continue;
            flat.inputs[i].push_back(input.value);
            flat.readers[input.index()].push_back(i);
            flat.lastUse[input.index()] = i;
        }
        for (const StorageId output : op.outputs) {
            flat.outputs[i].push_back(output.value);
            flat.producer[output.index()] = i;
            flat.lastUse[output.index()] = std::max(flat.lastUse[output.index()], i);
        }
    }
    for (int s = 0; s < flat.storages(); ++s)
        if (flat.output[s]) flat.lastUse[s] = flat.ops;
    return flat;
}

std::vector<OpId> toSequence(const FlatGraph &flat, const std::vector<Recompute> &recomputes)
{
    std::vector<OpId> sequence;
    sequence.reserve(recomputes.size() + flat.ops);
    std::size_t next = 0;
    for (int i = 0; i < flat.ops; ++i) {
        for (; next < recomputes.size() && recomputes[next].slot <= i; ++next)
            sequence.emplace_back(recomputes[next].op);
        sequence.emplace_back(i);
    }
    return sequence;
}

std::vector<Recompute> toRecomputes(const FlatGraph &flat, const std::vector<OpId> &sequence)
{
    std::vector<Recompute> recomputes;
    int first = 0;
    for (const OpId op : sequence) {
        if (op.value > first || op.value < 0) return {};
        if (op.value == first)
            ++first;
        else
            recomputes.push_back({first, op.value});
    }
    if (first != flat.ops) return {};
    std::erase_if(recomputes, [&](const Recompute &r) { return r.slot >= flat.ops; });
    std::sort(recomputes.begin(), recomputes.end());
    recomputes.erase(std::unique(recomputes.begin(), recomputes.end()), recomputes.end());
    return recomputes;
}

void tidyRecomputes(const FlatGraph &flat, std::vector<Recompute> &recomputes)
{
    std::sort(recomputes.begin(), recomputes.end());
    recomputes.erase(std::unique(recomputes.begin(), recomputes.end()), recomputes.end());
    std::vector<char> readLater = flat.output;
    std::vector<char> useless(recomputes.size(), 0);
    std::size_t next = recomputes.size();
    const auto visit = [&](int op) {
        for (const int s : flat.outputs[op])
            readLater[s] = 0;
        for (const int s : flat.inputs[op])
            readLater[s] = 1;
    };
    for (int i = flat.ops; i-- > 0;) {
        visit(i);
        for (; next > 0 && recomputes[next - 1].slot == i; --next) {
            const std::vector<int> &outputs = flat.outputs[recomputes[next - 1].op];
            if (std::none_of(outputs.begin(), outputs.end(), [&](int s) { return readLater[s] != 0; }))
                useless[next - 1] = 1;
            else
                visit(recomputes[next - 1].op);
        }
    }
    std::size_t kept = 0;
    for (std::size_t r = 0; r < recomputes.size(); ++r)
        if (!useless[r]) recomputes[kept++] = recomputes[r];
    recomputes.resize(kept);
}

std::vector<std::int64_t> heldBySlot(const FlatGraph &flat, SequenceEvaluator &evaluator,
                                     const std::vector<Recompute> &recomputes)
{
    const std::vector<OpId> sequence = toSequence(flat, recomputes);
    std::vector<std::int64_t> held, most(flat.ops, 0);
    evaluator.profile(sequence, held);
    int slot = 0; // first computations come in order, each after what is computed again for it
    for (std::size_t i = 0; i < sequence.size(); ++i) {
        most[slot] = std::max(most[slot], held[i]);
        if (sequence[i].value == slot && slot + 1 < flat.ops) ++slot;
    }
    return most;
}

double extraTimeUs(const FlatGraph &flat, const std::vector<Recompute> &recomputes)
{
    double sum = 0;
    for (const Recompute &r : recomputes)
        sum += flat.timeUs[r.op];
    return sum;
}

} // namespace remat
