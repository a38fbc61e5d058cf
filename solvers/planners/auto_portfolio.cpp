// SPDX-License-Identifier: Apache-2.0
#include "solvers/portfolio/portfolio.h"
#include "solvers/search/to_plan.h"

#include <algorithm>

namespace remat::planner {

namespace {

struct AutoOptions {
    int effort = 100, rounds = 30, seeds = 2;
    bool reorder = true, useTime = true, hiremate = true;
    ParameterOptions parameters;
};

const OptionTable<AutoOptions> &autoOptions()
{
    using Options = AutoOptions;
    static const OptionTable<Options> table = {
        numberOption(&Options::effort, "effort", "Tries for each op", 1, 100'000, "",
                     "How long it searches: how many changes of the plan it tries for each op of the graph. More is "
                     "better and slower; the time limit ends it in any case."),
        numberOption(&Options::rounds, "rounds", "Rounds", 0, 100'000, "",
                     "How many further searches start from the best plan so far; they end earlier when nothing is "
                     "gained any more.",
                     true),
        numberOption(&Options::seeds, "seeds", "Seeds", 1, 64, "",
                     "How many searches run side by side, on as many threads as there are; the best one wins.", true),
        flagOption(&Options::reorder, "reorder", "Reorder",
                   "Also tries to compute ops in another order than the model does, which may need less memory, and "
                   "keeps what is better. Such plans get a proven limit of their own.",
                   true),
        flagOption(&Options::useTime, "use-time", "Use the time",
                   "Goes on until the time limit while the plan may still be more than 1 % away from the best there "
                   "is. Off: ends when nothing was gained for long.",
                   true),
        flagOption(&Options::hiremate, "hiremate", "Use HiRemate",
                   "Also runs HiRemate, for a part of the time, where searching stays away from the proven limit.",
                   true),
        parametersOption().advanced().in(&Options::parameters),
    };
    return table;
}

/// Weights that may leave the device and updates on the host are nothing for plans that only compute again.
bool needsCopies(const Graph &graph)
{
    return graph.parametersPlanned ||
           std::any_of(graph.ops.begin(), graph.ops.end(), [](const Op &op) { return op.onHost; });
}

std::optional<Plan> firstPlanAuto(const SolveRequest &request, const SolveContext &context)
{
    if (needsCopies(*request.graph)) return std::nullopt;
    return remat::search::greedyFirstPlan(request, context);
}

Expected<SolveOutcome> planAuto(const SolveRequest &request, const SolveContext &context)
{
    if (needsCopies(*request.graph)) {
        const Planner &offmate = **findPlanner("offmate");
        SolveRequest toOffmate = request;
        toOffmate.options = *makeOptions(offmate.info.options, {});
        return offmate.plan(toOffmate, context);
    }
    const FlatGraph flat = flatten(*request.graph, *request.costs);
    if (const Expected<void> sizes = remat::search::checkSizes(flat); !sizes) return tl::unexpected(sizes.error());
    const AutoOptions options = autoOptions().read(request.options);
    portfolio::PortfolioSettings settings;
    settings.effort.movesPerOp = options.effort;
    settings.effort.rounds = options.rounds;
    settings.effort.seeds = options.seeds;
    settings.reorder = options.reorder && !request.givenOrder;
    settings.useTime = options.useTime;
    settings.hiremate = options.hiremate;
    return portfolio::run(request, context, settings);
}

} // namespace

const Planner &auto_portfolio()
{
    static const Planner planner = {
        .info =
            {
                .name = "auto",
                .title = "Automatic",
                .kind = "recommended",
                .text = "The one to take when in doubt. Shows a checked plan at once and improves it until the time is "
                        "up, no plan can be faster, or nothing is gained any more. Says in the end what gained how "
                        "much. With parameters planned, or updates on the host, it is the planner offmate.",
                .source = "Several planners in turn, and the best plan of all: Gomes and Selman, Algorithm Portfolios, "
                          "Artificial Intelligence 2001",
                .options = autoOptions().records(),
                .usesTime = true,
            },
        .plan = planAuto,
        .firstPlan = firstPlanAuto,
    };
    return planner;
}

} // namespace remat::planner
