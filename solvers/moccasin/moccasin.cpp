#include "solvers/moccasin/moccasin.h"

#include "core/base/units.h"
#include "solvers/checkmate/exact.h"
#include "solvers/incumbent.h"
#include "solvers/search/to_plan.h"

#include <numeric>

namespace remat::moccasin {

namespace {

constexpr int kReheats = 6;

/// The same decisions by annealing; `flat` limits the copies.
SolveOutcome planBySearch(const SolveRequest &request, const SolveContext &context, const FlatGraph &flat,
                          const IntervalOptions &options)
{
    Incumbent incumbent(flat, context, request.budgetBytes);
    incumbent.offer(std::vector<Recompute>{});
    search::SearchSettings settings;
    settings.budgetBytes = request.budgetBytes;
    settings.moves = std::int64_t(1000) * options.thousandMoves;
    settings.seeds = options.seeds;
    settings.reheats = settings.moves > 0 ? kReheats : 0;
    settings.seed = context.seed;
    settings.threads = context.threads;
    settings.enoughUs = search::enoughUs(std::accumulate(flat.timeUs.begin(), flat.timeUs.end(), 0.0), context);
    const search::SearchListener tell = [&](const search::SearchReport &report) {
        if (report.better) incumbent.offer(report.better->set);
        incumbent.setActivity(report.activity, report.done);
    };
    const search::Found found = search::searchPlan(
        flat, search::startSet(flat, request.start.get()), settings, [&] { return context.shouldStop(); }, tell);
    incumbent.offer(found.set);

    SolveOutcome outcome;
    if (!incumbent.found()) {
        outcome.status = context.shouldStop() ? SolveStatus::Stopped : SolveStatus::Infeasible;
        outcome.smallestPeakBytes = incumbent.smallestPeakBytes();
        outcome.message = "No plan that computes each op at most " + formatCount(flat.mostComputations) +
                          " times was found within " + formatBytes(request.budgetBytes, Rounding::Down) +
                          "; the smallest peak is " + formatBytes(outcome.smallestPeakBytes, Rounding::Up) +
                          ". Allow more copies, or raise the budget.";
        return outcome;
    }
    Plan plan;
    plan.steps = withEarliestFrees(*request.graph, incumbent.best());
    outcome.plan = std::move(plan);
    const bool stopped = context.stop && context.stop->stopRequested();
    outcome.status = stopped ? SolveStatus::Stopped : SolveStatus::Feasible;
    return outcome;
}

} // namespace

Expected<SolveOutcome> planIntervals(const SolveRequest &request, const SolveContext &context,
                                     const IntervalOptions &options)
{
    FlatGraph flat = flatten(*request.graph, *request.costs);
    flat.mostComputations = options.copies;
    if (const Expected<void> sizes = search::checkSizes(flat); !sizes) return tl::unexpected(sizes.error());
    if (flat.ops > options.exactOps) return planBySearch(request, context, flat, options);
    checkmate::ExactSettings settings;
    settings.mostComputations = flat.mostComputations;
    SolveOutcome outcome = checkmate::planExactly(request, context, flat, settings);
    if (outcome.status == SolveStatus::Optimal || outcome.status == SolveStatus::Infeasible) {
        const std::string copies = "at most " + formatCount(flat.mostComputations) + " computations of each op";
        outcome.message +=
            outcome.plan ? "The fastest plan with " + copies + "." : " This holds for plans with " + copies + ".";
    }
    return outcome;
}

} // namespace remat::moccasin
