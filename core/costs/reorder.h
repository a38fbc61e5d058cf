// SPDX-License-Identifier: Apache-2.0
// Other orders of first computations: which ones are allowed, and the graph written down in one of them.
#pragma once

#include "core/costs/cost_table.h"
#include "core/graph/graph.h"

#include <vector>

namespace remat {

/// `after` may not be computed for the first time before `before`.
struct OrderEdge {
    OpId before, after;
    bool operator==(const OrderEdge &) const = default;
    auto operator<=>(const OrderEdge &) const = default; // NOLINT(modernize-use-nullptr): clang-tidy 14 sees a 0
};

/// What an order must respect besides reads, so that a run gives the bits of the given order:
/// - an op that may be computed only once keeps its place relative to every op that shares a storage with it, resident
///   ones included (it may write to it), and all such ops keep their order (they may be collectives);
/// - random ops keep their order, since their generator states are recorded as they first run;
/// - a backward op stays behind the forward op it belongs to, as in every Graph.
/// Sorted, without twins; `before` is always the earlier op of the graph. O(graph + edges).
std::vector<OrderEdge> orderConstraints(const Graph &graph);

/// Direct predecessors and successors of each op, by reads and constraints together; ascending, without twins.
struct Precedence {
    std::vector<std::vector<int>> before, after;
};
Precedence precedenceOf(const Graph &graph);

/// True when `order` holds every op once and respects `precedence`. O(graph).
bool isValidOrder(const Precedence &precedence, const std::vector<OpId> &order);

/// The valid order that takes, of the ops that may come next, always the one with the smallest rank; equal ranks in
/// graph order. O(ops log ops + edges).
std::vector<OpId> orderByRank(const Precedence &precedence, const std::vector<int> &rank);

/// The order of first computations of a sequence. Ops that it leaves out come as early as they may; a sequence that
/// breaks the constraints gives the nearest valid order by rank.
std::vector<OpId> firstComputations(const Precedence &precedence, const std::vector<OpId> &sequence);

/// A graph in another order of its ops. Storages keep their ids; op ids are positions in the new order.
struct ReorderedGraph {
    Graph graph; ///< `Op::node` still points into the program, whose nodes point to the given graph's ops
    CostTable costs;
    std::vector<OpId> given; ///< per op of `graph`, its id in the given graph
    std::vector<OpId> place; ///< per op of the given graph, its id in `graph`
};

/// Fails with a sentence when `order` is not valid. O(graph).
Expected<ReorderedGraph> reorderGraph(const Graph &graph, const CostTable &costs, const std::vector<OpId> &order);

/// A sequence of computations with each op renamed: by `given` back to the given graph, by `place` into the new one.
std::vector<OpId> renamed(const std::vector<OpId> &sequence, const std::vector<OpId> &names);

} // namespace remat
