// Several cuts together, with whole storages.
#include "core/bounds/plan_bound.h"
#include "core/plan/simulator.h"
#include "solvers/bounds/bound_method.h"
#include "solvers/bounds/k_cut_refine.h"

#include <algorithm>
#include <cmath>

namespace remat::boundMethod {

namespace {

/// Of the objective, for CBC's tolerances.
constexpr double kObjectiveSlack = 1e-7;
/// CBC gets nowhere in the time that there is on what has more columns after fixing.
constexpr int kMostColumns = 6000;

/// Added time of the plan; infinite when there is none that counts.
double addedByPlan(const BoundProblem &problem)
{
    if (!problem.plan || kindOfPlan(problem.graph, *problem.plan) != HoldsFor::GivenOrder) return ilp::kInfinity;
    const Expected<Simulation> simulation = simulate(problem.graph, problem.costs, problem.plan->steps);
    if (!simulation || simulation->peakBytes > problem.budgetBytes) return ilp::kInfinity;
    return simulation->timeUs - neededTimeUs(needsOf(problem.graph), problem.costs);
}

std::optional<TimeBound> runKCutMilp(const BoundProblem &problem, BoundsSoFar &soFar)
{
    if (!soFar.cuts || soFar.cuts->relaxation.status != ilp::Status::Optimal) return {};
    const double leastUs = std::max(soFar.best.extraUs, soFar.cuts->relaxation.bound);
    // What is no better than the plan is of no interest, so that much of the program is decided before it is solved.
    const double knownUs = addedByPlan(problem);
    if (knownUs <= leastUs * (1 + kObjectiveSlack)) return {};
    ilp::Model model = soFar.cuts->program.model;
    const int fixed = ilp::fixByReducedCosts(model, soFar.cuts->relaxation, knownUs);
    if (model.columns() - fixed > kMostColumns) return {};
    ilp::Limits limits;
    limits.stop = problem.stop;
    limits.deadline = problem.deadline;
    limits.iterations = problem.iterations;
    limits.effort = ilp::Effort::Small;
    limits.known = knownUs;
    // A solve that is cut short may give up nodes on the way out, so that only what it said before counts.
    double provenUs = 0;
    limits.progress = [&](const ilp::Progress &progress) {
        if (std::isfinite(progress.bound)) provenUs = std::max(provenUs, progress.bound);
    };
    const ilp::Solution solution = ilp::solve(model, limits);
    soFar.iterations += solution.iterations;
    const bool cutShort = problem.stopped() || solution.iterations >= problem.iterations;
    if (!cutShort) provenUs = std::max(provenUs, solution.bound);
    if (solution.status == ilp::Status::Infeasible) provenUs = knownUs;
    provenUs = std::min(provenUs, knownUs);
    return timeBoundOf(problem, "K-cut MILP", provenUs * (1 - kObjectiveSlack), soFar.best.cut);
}

} // namespace

const BoundMethod &k_cut_milp()
{
    static const BoundMethod method = {"K-cut MILP",
                                       "whole chains of recomputations at several ops",
                                       "Jain et al., MLSys 2020, on some slots; branch and cut",
                                       50,
                                       false,
                                       runKCutMilp};
    return method;
}

} // namespace remat::boundMethod
