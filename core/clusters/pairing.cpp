// SPDX-License-Identifier: Apache-2.0
#include "core/clusters/pairing.h"

#include <algorithm>
#include <unordered_map>

namespace remat {

std::vector<OpId> forwardTwins(const Graph &graph)
{
    std::unordered_map<std::int64_t, OpId> bySequence;
    for (std::size_t i = 0; i < graph.ops.size(); ++i) {
        const Op &op = graph.ops[i];
        if (op.phase != Phase::Backward && op.sequence >= 0) bySequence[op.sequence] = OpId(i);
    }
    std::vector<OpId> twins(graph.ops.size());
    for (std::size_t i = 0; i < graph.ops.size(); ++i) {
        const Op &op = graph.ops[i];
        if (op.phase != Phase::Backward) continue;
        twins[i] = op.forwardOp;
        if (twins[i]) continue;
        const auto found = bySequence.find(op.sequence);
        if (found != bySequence.end()) twins[i] = found->second;
    }
    return twins;
}

std::vector<int> fallingLabels(const std::vector<int> &wanted, int lastBlock)
{
    constexpr std::size_t kNone = static_cast<std::size_t>(-1);
    std::vector<std::size_t> tails; // tails[n]: the op that ends the best subsequence of n + 1 ops
    std::vector<std::size_t> before(wanted.size(), kNone);
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        if (wanted[i] < 0) continue;
        const auto at = std::upper_bound(tails.begin(), tails.end(), wanted[i],
                                         [&](int label, std::size_t tail) { return wanted[tail] < label; });
        if (at != tails.begin()) before[i] = *std::prev(at);
        if (at == tails.end())
            tails.push_back(i);
        else
            *at = i;
    }
    std::vector<int> labels(wanted.size(), -1);
    for (std::size_t i = tails.empty() ? kNone : tails.back(); i != kNone; i = before[i])
        labels[i] = wanted[i];
    int current = lastBlock;
    for (int &label : labels)
        current = label = label < 0 ? current : label;
    return labels;
}

} // namespace remat
