// SPDX-License-Identifier: Apache-2.0
#include "solvers/offload/offmate.h"
#include "solvers/offload/greedy.h"
#include "solvers/offload/parameters.h"
#include "solvers/search/to_plan.h"

#include <algorithm>

namespace remat::planner {

namespace {

/// Shares of the time that is left: for POFO, and for recomputation alone.
constexpr double kPofoShare = 0.25, kAloneShare = 0.2;
/// Longest for either where there is no time limit.
constexpr double kMostOffmateSeconds = 120;

struct OffmateOptions {
    int levels = 10, movesPerOp = 10, parts = 12, tries = 400;
    bool pofo = true;
    ParameterOptions parameters;
};

const OptionTable<OffmateOptions> &offmateOptions()
{
    using Options = OffmateOptions;
    static const OptionTable<Options> table = {
        parametersOption().in(&Options::parameters),
        numberOption(&Options::tries, "tries", "Plans tried", 1, 1'000'000, "",
                     "How many combinations are made plans and timed at most; more is better and slower."),
        numberOption(&Options::parts, "parts", "Parts", 1, 200, "",
                     "Into how many parts the forward pass is cut. Each has its own share of recomputation, and its "
                     "results may leave the device or not.",
                     true),
        numberOption(&Options::levels, "levels", "Levels", 1, 100, "",
                     "For how many amounts of memory recomputation is searched for; parts choose among them.", true),
        numberOption(&Options::movesPerOp, "moves", "Moves", 0, 10000, "per op",
                     "How many changes each of these searches tries for every op of the graph.", true),
        flagOption(&Options::pofo, "pofo", "Start from POFO", "POFO's plan is one of those to start from.", true),
    };
    return table;
}

/// Greedy offloading of both kinds, which computes nothing again.
Expected<void> offerPaging(const SolveRequest &request, const SolveContext &context, offload::Candidates &candidates)
{
    if (const auto offered = candidates.offer({}, {}); !offered) return offered;
    const auto once = offload::planGreedily(request, context, {true, 0}, {});
    if (!once) return tl::unexpected(once.error());
    if (once->plan) return candidates.offer(once->plan->steps);
    return {};
}

/// Recomputation under what resident parameters leave.
Expected<void> offerRecomputation(const FlatGraph &flat, const SolveRequest &request, const SolveContext &context,
                                  offload::Candidates &candidates, std::vector<std::vector<Recompute>> &first)
{
    remat::search::SearchSettings settings;
    settings.budgetBytes = request.budgetBytes - offload::plannedParameterBytes(*request.graph);
    if (settings.budgetBytes <= 0 || context.shouldStop()) return {};
    settings.seed = context.seed;
    settings.threads = context.threads;
    settings.enoughUs = remat::search::enoughUs(keepAllTimeUs(*request.costs), context);
    const remat::search::Found found = remat::search::searchPlan(
        flat, remat::search::startSet(flat, request.start.get()), settings, context.stopCheck(kAloneShare));
    if (found.fits) first.push_back(found.set);
    const std::vector<char> nothing(static_cast<std::size_t>(flat.storages()), 0);
    return found.fits ? candidates.offer(found.set, nothing) : Expected<void>();
}

Expected<void> offerPofo(const FlatGraph &flat, const SolveRequest &request, const SolveContext &context,
                         offload::Candidates &candidates, std::vector<std::vector<Recompute>> &first)
{
    if (flat.forwardOps >= flat.ops || context.shouldStop()) return {};
    const Planner &pofo = **findPlanner("pofo");
    SolveRequest toPofo = request;
    toPofo.options = *makeOptions(pofo.info.options, {});
    SolveContext within = context;
    within.deadline = Deadline(std::min(kPofoShare * context.deadline.secondsLeft(), kMostOffmateSeconds));
    within.progress = nullptr;
    within.story = nullptr;
    try {
        const auto outcome = pofo.plan(toPofo, within);
        // What is no chain for POFO is none of our business.
        if (!outcome || !outcome->plan) return {};
        first.push_back(toRecomputes(flat, computeSequence(*outcome->plan)));
        return candidates.offer(outcome->plan->steps);
    } catch (const TimeUp &) {
        return {};
    }
}

Expected<SolveOutcome> planOffmate(const SolveRequest &request, const SolveContext &context)
{
    const Graph bare = offload::withResidentParameters(*request.graph);
    const FlatGraph flat = flatten(bare, *request.costs);
    if (const auto sizes = remat::search::checkSizes(flat); !sizes) return tl::unexpected(sizes.error());
    const OffmateOptions options = offmateOptions().read(request.options);
    offload::Candidates candidates(flat, request, context, {});
    std::vector<std::vector<Recompute>> first;
    if (const auto done = offerPaging(request, context, candidates); !done) return tl::unexpected(done.error());
    if (const auto done = offerRecomputation(flat, request, context, candidates, first); !done)
        return tl::unexpected(done.error());
    if (options.pofo)
        if (const auto done = offerPofo(flat, request, context, candidates, first); !done)
            return tl::unexpected(done.error());
    const offload::OffmateSettings settings{request.budgetBytes, options.levels, options.movesPerOp, options.parts,
                                            options.tries};
    if (const auto done = offload::offerCombinations(flat, request, context, settings, first, candidates); !done)
        return tl::unexpected(done.error());
    return candidates.outcome("combination of recomputation and paging that was tried", "Raise the budget.");
}

} // namespace

const Planner &offmate()
{
    static const Planner planner = {
        .info =
            {
                .name = "offmate",
                .title = "OffMate-like",
                .kind = "recomputation with paging",
                .text =
                    "Decides together what is computed again and what waits in host memory: activations, gradients, "
                    "and, where parameters are planned, weights and states of the optimizer. For training steps whose "
                    "weights and states do not fit. Never slower than greedy offloading or recomputation alone.",
                .source = "OffMate-like: Zhao, Eyraud-Dubois, Le Hellard, Gusak, Beaumont: OffMate: full fine-tuning "
                          "of LLMs on a single GPU by re-materialization and offloading, 2024. The authors solve an "
                          "integer program; here it is a search over plans that the simulator times",
                .options = offmateOptions().records(),
                .usesTime = true,
                .offloads = true,
            },
        .plan = planOffmate,
    };
    return planner;
}

} // namespace remat::planner
