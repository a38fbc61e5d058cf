// SPDX-License-Identifier: Apache-2.0
#include "core/base/memory_units.h"
#include "core/bounds/bounds.h"
#include "solvers/interface/solver.h"
#include "solvers/search/search_story.h"
#include "solvers/search/to_plan.h"

#include <fmt/core.h>
#include <numeric>

namespace remat::planner {

namespace {

struct SearchOptions {
    int moves = 300, seeds = 2, reheats = 6;
};

const OptionTable<SearchOptions> &searchOptions()
{
    using Options = SearchOptions;
    static const OptionTable<Options> table = {
        numberOption(&Options::moves, "moves", "Moves", 0, 1'000'000, "thousand",
                     "How many changes each seed tries while it cools down for the first time; more is better and "
                     "slower. 0 leaves the plan as the greedy made it."),
        numberOption(&Options::seeds, "seeds", "Seeds", 1, 64, "",
                     "How many searches run side by side, on as many threads as there are; the best one wins."),
        numberOption(&Options::reheats, "reheats", "Re-heats", 0, 1000, "",
                     "How many shorter searches start from the best plan afterwards.", true),
    };
    return table;
}

std::optional<Plan> firstPlanSearch(const SolveRequest &request, const SolveContext &context)
{
    if (searchOptions().read(request.options).moves == 0) return {}; // its own plan is the greedy's
    return remat::search::greedyFirstPlan(request, context);
}

Expected<SolveOutcome> planSearch(const SolveRequest &request, const SolveContext &context)
{
    const FlatGraph flat = flatten(*request.graph, *request.costs);
    if (const Expected<void> sizes = remat::search::checkSizes(flat); !sizes) return tl::unexpected(sizes.error());
    const double keepAllUs = std::accumulate(flat.timeUs.begin(), flat.timeUs.end(), 0.0);
    const SearchOptions options = searchOptions().read(request.options);
    remat::search::SearchSettings settings;
    settings.budgetBytes = request.budgetBytes;
    settings.moves = std::int64_t(1000) * options.moves;
    settings.seeds = options.seeds;
    settings.reheats = settings.moves > 0 ? options.reheats : 0;
    settings.seed = context.seed;
    settings.threads = context.threads;
    settings.enoughUs = remat::search::enoughUs(keepAllUs, context);
    std::optional<remat::search::SearchStory> story;
    if (context.story) settings.story = &story.emplace(*context.story, flat);

    double bestUs = -1;
    const auto tell = [&](const remat::search::SearchReport &report) {
        if (!context.progress) return;
        SolveProgress progress;
        progress.activity = report.activity;
        progress.fraction = report.done;
        progress.boundTimeUs = context.boundTimeUs;
        if (report.better) {
            bestUs = keepAllUs + report.better->extraUs;
            progress.incumbent = std::make_shared<Plan>(remat::search::planOf(flat, report.better->set));
        }
        progress.incumbentTimeUs = bestUs;
        context.progress(progress);
    };
    const remat::search::Found found = remat::search::searchPlan(
        flat, remat::search::startSet(flat, request.start.get()), settings, [&] { return context.shouldStop(); }, tell);

    if (story) story->finish(found, settings.enoughUs);
    SolveOutcome outcome;
    if (!found.fits) {
        outcome.status = context.shouldStop() ? SolveStatus::Stopped : SolveStatus::Infeasible;
        outcome.smallestPeakBytes = found.peakBytes;
        outcome.message = fmt::format("No plan within the budget was found in the graph's own order; the smallest peak "
                                      "reached is {}. The largest op alone needs {}.",
                                      formatMemory(found.peakBytes),
                                      formatMemory(workingSetBound(*request.graph, *request.costs).bytes));
        return outcome;
    }
    outcome.status = context.shouldStop() ? SolveStatus::Stopped : SolveStatus::Feasible;
    outcome.plan = remat::search::planOf(flat, found.set);
    return outcome;
}

} // namespace

const Planner &search()
{
    static const Planner planner = {
        .info =
            {
                .name = "search",
                .title = "Search",
                .kind = "annealing",
                .text = "Searches over sets of recomputations of the whole graph, in its own order: a greedy with "
                        "chain closure gives a plan in milliseconds, simulated annealing with an incremental memory "
                        "profile improves it. Near the proven bound within seconds on graphs of some thousand ops.",
                .source = "Kirisame et al.: Dynamic Tensor Rematerialization, ICLR 2021 (drops with their closure); "
                          "Kirkpatrick, Gelatt, Vecchi: Optimization by Simulated Annealing, Science 1983",
                .options = searchOptions().records(),
                .usesTime = true,
                .tells = true,
            },
        .plan = planSearch,
        .firstPlan = firstPlanSearch,
    };
    return planner;
}

} // namespace remat::planner
