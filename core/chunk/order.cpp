// SPDX-License-Identifier: Apache-2.0
#include "core/chunk/order.h"

#include "core/chunk/modes.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <queue>
#include <set>

namespace remat {

namespace {

/// The nodes that must stand before each node: makers of what it reads, and everything around a node that writes.
std::vector<std::vector<std::size_t>> predecessors(const Program &program, const ValueUses &uses)
{
    std::vector<std::vector<std::size_t>> before(program.nodes.size());
    std::size_t writer = 0, firstSince = 0;
    bool written = false;
    for (std::size_t n = 0; n < program.nodes.size(); ++n) {
        for (const ValueId id : tensorsRead(program.nodes[n]))
            if (const NodeId maker = uses.maker[id.index()]) before[n].push_back(maker.index());
        if (written) before[n].push_back(writer);
        if (program.nodes[n].mutates.empty()) continue;
        for (std::size_t earlier = firstSince; earlier < n; ++earlier)
            before[n].push_back(earlier);
        written = true;
        writer = firstSince = n;
    }
    return before;
}

/// How often each node must wait for a whole result of the region. One of the backward pass that only later pieces read
/// runs with them: derivatives of a forward value alone would else be made, and held, with the forward pieces.
std::vector<int> levelsOf(const Program &program, const ValueUses &uses, const RegionNodes &region,
                          const std::vector<std::vector<std::size_t>> &before)
{
    constexpr int kNobody = std::numeric_limits<int>::max();
    const std::size_t count = program.nodes.size();
    std::vector<int> level(count, 0), first(count, kNobody); // the first level at which a node is read
    for (std::size_t n = 0; n < count; ++n)
        for (const std::size_t p : before[n])
            level[n] =
                std::max(level[n], level[p] + (!region.contains(NodeId(n)) && region.contains(NodeId(p)) ? 1 : 0));
    for (std::size_t n = count; n-- > 0;) {
        const Node &node = program.nodes[n];
        const bool own = region.contains(NodeId(n));
        const bool held = std::any_of(node.outputs.begin(), node.outputs.end(),
                                      [&](ValueId id) { return id && uses.isOutput[id.index()]; });
        if (own && node.phase == Phase::Backward && !held && first[n] != kNobody)
            level[n] = std::max(level[n], first[n]);
        // What waits for all pieces wants them as early as they can be.
        for (const std::size_t p : before[n])
            first[p] = std::min(first[p], own ? level[n] : 0);
    }
    return level;
}

} // namespace

Expected<std::vector<NodeGroup>> groupsInOrder(const Program &program, const ValueUses &uses, const RegionNodes &region)
{
    const std::vector<std::vector<std::size_t>> before = predecessors(program, uses);
    const std::size_t count = program.nodes.size();
    const std::vector<int> level = levelsOf(program, uses, region, before);
    std::vector<std::size_t> groupOf(count);
    std::vector<NodeGroup> groups;
    std::map<int, std::size_t> pieces; // level of the region's nodes -> their group
    for (std::size_t n = 0; n < count; ++n) {
        const bool own = region.contains(NodeId(n));
        const auto known = own ? pieces.find(level[n]) : pieces.end();
        groupOf[n] = known != pieces.end() ? known->second : groups.size();
        if (groupOf[n] == groups.size()) groups.push_back({own, {}});
        if (own) pieces.emplace(level[n], groupOf[n]);
        groups[groupOf[n]].nodes.emplace_back(n);
    }

    std::vector<std::set<std::size_t>> after(groups.size());
    std::vector<std::size_t> waits(groups.size(), 0);
    for (std::size_t n = 0; n < count; ++n) {
        for (const std::size_t p : before[n])
            if (groupOf[p] != groupOf[n] && after[groupOf[p]].insert(groupOf[n]).second) ++waits[groupOf[n]];
    }
    std::priority_queue<std::size_t, std::vector<std::size_t>, std::greater<>>
        ready; // groups are numbered by first node
    for (std::size_t g = 0; g < groups.size(); ++g)
        if (waits[g] == 0) ready.push(g);
    std::vector<NodeGroup> ordered;
    while (!ready.empty()) {
        const std::size_t g = ready.top();
        ready.pop();
        ordered.push_back(std::move(groups[g]));
        for (const std::size_t next : after[g])
            if (--waits[next] == 0) ready.push(next);
    }
    if (ordered.size() != groups.size())
        return fail("The chunks would have to run across a node that writes to its input. Plan without that region.");
    return ordered;
}

} // namespace remat
