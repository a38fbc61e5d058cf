// SPDX-License-Identifier: Apache-2.0
#include "core/base/units.h"
#include "core/plan/simulator.h"
#include "solvers/interface/solver.h"
#include "solvers/online/outcome.h"
#include "solvers/online/policies.h"
#include "solvers/online/scores.h"

#include <fmt/core.h>
#include <optional>
#include <utility>
#include <vector>

namespace remat::planner {

namespace {

using online::Eviction;
using online::ScoreKind;

struct CoopOptions {
    Eviction eviction = Eviction::Window;
    bool partition = true, either = true;
    std::optional<ScoreKind> cost; ///< none: that of the method
    int iterations = 1;
    online::RunOptions run;
};

const OptionTable<CoopOptions> &coopOptions()
{
    static const OptionTable<CoopOptions> table = {
        choiceOption(
            &CoopOptions::eviction, "eviction", "Eviction",
            {{"coop", Eviction::Window}, {"dte", Eviction::SingleWithHoles}, {"dtr", Eviction::Single}},
            "What goes when no free piece is large enough: the cheapest window of neighbours (coop), one tensor after "
            "the other by score, counting free pieces beside it (dte), or not counting them (dtr)."),
        flagOption(&CoopOptions::partition, "partition", "Cheap-tensor partitioning",
                   "Places what convolutions, matrix products and attention make at one end of memory and the rest at "
                   "the other, so that cheap tensors are neighbours. Coop alone does; without it, and for the others, "
                   "the smallest piece that is large enough is taken."),
        flagOption(
            &CoopOptions::either, "either", "Also without partitions",
            "Runs a partitioned Coop without partitions, too, and takes the faster plan. Off: as the paper does.",
            true),
        choiceOption(&CoopOptions::cost, "cost", "Cost of neighbours",
                     {{"of the method", std::nullopt},
                      {"inputs", ScoreKind::Coop},
                      {"around", ScoreKind::DtrEq},
                      {"none", ScoreKind::Local}},
                     "Which evicted tensors add to the cost of evicting another. inputs: those that it is made from, "
                     "as in Coop's code. around: also those that are made from it, as in DTR. none: no others. of the "
                     "method: around for DTR and DTE; Coop runs both, and takes the faster plan.",
                     true),
        numberOption(&CoopOptions::iterations, "iterations", "Iterations", 1, 100, "",
                     "Training steps that are run one after the other over the same addresses; the plan is the last "
                     "one's. From the second step on, outputs of the step before (mostly gradients) hold their places "
                     "until they are made again. Coop makes them in the same place, the others beside the old ones.",
                     true),
        online::runOptions().in(&CoopOptions::run),
    };
    return table;
}

struct Way {
    ScoreKind cost = ScoreKind::Coop;
    bool partition = true;
};

/// What the options leave open is run in every way.
std::vector<Way> waysOf(const CoopOptions &options)
{
    const bool windows = options.eviction == Eviction::Window;
    std::vector<ScoreKind> costs{options.cost.value_or(ScoreKind::DtrEq)};
    if (!options.cost && windows) costs.insert(costs.begin(), ScoreKind::Coop);
    std::vector<bool> partitions{options.partition};
    if (options.partition && options.either && windows) partitions.push_back(false);
    std::vector<Way> ways;
    for (const bool partition : partitions)
        for (const ScoreKind cost : costs)
            ways.push_back({cost, partition});
    return ways;
}

double planUs(const SolveRequest &request, const Plan &plan)
{
    return sequenceCost(*request.graph, *request.costs, computeSequence(plan)).timeUs;
}

SolveOutcome runWith(const SolveRequest &request, const SolveContext &context, const FlatGraph &flat,
                     const CoopOptions &options, std::int64_t budgetBytes, const Way &way)
{
    online::AddressPolicy policy(budgetBytes, options.eviction, way.partition);
    SolveOutcome outcome;
    for (int iteration = 0; iteration < options.iterations; ++iteration) {
        if (iteration > 0) policy.keepOutputs();
        online::Runtime runtime(flat, policy, options.run.thrashLimit, online::Ancestor::GoesAtOnce);
        const auto score = online::makeScore(way.cost, runtime, context.seed);
        policy.setScore(*score);
        const online::RunEnd end = runtime.run([&] { return context.shouldStop(); });
        outcome = online::toOutcome("Coop", request, runtime, end, options.run.earliestFrees);
        if (!outcome.plan) return outcome;
    }
    outcome.message = fmt::format("Free memory that could not be used because it lay in pieces: {} on average when "
                                  "something was evicted, {} at worst.",
                                  formatShare(policy.meanFragmentation()), formatShare(policy.worstFragmentation()));
    return outcome;
}

Expected<SolveOutcome> planCoop(const SolveRequest &request, const SolveContext &context)
{
    const FlatGraph flat = flatten(*request.graph, *request.costs);
    const CoopOptions options = coopOptions().read(request.options);
    const std::vector<Way> ways = waysOf(options);
    return online::withNeighbours(request, context, options.run.neighbours, [&](std::int64_t budgetBytes) {
        SolveOutcome best;
        double bestUs = 0;
        for (const Way &way : ways) {
            SolveOutcome outcome = runWith(request, context, flat, options, budgetBytes, way);
            if (!outcome.plan && best.plan) continue;
            const double us = outcome.plan ? planUs(request, *outcome.plan) : 0;
            if (best.plan && us >= bestUs) continue;
            best = std::move(outcome);
            bestUs = us;
        }
        return best;
    });
}

} // namespace

const Planner &coop()
{
    static const Planner planner = {
        .info =
            {
                .name = "coop",
                .title = "Coop",
                .kind = "online, addresses",
                .text =
                    "As DTR, but memory is a row of addresses as an allocator sees it: to make room, the cheapest run "
                    "of neighbouring tensors goes, so that what is freed is one piece. Reports how much memory was "
                    "free but in pieces too small. DTR and DTE can be run on the same addresses for comparison.",
                .source = "Zhang et al.: Coop: Memory is not a Commodity, NeurIPS 2023",
                .options = coopOptions().records(),
            },
        .plan = planCoop,
    };
    return planner;
}

} // namespace remat::planner
