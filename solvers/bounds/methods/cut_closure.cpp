// SPDX-License-Identifier: Apache-2.0
// What does not fit beside one op must be computed again, with all that this needs.
#include "solvers/bounds/bound_method.h"

namespace remat::boundMethod {

const BoundMethod &cut_closure()
{
    static const BoundMethod method = {"cut-closure",
                                       "chains of recomputations at one op",
                                       "Picard 1976 for the closures",
                                       10,
                                       true,
                                       [](const BoundProblem &problem, BoundsSoFar &soFar) -> std::optional<TimeBound> {
                                           soFar.closure = cutClosure(problem.graph, problem.costs, problem.budgetBytes,
                                                                      problem.stopCheck());
                                           return soFar.closure.bound;
                                       }};
    return method;
}

} // namespace remat::boundMethod
