// SPDX-License-Identifier: Apache-2.0
// What does not fit beside one op must be computed again.
#include "solvers/bounds/bound_method.h"

namespace remat::boundMethod {

const BoundMethod &cut_knapsack()
{
    static const BoundMethod method = {"cut-knapsack",
                                       "whole storages at one op",
                                       "Pisinger 1997 for the knapsacks",
                                       20,
                                       true,
                                       [](const BoundProblem &problem, BoundsSoFar &) -> std::optional<TimeBound> {
                                           return cutKnapsackBound(problem.graph, problem.costs, problem.budgetBytes, 0,
                                                                   problem.stopCheck());
                                       }};
    return method;
}

} // namespace remat::boundMethod
