// SPDX-License-Identifier: Apache-2.0
// One order of first computations, with the best that was found in it.
#pragma once

#include "core/bounds/bounds.h"
#include "core/costs/reorder.h"
#include "solvers/search/search.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace remat {

struct KCutRefined;

} // namespace remat

namespace remat::portfolio {

/// Lines are searched side by side: the graph as it was given, and the same graph in other orders. Stays where it is
/// once made, since `flat` points into it.
struct Line {
    std::optional<ReorderedGraph> reordered; ///< none: the given order
    FlatGraph flat;
    search::Found best;
    std::optional<TimeBound> bound; ///< for plans in this order, where it is not the given one and it was proven here
    double boundedAtUs = -1;        ///< added time of the plan for which a bound was looked for last
    std::int64_t boundedWith = 0;   ///< iterations that each program had then; the most there are: all ran to the end
    std::shared_ptr<const KCutRefined> cuts; ///< cuts of the last bound of this order; may be none
    int gainless = 0;                        ///< rounds of annealing since the last gain
    int rounds = 0;                          ///< rounds of annealing so far
    int lowerings = 0;                       ///< attempts at a lower peak so far

    /// The computations of a set of this line, with the ops of the given graph.
    std::vector<OpId> sequence(const std::vector<Recompute> &set) const
    {
        std::vector<OpId> steps = toSequence(flat, set);
        return reordered ? renamed(steps, reordered->given) : steps;
    }
};

std::unique_ptr<Line> givenLine(const Graph &graph, const CostTable &costs);
/// None when the order is not valid.
std::unique_ptr<Line> otherLine(const Graph &graph, const CostTable &costs, const std::vector<OpId> &order);

} // namespace remat::portfolio
