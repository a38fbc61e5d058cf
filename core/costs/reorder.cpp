// SPDX-License-Identifier: Apache-2.0
#include "core/costs/reorder.h"

#include "core/base/text.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>

namespace remat {

namespace {

void sortUnique(auto &items)
{
    std::sort(items.begin(), items.end());
    items.erase(std::unique(items.begin(), items.end()), items.end());
}

/// Each op of the graph that `chosen` picks stays behind the one before it.
void addChain(const Graph &graph, std::vector<OrderEdge> &edges, const std::function<bool(const Op &)> &chosen)
{
    OpId last;
    for (std::size_t i = 0; i < graph.ops.size(); ++i) {
        if (!chosen(graph.ops[i])) continue;
        if (last) edges.push_back({last, OpId(i)});
        last = OpId(i);
    }
}

} // namespace

std::vector<OrderEdge> orderConstraints(const Graph &graph)
{
    std::vector<OrderEdge> edges;
    std::vector<std::vector<OpId>> users(graph.storages.size());
    for (std::size_t i = 0; i < graph.ops.size(); ++i) {
        const Op &op = graph.ops[i];
        for (const std::vector<StorageId> *storages : {&op.inputs, &op.outputs}) {
            for (const StorageId id : *storages)
                users[id.index()].emplace_back(i);
        }
        if (op.forwardOp) edges.push_back({op.forwardOp, OpId(i)});
    }
    for (const std::vector<OpId> &sharing : users) {
        for (std::size_t a = 0; a < sharing.size(); ++a) {
            if (!graph.op(sharing[a]).computeOnce) continue;
            // Up to the next one on either side: what lies beyond follows from there.
            for (std::size_t b = a; b-- > 0;) {
                edges.push_back({sharing[b], sharing[a]});
                if (graph.op(sharing[b]).computeOnce) break;
            }
            for (std::size_t b = a + 1; b < sharing.size(); ++b) {
                edges.push_back({sharing[a], sharing[b]});
                if (graph.op(sharing[b]).computeOnce) break;
            }
        }
    }
    addChain(graph, edges, [](const Op &op) { return op.computeOnce; });
    addChain(graph, edges, [](const Op &op) { return op.random; });
    sortUnique(edges);
    return edges;
}

Precedence precedenceOf(const Graph &graph)
{
    Precedence precedence;
    precedence.before.resize(graph.ops.size());
    precedence.after.resize(graph.ops.size());
    const auto add = [&](OpId before, OpId after) {
        precedence.before[after.index()].push_back(before.value);
        precedence.after[before.index()].push_back(after.value);
    };
    for (std::size_t i = 0; i < graph.ops.size(); ++i) {
        for (const StorageId input : graph.ops[i].inputs)
            if (const OpId producer = graph.storage(input).producer) add(producer, OpId(i));
    }
    for (const OrderEdge &edge : orderConstraints(graph))
        add(edge.before, edge.after);
    for (auto *lists : {&precedence.before, &precedence.after}) {
        for (std::vector<int> &list : *lists)
            sortUnique(list);
    }
    return precedence;
}

bool isValidOrder(const Precedence &precedence, const std::vector<OpId> &order)
{
    if (order.size() != precedence.before.size()) return false;
    std::vector<char> done(order.size(), 0);
    for (const OpId op : order) {
        if (!op || op.index() >= order.size() || std::exchange(done[op.index()], 1)) return false;
        for (const int earlier : precedence.before[op.index()])
            if (!done[static_cast<std::size_t>(earlier)]) return false;
    }
    return true;
}

std::vector<OpId> orderByRank(const Precedence &precedence, const std::vector<int> &rank)
{
    using Ready = std::pair<int, int>; // rank, op
    std::priority_queue<Ready, std::vector<Ready>, std::greater<>> ready;
    std::vector<std::size_t> waiting(rank.size());
    for (std::size_t i = 0; i < rank.size(); ++i) {
        waiting[i] = precedence.before[i].size();
        if (waiting[i] == 0) ready.emplace(rank[i], static_cast<int>(i));
    }
    std::vector<OpId> order;
    order.reserve(rank.size());
    while (!ready.empty()) {
        const int op = ready.top().second;
        ready.pop();
        order.emplace_back(op);
        for (const int later : precedence.after[static_cast<std::size_t>(op)]) {
            const auto index = static_cast<std::size_t>(later);
            if (--waiting[index] == 0) ready.emplace(rank[index], later);
        }
    }
    return order;
}

std::vector<OpId> firstComputations(const Precedence &precedence, const std::vector<OpId> &sequence)
{
    std::vector<int> rank(precedence.before.size(), -1);
    int next = 0;
    for (const OpId op : sequence)
        if (rank[op.index()] < 0) rank[op.index()] = next++;
    return orderByRank(precedence, rank);
}

Expected<ReorderedGraph> reorderGraph(const Graph &graph, const CostTable &costs, const std::vector<OpId> &order)
{
    if (!isValidOrder(precedenceOf(graph), order))
        return fail("The new order of the ops of the graph {} is not valid: it must hold every op once, "
                    "behind all that it depends on.",
                    quotedName(graph.name));
    ReorderedGraph result;
    result.given = order;
    result.place.resize(order.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        result.place[order[i].index()] = OpId(i);
    result.graph.name = graph.name;
    result.graph.storages = graph.storages;
    result.graph.parametersPlanned = graph.parametersPlanned;
    result.graph.ops.reserve(order.size());
    result.costs = costs;
    for (std::size_t i = 0; i < order.size(); ++i) {
        result.graph.ops.push_back(graph.op(order[i]));
        Op &op = result.graph.ops.back();
        if (op.forwardOp) op.forwardOp = result.place[op.forwardOp.index()];
        result.costs.timeUs[i] = costs.time(order[i]);
        result.costs.workspaceBytes[i] = costs.workspace(order[i]);
    }
    Expected<Graph> finished = finishGraph(std::move(result.graph));
    if (!finished) return tl::unexpected(finished.error());
    result.graph = std::move(*finished);
    return result;
}

std::vector<OpId> renamed(const std::vector<OpId> &sequence, const std::vector<OpId> &names)
{
    std::vector<OpId> result;
    result.reserve(sequence.size());
    for (const OpId op : sequence)
        result.push_back(names[op.index()]);
    return result;
}

} // namespace remat
