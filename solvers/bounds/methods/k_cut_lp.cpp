// SPDX-License-Identifier: Apache-2.0
// Several cuts together, in parts.
#include "core/plan/simulator.h"
#include "solvers/bounds/bound_method.h"
#include "solvers/bounds/k_cut_refine.h"

#include <algorithm>

namespace remat::boundMethod {

namespace {

/// Cuts are taken where a plan holds so much of the budget.
constexpr double kTight = 0.95;
constexpr std::size_t kFirstCuts = 12;

/// First computations of needed ops at which the plan comes near the budget.
std::vector<OpId> tightPlaces(const BoundProblem &problem, const std::vector<char> &needed)
{
    std::vector<OpId> places;
    const Expected<Simulation> simulation = simulate(problem.graph, problem.costs, problem.plan->steps);
    if (!simulation) return places;
    std::vector<char> seen(problem.graph.ops.size(), 0);
    for (std::size_t i = 0; i < problem.plan->steps.size(); ++i) {
        const Step &step = problem.plan->steps[i];
        if (step.kind != StepKind::Compute || seen[step.op.index()]) continue;
        seen[step.op.index()] = 1;
        const double held = static_cast<double>(simulation->steps[i].heldBytes);
        if (needed[step.op.index()] && held >= kTight * static_cast<double>(problem.budgetBytes))
            places.push_back(step.op);
    }
    return places;
}

/// At most `count` of the places, evenly, and `must` among them.
std::vector<OpId> evenly(std::vector<OpId> places, std::size_t count, OpId must)
{
    std::sort(places.begin(), places.end());
    std::vector<OpId> chosen;
    for (std::size_t i = 0; i < std::min(count, places.size()); ++i)
        chosen.push_back(places[(2 * i + 1) * places.size() / (2 * std::min(count, places.size()))]);
    if (must && !std::binary_search(chosen.begin(), chosen.end(), must))
        chosen.insert(std::lower_bound(chosen.begin(), chosen.end(), must), must);
    return chosen;
}

std::optional<TimeBound> runKCutLp(const BoundProblem &problem, BoundsSoFar &soFar)
{
    const Needs needs = needsOf(problem.graph);
    std::vector<OpId> places = cutsOverBudget(problem.graph, problem.costs, needs, problem.budgetBytes);
    if (places.empty() || problem.graph.parametersPlanned) return {};
    if (problem.plan)
        if (const std::vector<OpId> tight = tightPlaces(problem, needs.op); tight.size() > 1) places = tight;

    soFar.cuts = problem.before;
    if (!soFar.cuts || soFar.cuts->cutShort) {
        std::optional<KCutRefined> refined; // fewer cuts where the program is too large
        for (std::size_t count = kFirstCuts; count >= 1 && !refined && !problem.stopped(); count /= 2)
            refined = refineCuts(problem, evenly(places, count, soFar.best.cut));
        if (!refined) return {};
        soFar.iterations += refined->iterations;
        soFar.cuts = std::make_shared<const KCutRefined>(std::move(*refined));
    }
    const ilp::Relaxation &relaxation = soFar.cuts->relaxation;
    const bool none = relaxation.status == ilp::Status::Infeasible;
    TimeBound bound = none ? timeBoundOf(problem, "K-cut LP", 0, {})
                           : timeBoundOf(problem, "K-cut LP", relaxation.bound, soFar.best.cut);
    bound.infeasible = none;
    return bound;
}

} // namespace

const BoundMethod &k_cut_lp()
{
    static const BoundMethod method = {"K-cut LP",
                                       "chains of recomputations at several ops, in parts",
                                       "Jain et al., MLSys 2020, on some slots",
                                       30,
                                       false,
                                       runKCutLp};
    return method;
}

} // namespace remat::boundMethod
