// SPDX-License-Identifier: Apache-2.0
// The linear relaxation of the whole-graph program.
#include "solvers/bounds/bound_method.h"
#include "solvers/checkmate/relaxation.h"

namespace remat::boundMethod {

namespace {

/// Half a minute beyond it, and the time grows with the third power.
constexpr std::size_t kMaxOps = 320;

std::optional<TimeBound> runCheckmateLp(const BoundProblem &problem, BoundsSoFar &)
{
    if (problem.counted() || problem.graph.ops.size() > kMaxOps || problem.graph.parametersPlanned) return {};
    const FlatGraph flat = flatten(problem.graph, problem.costs);
    std::vector<char> leftOut = needsOf(problem.graph).op;
    for (char &out : leftOut)
        out = out ? 0 : 1;
    ilp::Limits limits;
    limits.stop = problem.stop;
    limits.deadline = problem.deadline;
    const checkmate::RelaxationBound found = checkmate::relaxationBound(flat, problem.budgetBytes, leftOut, limits);
    if (!found.finished && found.extraUs <= 0) return {};
    TimeBound bound = timeBoundOf(problem, "Checkmate LP", found.extraUs, {});
    bound.infeasible = found.infeasible;
    return bound;
}

} // namespace

const BoundMethod &checkmate_lp()
{
    static const BoundMethod method = {
        "Checkmate LP", "all ops together, in parts", "Jain et al., MLSys 2020", 60, false, runCheckmateLp};
    return method;
}

} // namespace remat::boundMethod
