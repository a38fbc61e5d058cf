// SPDX-License-Identifier: Apache-2.0
#include "solvers/blocks/block_graph.h"

#include <algorithm>

namespace remat::hiremate {

BlockGraph blockGraph(const FlatGraph &flat, const Chain &chain, const Block &block)
{
    const int forward = block.forwardOps(), ops = static_cast<int>(block.ops.size()) + 1;
    const auto place = [&](int local) { return local < forward ? local : local + 1; };
    BlockGraph made;
    made.between = forward;
    Graph &graph = made.graph;
    graph.name = block.name;
    graph.ops.resize(ops);
    graph.storages.resize(block.storages.size());
    made.costs.timeUs.assign(ops, 0);
    made.costs.workspaceBytes.assign(ops, 0);
    graph.ops[forward].name = "between the two parts";
    graph.ops[forward].phase = Phase::Backward;
    graph.ops[forward].computeOnce = true;
    for (std::size_t s = 0; s < block.storages.size(); ++s) {
        const LocalStorage &storage = block.storages[s];
        graph.storages[s].name = flat.graph->storage(StorageId(storage.global)).name;
        graph.storages[s].bytes = storage.bytes;
        graph.storages[s].producer = OpId(place(storage.producer));
    }
    const std::int64_t base = block.backwardOps() > 0 ? chain.constantBefore[block.backwardBegin] : 0;
    for (int local = 0; local + 1 < ops; ++local) {
        const LocalOp &view = block.ops[local];
        const Op &whole = flat.graph->op(OpId(block.globalOp(local)));
        const int i = place(local);
        Op &op = graph.ops[i];
        op.name = whole.name;
        op.kind = whole.kind;
        op.sequence = whole.sequence;
        op.phase = local < forward ? Phase::Forward : Phase::Backward;
        op.computeOnce = view.once || local >= forward;
        for (const int s : view.inputs)
            op.inputs.emplace_back(s);
        for (const int s : view.outputs)
            op.outputs.emplace_back(s);
        made.costs.timeUs[i] = view.timeUs;
        made.costs.workspaceBytes[i] = view.workspaceBytes + view.otherOutputBytes;
        if (local < forward) continue;
        made.costs.workspaceBytes[i] += std::max<std::int64_t>(0, chain.constantAt[block.globalOp(local)] - base);
        const int twin = whole.forwardOp ? block.localOp(whole.forwardOp.value) : -1;
        if (twin >= 0 && twin < forward) op.forwardOp = OpId(twin);
    }
    std::vector<char> counted(block.storages.size(), 0);
    for (std::size_t local = forward; local < block.ops.size(); ++local)
        for (const int s : block.ops[local].inputs) {
            if (counted[s] || !block.storages[s].forward) continue;
            counted[s] = 1;
            made.crossingBytes += block.storages[s].bytes;
        }
    return made;
}

std::optional<Option> toOption(const Chain &chain, const Block &block, const std::vector<Recompute> &set,
                               bool forwardToo)
{
    const int between = block.forwardOps();
    std::vector<ProgramStep> program, forwardAgain;
    std::vector<char> kept(block.storages.size(), 0), madeAgain(block.storages.size(), 0);
    auto next = set.begin();
    for (; next != set.end() && next->slot <= between; ++next) {
        if (!forwardToo) return std::nullopt;
        forwardAgain.push_back({next->op, next->slot});
    }
    const auto read = [&](int local) {
        for (const int s : block.ops[local].inputs)
            if (block.storages[s].forward && !madeAgain[s]) kept[s] = 1;
    };
    for (int z = between; z < static_cast<int>(block.ops.size()); ++z) {
        for (; next != set.end() && next->slot == z + 1; ++next) {
            read(next->op);
            for (const int s : block.ops[next->op].outputs)
                madeAgain[s] = 1;
            program.push_back({next->op, z});
        }
        read(z);
        program.push_back({z, z});
    }
    return makeOption(chain, block, std::move(kept), std::move(program), std::move(forwardAgain));
}

} // namespace remat::hiremate
