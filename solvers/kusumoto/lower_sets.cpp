// SPDX-License-Identifier: Apache-2.0
#include "solvers/kusumoto/lower_sets.h"

#include <algorithm>
#include <bit>
#include <set>

namespace remat::kusumoto {

namespace {

NodeSet emptySet(const ForwardDag &dag)
{
    return NodeSet((static_cast<std::size_t>(dag.nodes()) + 63) / 64, 0);
}

void insert(NodeSet &set, int node)
{
    set[static_cast<std::size_t>(node) / 64] |= std::uint64_t(1) << (static_cast<unsigned>(node) % 64U);
}

int sizeOf(const NodeSet &set)
{
    int size = 0;
    for (const std::uint64_t word : set)
        size += std::popcount(word);
    return size;
}

void sortBySize(std::vector<NodeSet> &sets)
{
    std::sort(sets.begin(), sets.end(), [](const NodeSet &a, const NodeSet &b) {
        const int sizeA = sizeOf(a), sizeB = sizeOf(b);
        return sizeA != sizeB ? sizeA < sizeB : a < b;
    });
}

} // namespace

std::optional<std::vector<NodeSet>> allLowerSets(const ForwardDag &dag, std::size_t atMost,
                                                 const std::function<bool()> &stop)
{
    std::set<NodeSet> known{emptySet(dag)};
    std::vector<NodeSet> sets{*known.begin()};
    for (std::size_t next = 0; next < sets.size(); ++next) {
        if (sets.size() > atMost || stop()) return std::nullopt;
        const NodeSet from = sets[next];
        for (int node = 0; node < dag.nodes(); ++node) {
            const std::vector<int> &reads = dag.reads[node];
            if (contains(from, node) ||
                !std::all_of(reads.begin(), reads.end(), [&](int read) { return contains(from, read); }))
                continue;
            NodeSet grown = from;
            insert(grown, node);
            if (known.insert(grown).second) sets.push_back(std::move(grown));
        }
    }
    sortBySize(sets);
    return sets;
}

std::vector<NodeSet> closures(const ForwardDag &dag)
{
    NodeSet all = emptySet(dag);
    std::vector<NodeSet> sets;
    for (int node = 0; node < dag.nodes(); ++node) {
        NodeSet closure = emptySet(dag);
        for (const int read : dag.reads[node])
            for (std::size_t w = 0; w < closure.size(); ++w)
                closure[w] |= sets[read][w];
        insert(closure, node);
        insert(all, node);
        sets.push_back(std::move(closure));
    }
    sets.push_back(emptySet(dag));
    sets.push_back(std::move(all));
    sortBySize(sets);
    sets.erase(std::unique(sets.begin(), sets.end()), sets.end());
    return sets;
}

} // namespace remat::kusumoto
