// SPDX-License-Identifier: Apache-2.0
#include "solvers/ilp/cbc.h"

#include "solvers/ilp/helper_process.h"
#include "solvers/ilp/in_process.h"

#include <optional>
#include <utility>

namespace remat::ilp {

namespace {

/// CBC was only told the cost of the start, as a cutoff: what is not better than that it calls infeasible.
Solution withStart(const Model &model, const Limits &limits, Solution solution)
{
    if (limits.start.empty() || solution.found() || objectiveOf(model, limits.start) > limits.known) return solution;
    solution.x = limits.start;
    solution.objective = objectiveOf(model, limits.start);
    if (solution.status == Status::Infeasible) solution.bound = solution.objective;
    solution.status = solution.status == Status::Infeasible ? Status::Optimal : Status::Feasible;
    return solution;
}

/// Small solves would be over before a process has started.
Solution solveWhereItIsSafe(const Model &model, const Limits &limits)
{
    if (limits.effort == Effort::Small) return solveInProcess(model, limits);
    std::optional<Solution> solution = solveInHelper(model, limits);
    if (solution && solution->status == Status::Failed && limits.effort == Effort::Full) {
        Limits again = limits;
        again.effort = Effort::AsIs;
        if (std::optional<Solution> second = solveInHelper(model, again)) solution = std::move(second);
    }
    return solution ? *std::move(solution) : solveInProcess(model, limits);
}

} // namespace

Solution solve(const Model &model, const Limits &limits)
{
    Limits checked = limits;
    if (!checked.start.empty() && violation(model, checked.start) > kTolerance) checked.start.clear();
    Solution solution = solveWhereItIsSafe(model, checked);
    // A cutoff lets equal ones through.
    if (solution.found() && solution.objective > limits.known - 1e-9)
        solution = {Status::Infeasible, {}, kInfinity, solution.bound, solution.iterations};
    return withStart(model, checked, std::move(solution));
}

} // namespace remat::ilp
