// SPDX-License-Identifier: Apache-2.0
#include "solvers/bounds/k_cut_whole.h"

#include "solvers/cp/whole_numbers.h"

#include <algorithm>
#include <cmath>

namespace remat {

namespace {

/// What has more columns after fixing gets nowhere in the time that there is.
constexpr int kMostCbcColumns = 6000, kMostCpSatColumns = 10'000;
/// What CBC gets where CP-SAT may follow: it ends small programs within less.
constexpr std::int64_t kFewIterations = 2000;
/// Iterations of the simplex method on these programs, in the time of one unit of CP-SAT's counted work, and of its
/// start.
constexpr double kIterationsPerWork = 20'000;
constexpr std::int64_t kStartIterations = 10'000;

} // namespace

WholeCuts solveWhole(const BoundProblem &problem, const KCutRefined &cuts, double enoughUs, std::int64_t iterations)
{
    ilp::Model model = cuts.program.model;
    const int free = model.columns() - ilp::fixByReducedCosts(model, cuts.relaxation, enoughUs);
    const Expected<cp::Helper> helper = cp::findHelper();
    if (free > (helper ? kMostCpSatColumns : kMostCbcColumns)) return {};
    const std::int64_t few = helper ? std::min(kFewIterations, iterations) : iterations;
    WholeCuts whole = solveWholeByCbc(problem, model, enoughUs, few);
    if (whole.ended || !helper || problem.stopped() || iterations <= kStartIterations) return whole;
    WholeCuts more = solveWholeByCpSat(problem, *helper, model, enoughUs, iterations);
    if (!more.ended && !more.cutShort) return solveWholeByCbc(problem, model, enoughUs, iterations); // it failed
    more.provenUs = std::max(more.provenUs, whole.provenUs);
    more.iterations += whole.iterations;
    return more;
}

WholeCuts solveWholeByCbc(const BoundProblem &problem, const ilp::Model &model, double enoughUs,
                          std::int64_t iterations)
{
    WholeCuts whole;
    ilp::Limits limits;
    limits.stop = problem.stop;
    limits.deadline = problem.deadline;
    limits.iterations = iterations;
    limits.effort = ilp::Effort::Small;
    limits.known = enoughUs;
    // A solve that is cut short may give up nodes on the way out, so that only what it said before counts.
    limits.progress = [&](const ilp::Progress &progress) {
        if (std::isfinite(progress.bound)) whole.provenUs = std::max(whole.provenUs, progress.bound);
    };
    const ilp::Solution solution = ilp::solve(model, limits);
    whole.iterations = solution.iterations;
    whole.cutShort = problem.stopped() || solution.iterations >= iterations;
    whole.ended =
        !whole.cutShort && (solution.status == ilp::Status::Optimal || solution.status == ilp::Status::Infeasible);
    if (!whole.cutShort) whole.provenUs = std::max(whole.provenUs, solution.bound);
    if (solution.status == ilp::Status::Infeasible) whole.provenUs = enoughUs;
    whole.provenUs = std::min(whole.provenUs, enoughUs);
    if (whole.ended) whole.x = solution.x;
    return whole;
}

WholeCuts solveWholeByCpSat(const BoundProblem &problem, const cp::Helper &helper, const ilp::Model &model,
                            double enoughUs, std::int64_t iterations)
{
    WholeCuts whole;
    const cp::WholeNumbers numbers = cp::inWholeNumbers(model, enoughUs);
    cp::CpLimits limits;
    limits.stop = problem.stop;
    limits.deadline = problem.deadline;
    limits.strategy = cp::Strategy::Branching;
    if (problem.counted()) limits.work = static_cast<double>(iterations - kStartIterations) / kIterationsPerWork;
    limits.progress = [&](const cp::CpProgress &progress) {
        if (progress.x) whole.x.assign(progress.x->begin(), progress.x->end());
    };
    const cp::CpSolution solution = cp::solve(helper, numbers.model, limits);
    whole.iterations = kStartIterations + static_cast<std::int64_t>(solution.work * kIterationsPerWork);
    const bool none = solution.status == cp::CpStatus::Infeasible;
    whole.ended = none || solution.status == cp::CpStatus::Optimal;
    whole.cutShort = !whole.ended && solution.status != cp::CpStatus::Failed;
    whole.provenUs = none ? enoughUs : std::min(solution.bound * numbers.unit, enoughUs);
    if (!whole.ended) whole.x.clear();
    return whole;
}

} // namespace remat
