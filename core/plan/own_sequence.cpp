// SPDX-License-Identifier: Apache-2.0
#include "core/plan/own_sequence.h"

#include <algorithm>
#include <cstddef>
#include <map>

namespace remat {

namespace {

/// The loss too.
bool isForward(const Op &op)
{
    return op.phase != Phase::Backward;
}

/// Per storage the part that lets it go; -1 for what is kept.
std::vector<int> droppedBy(const Graph &graph, const std::vector<int> &parts)
{
    std::vector<int> part(graph.storages.size(), -1);
    for (std::size_t i = 0; i < graph.ops.size(); ++i)
        if (isForward(graph.ops[i]) && !graph.ops[i].computeOnce)
            for (const StorageId made : graph.ops[i].outputs)
                if (!graph.keptToEnd(made)) part[made.index()] = parts[i];
    for (std::size_t i = 0; i < graph.ops.size(); ++i)
        if (isForward(graph.ops[i]))
            for (const StorageId read : graph.ops[i].inputs)
                if (part[read.index()] != parts[i]) part[read.index()] = -1;
    return part;
}

/// 1 per op of a part that makes what the backward pass needs of it, or what that is made from.
std::vector<char> computedAgain(const Graph &graph, const std::vector<int> &part)
{
    std::vector<char> needed(graph.storages.size(), 0), again(graph.ops.size(), 0);
    for (std::size_t i = graph.ops.size(); i-- > 0;) {
        const Op &op = graph.ops[i];
        const bool isAgain = isForward(op) && std::any_of(op.outputs.begin(), op.outputs.end(),
                                                          [&](StorageId made) { return needed[made.index()] != 0; });
        again[i] = isAgain ? 1 : 0;
        if (isForward(op) && !isAgain) continue;
        for (const StorageId read : op.inputs)
            if (part[read.index()] >= 0) needed[read.index()] = 1;
    }
    return again;
}

} // namespace

std::vector<OpId> ownSequence(const Graph &graph, const std::vector<int> &parts)
{
    const std::vector<int> part = droppedBy(graph, parts);
    const std::vector<char> again = computedAgain(graph, part);
    std::map<int, std::vector<OpId>> waiting; // their numbers may be any
    for (std::size_t i = 0; i < graph.ops.size(); ++i)
        if (again[i] != 0) waiting[parts[i]].emplace_back(i);
    std::vector<OpId> sequence;
    sequence.reserve(graph.ops.size());
    for (std::size_t i = 0; i < graph.ops.size(); ++i) {
        if (!isForward(graph.ops[i]))
            for (const StorageId read : graph.ops[i].inputs)
                if (part[read.index()] >= 0) {
                    std::vector<OpId> &ops = waiting[part[read.index()]];
                    sequence.insert(sequence.end(), ops.begin(), ops.end());
                    ops.clear();
                }
        sequence.emplace_back(i);
    }
    return sequence;
}

} // namespace remat
