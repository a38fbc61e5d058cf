// SPDX-License-Identifier: Apache-2.0
#include "core/views/row_order.h"

#include "core/views/sort_distinct.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace remat {

RowEdges rowEdges(const GraphTree &tree, const Graph &graph, int node)
{
    const GraphNode &parent = tree.node(node);
    std::vector<int> place(tree.nodes.size(), -1);
    for (std::size_t i = 0; i < parent.children.size(); ++i)
        place[static_cast<std::size_t>(parent.children[i])] = static_cast<int>(i);
    const auto placeOf = [&](OpId op) {
        const int child = tree.childHolding(node, op);
        return child < 0 ? -1 : place[static_cast<std::size_t>(child)];
    };

    RowEdges edges;
    for (const Side side : {Side::Forward, Side::Backward}) {
        std::vector<RowEdge> &found = side == Side::Forward ? edges.forward : edges.backward;
        for (const OpId reader : parent.ops(side)) {
            const int to = placeOf(reader);
            for (const StorageId input : graph.op(reader).inputs) {
                const OpId maker = graph.storage(input).producer;
                if (!maker || (graph.op(maker).phase == Phase::Backward) != (side == Side::Backward)) continue;
                const int from = placeOf(maker);
                if (from >= 0 && to >= 0 && from != to) found.emplace_back(from, to);
            }
        }
        sortDistinct(found);
    }
    return edges;
}

OrderQuestion orderQuestion(int rows, const RowEdges &edges)
{
    OrderQuestion question;
    question.rows = rows;
    for (const auto &[from, to] : edges.forward)
        if (from < to) question.edges.emplace_back(from, to);
    for (const auto &[from, to] : edges.backward)
        if (to < from) question.edges.emplace_back(to, from);
    sortDistinct(question.edges);
    return question;
}

std::vector<RowRank> longestPathRanks(const OrderQuestion &question)
{
    std::vector<RowRank> ranks(static_cast<std::size_t>(question.rows));
    // Sorted by their first row, so that the rank of an edge's start is final when the edge is read.
    for (const auto &[from, to] : question.edges) {
        int &rank = ranks[static_cast<std::size_t>(to)].rank;
        rank = std::max(rank, ranks[static_cast<std::size_t>(from)].rank + 1);
    }
    std::vector<int> used(ranks.size() + 1, 0);
    for (RowRank &rank : ranks)
        rank.order = used[static_cast<std::size_t>(rank.rank)]++;
    return ranks;
}

void unmirror(std::vector<RowRank> &ranks)
{
    std::map<int, std::vector<std::pair<int, int>>> byRank; // order, row
    for (std::size_t row = 0; row < ranks.size(); ++row)
        byRank[ranks[row].rank].emplace_back(ranks[row].order, static_cast<int>(row));
    int against = 0;
    for (auto &[rank, rows] : byRank) {
        std::sort(rows.begin(), rows.end());
        for (std::size_t i = 1; i < rows.size(); ++i)
            against += rows[i].second < rows[i - 1].second ? 1 : -1;
    }
    if (against <= 0) return;
    double right = 0;
    for (const RowRank &rank : ranks)
        right = std::max(right, rank.x);
    for (RowRank &rank : ranks) {
        rank.order = byRank[rank.rank].back().first - rank.order;
        rank.x = right - rank.x;
    }
}

std::vector<int> rowsInOrder(const OrderQuestion &question, const std::vector<RowRank> &ranks)
{
    const auto count = static_cast<std::size_t>(question.rows);
    std::vector<std::vector<int>> next(count);
    std::vector<int> missing(count, 0);
    for (const auto &[from, to] : question.edges) {
        next[static_cast<std::size_t>(from)].push_back(to);
        ++missing[static_cast<std::size_t>(to)];
    }
    using Key = std::tuple<int, int, int>;
    const auto key = [&](int row) {
        const RowRank &rank = ranks[static_cast<std::size_t>(row)];
        return Key{rank.rank, rank.order, row};
    };
    std::set<Key> ready;
    for (int row = 0; row < question.rows; ++row)
        if (missing[static_cast<std::size_t>(row)] == 0) ready.insert(key(row));

    std::vector<int> rows;
    rows.reserve(count);
    while (!ready.empty()) {
        // Go on with the branch of the row above while it has a row that nothing else holds up.
        auto pick = ready.end();
        if (!rows.empty()) {
            for (const int follower : next[static_cast<std::size_t>(rows.back())]) {
                const auto found = ready.find(key(follower));
                if (found != ready.end() && (pick == ready.end() || *found < *pick)) pick = found;
            }
        }
        if (pick == ready.end()) pick = ready.begin();
        const int row = std::get<2>(*pick);
        ready.erase(pick);
        rows.push_back(row);
        for (const int follower : next[static_cast<std::size_t>(row)])
            if (--missing[static_cast<std::size_t>(follower)] == 0) ready.insert(key(follower));
    }
    return rows;
}

} // namespace remat
