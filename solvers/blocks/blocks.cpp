// SPDX-License-Identifier: Apache-2.0
#include "solvers/blocks/blocks.h"

#include "core/clusters/block_name.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <numeric>
#include <string_view>

namespace remat::hiremate {

namespace {

/// Storages below these shares of the keep-all peak are not worth a variable.
constexpr double kTinyInternal = 2e-5, kTinyInterface = 1e-5;

void addMembers(const std::vector<int> &inside, int forwardOps, Chain &chain)
{
    for (const int op : inside) {
        const int number = chain.blockOfOp[op];
        const bool backward = op >= forwardOps;
        Block &block = chain.blocks[number];
        const int local = static_cast<int>(block.members.size());
        block.members.push_back(op);
        block.forwardCount += backward ? 0 : 1;
        (backward ? block.backwardEnd : block.forwardEnd) = op + 1;
        if (chain.parts.empty() || chain.parts.back().block != number || chain.parts.back().backward != backward) {
            chain.parts.push_back({number, static_cast<int>(block.partEnds.size()), backward, local, local, op});
            block.partEnds.push_back(local);
        }
        chain.parts.back().end = block.partEnds.back() = local + 1;
    }
}

/// The empty backward part of a block that has no backward ops: after those of the blocks behind it.
void addEmptyPart(int number, int end, Chain &chain)
{
    Block &block = chain.blocks[number];
    const auto after = std::find_if(chain.parts.begin() + chain.turn, chain.parts.end(),
                                    [&](const Part &part) { return part.block < number; });
    const int slot = after == chain.parts.end() ? end : after->slot;
    block.backwardBegin = block.backwardEnd = slot;
    chain.parts.insert(
        after, {number, static_cast<int>(block.partEnds.size()), true, block.forwardCount, block.forwardCount, slot});
    block.partEnds.push_back(block.forwardCount);
}

/// `inside`: the ops of the chain, ascending.
void cutBlocks(const FlatGraph &flat, const std::vector<int> &inside, int blocks, Chain &chain)
{
    chain.blocks.resize(blocks);
    addMembers(inside, flat.forwardOps, chain);
    chain.turn = static_cast<int>(
        std::find_if(chain.parts.begin(), chain.parts.end(), [](const Part &part) { return part.backward; }) -
        chain.parts.begin());
    for (int k = blocks; k-- > 0;) {
        Block &block = chain.blocks[k];
        if (block.forwardCount > 0) block.forwardBegin = block.members.front();
        if (block.backwardOps() > 0)
            block.backwardBegin = block.members[block.forwardCount];
        else
            addEmptyPart(k, inside.back() + 1, chain);
        std::vector<OpId> ops;
        ops.reserve(static_cast<std::size_t>(block.forwardCount));
        for (int local = 0; local < block.forwardCount; ++local)
            ops.emplace_back(static_cast<std::size_t>(block.members[local]));
        block.name = blockName(*flat.graph, ops, "block " + std::to_string(k + 1));
    }
}

Role roleOf(const FlatGraph &flat, const Chain &chain, int s, std::int64_t peakBytes)
{
    if (flat.output[s]) return Role::Constant;
    const int block = chain.blockOfOp[flat.producer[s]];
    const std::vector<int> &readers = flat.readers[s];
    const bool own = std::all_of(readers.begin(), readers.end(), [&](int op) { return chain.blockOfOp[op] == block; });
    const bool forward = flat.producer[s] < flat.forwardOps;
    const auto bytes = static_cast<double>(flat.bytes[s]), peak = static_cast<double>(peakBytes);
    if (own) return bytes < kTinyInternal * peak ? Role::Constant : Role::Internal;
    if (!forward) return Role::Constant;
    return bytes < kTinyInterface * peak ? Role::Constant : Role::Interface;
}

Role roleInStage(const FlatGraph &flat, const Chain &chain, int s, std::int64_t peakBytes)
{
    const Role role = roleOf(flat, chain, s, peakBytes);
    if (role == Role::Constant || flat.producer[s] >= flat.forwardOps) return role;
    if (flat.once[flat.producer[s]]) return Role::Constant;
    const int stage = chain.blockOfOp[flat.producer[s]];
    bool own = false;
    for (const int reader : flat.readers[s]) {
        if (chain.blockOfOp[reader] < stage) return Role::Constant;
        own = own || chain.blockOfOp[reader] == stage;
    }
    return own || role == Role::Internal ? Role::Internal : Role::Interface;
}

void addConstants(const FlatGraph &flat, Chain &chain)
{
    std::vector<std::int64_t> at(flat.ops + 2, 0), before(flat.ops + 2, 0);
    for (int s = 0; s < flat.storages(); ++s) {
        if (chain.role[s] != Role::Constant) continue;
        at[flat.producer[s]] += flat.bytes[s];
        at[flat.lastUse[s] + 1] -= flat.bytes[s];
        before[flat.producer[s] + 1] += flat.bytes[s];
        before[flat.lastUse[s] + 1] -= flat.bytes[s];
    }
    for (int i = 1; i <= flat.ops; ++i) {
        at[i] += at[i - 1];
        before[i] += before[i - 1];
    }
    at.resize(flat.ops);
    before.resize(flat.ops);
    chain.constantAt = std::move(at);
    chain.constantBefore = std::move(before);
}

void fillBlock(const FlatGraph &flat, const Chain &chain, int number, Block &block, std::vector<int> &localOf)
{
    const int count = block.forwardOps() + block.backwardOps();
    block.ops.resize(count);
    for (int local = 0; local < count; ++local) {
        const int op = block.globalOp(local);
        LocalOp &view = block.ops[local];
        view.timeUs = flat.timeUs[op];
        view.workspaceBytes = flat.workspaceBytes[op];
        view.once = flat.once[op] != 0;
        for (const int s : flat.inputs[op]) {
            if (chain.role[s] == Role::Internal && chain.blockOfStorage[s] == number)
                view.inputs.push_back(localOf[s]);
            else if (chain.role[s] == Role::Internal || chain.role[s] == Role::Interface)
                view.interfaces.push_back(s);
        }
        for (const int s : flat.outputs[op]) {
            if (chain.role[s] == Role::Internal) {
                localOf[s] = static_cast<int>(block.storages.size());
                view.outputs.push_back(localOf[s]);
                block.storages.push_back({s, flat.bytes[s], local, local < block.forwardOps()});
                continue;
            }
            view.otherOutputBytes += flat.bytes[s];
            if (chain.role[s] == Role::Interface) view.madeInterfaces.push_back(s);
        }
    }
}

/// Everything that options and their memory depend on, as one string: equal strings, same options.
std::string signatureOf(const FlatGraph &flat, const Chain &chain, const Block &block)
{
    std::string text;
    const auto put = [&text](const auto &value) {
        char raw[sizeof value];
        std::memcpy(raw, &value, sizeof value);
        text.append(raw, sizeof value);
    };
    std::map<int, int> external;
    put(block.forwardOps());
    for (const int end : block.partEnds)
        put(end);
    const std::int64_t base = block.backwardOps() > 0 ? chain.constantBefore[block.backwardBegin] : 0;
    for (int local = 0; local < static_cast<int>(block.ops.size()); ++local) {
        const LocalOp &op = block.ops[local];
        put(op.timeUs);
        put(op.workspaceBytes);
        put(op.once);
        put(op.otherOutputBytes);
        put(op.inputs.size());
        for (const int s : op.inputs)
            put(s);
        put(op.outputs.size());
        for (const int s : op.outputs)
            put(block.storages[s].bytes);
        put(op.interfaces.size());
        for (const int s : op.interfaces)
            put(external.try_emplace(s, static_cast<int>(external.size())).first->second);
        put(op.madeInterfaces.size());
        for (const int s : op.madeInterfaces) {
            put(external.try_emplace(s, static_cast<int>(external.size())).first->second);
            put(flat.bytes[s]);
        }
        if (local >= block.forwardOps()) put(chain.constantAt[block.globalOp(local)] - base);
    }
    return text;
}

/// Blocks and what storages are to them; `rule` says it of those that ops of the chain make, and of which `planned`
/// knows nothing else.
template <class Rule, class Planned>
Chain cutChain(const FlatGraph &flat, std::vector<int> blockOfOp, const std::vector<int> &inside,
               std::int64_t keepAllPeakBytes, const Rule &rule, const Planned &planned)
{
    Chain chain;
    chain.keepAllPeakBytes = keepAllPeakBytes;
    chain.blockOfOp = std::move(blockOfOp);
    const int blocks = 1 + *std::max_element(chain.blockOfOp.begin(), chain.blockOfOp.end());
    cutBlocks(flat, inside, blocks, chain);
    chain.role.assign(flat.storages(), Role::Resident);
    chain.blockOfStorage.assign(flat.storages(), -1);
    for (int s = 0; s < flat.storages(); ++s) {
        if (flat.producer[s] < 0 || !planned(s)) continue;
        chain.blockOfStorage[s] = chain.blockOfOp[flat.producer[s]];
        chain.role[s] = rule(flat, chain, s, keepAllPeakBytes);
        if (chain.role[s] == Role::Interface) chain.interfaces.push_back(s);
    }
    addConstants(flat, chain);
    return chain;
}

/// The blocks' ops and storages, and who is like whom.
void fillBlocks(const FlatGraph &flat, Chain &chain)
{
    std::vector<int> localOf(flat.storages(), -1);
    std::map<std::string_view, int> known;
    for (int k = 0; k < static_cast<int>(chain.blocks.size()); ++k) {
        Block &block = chain.blocks[k];
        fillBlock(flat, chain, k, block, localOf);
        block.signature = signatureOf(flat, chain, block);
        block.representative = known.try_emplace(block.signature, k).first->second;
        if (block.representative != k) ++chain.blocks[block.representative].copies;
    }
}

template <class Rule>
Chain wholeChain(const FlatGraph &flat, std::vector<int> blockOfOp, std::int64_t keepAllPeakBytes, const Rule &rule)
{
    std::vector<int> all(flat.ops);
    std::iota(all.begin(), all.end(), 0);
    Chain chain = cutChain(flat, std::move(blockOfOp), all, keepAllPeakBytes, rule, [](int) { return true; });
    fillBlocks(flat, chain);
    return chain;
}

} // namespace

int Block::localOp(int global) const
{
    const auto at = std::lower_bound(members.begin(), members.end(), global);
    return at != members.end() && *at == global ? static_cast<int>(at - members.begin()) : -1;
}

std::vector<int> partitionLabels(const FlatGraph &flat, const PartitionSizes &sizes)
{
    const ClusterTree tree = blockPartition(*flat.graph, flat.timeUs, sizes);
    const std::vector<ClusterId> &children = tree.cluster(tree.root()).children;
    const int blocks = std::max<int>(1, static_cast<int>(children.size()));
    std::vector<int> number(tree.clusters.size(), 0);
    for (std::size_t k = 0; k < children.size(); ++k)
        number[children[k].index()] = static_cast<int>(k);
    std::vector<int> label(flat.ops);
    int current = 0;
    for (int i = 0; i < flat.ops; ++i) {
        const int wanted = number[tree.clusterOf[i].index()];
        if (i == flat.forwardOps) current = blocks - 1;
        current = i < flat.forwardOps ? std::max(current, wanted) : std::min(current, wanted);
        label[i] = current;
    }
    return label;
}

Chain makeChain(const FlatGraph &flat, std::vector<int> blockOfOp, std::int64_t keepAllPeakBytes)
{
    return wholeChain(flat, std::move(blockOfOp), keepAllPeakBytes, roleOf);
}

Chain makeInnerChain(const FlatGraph &flat, const Chain &outer, int block, std::vector<int> childOfOp)
{
    const Block &b = outer.blocks[block];
    const auto planned = [&](int s) { return outer.blockOfStorage[s] == block && outer.role[s] == Role::Internal; };
    Chain chain = cutChain(flat, std::move(childOfOp), b.members, outer.keepAllPeakBytes, roleOf, planned);
    for (const int op : b.members) {
        const std::int64_t before = outer.constantBefore[op < flat.forwardOps ? b.forwardBegin : b.backwardBegin];
        chain.constantAt[op] += outer.constantAt[op] - before;
        chain.constantBefore[op] += outer.constantBefore[op] - before;
    }
    fillBlocks(flat, chain);
    return chain;
}

Chain makeStages(const FlatGraph &flat, std::vector<int> stageOfOp, std::int64_t keepAllPeakBytes)
{
    return wholeChain(flat, std::move(stageOfOp), keepAllPeakBytes, roleInStage);
}

} // namespace remat::hiremate
