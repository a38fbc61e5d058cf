// SPDX-License-Identifier: Apache-2.0
#include "core/base/units.h"
#include "solvers/checkmate/exact.h"

namespace remat::planner {

namespace {

struct CheckmateOptions {
    int maxOps = 250, passes = 0;
    bool warm = true, pathCuts = true;
};

const OptionTable<CheckmateOptions> &checkmateOptions()
{
    using Options = CheckmateOptions;
    static const OptionTable<Options> table = {
        numberOption(&Options::maxOps, "max-ops", "Largest graph", 1, 2000, "ops",
                     "Graphs with more ops are refused: the program grows with the square of the ops."),
        numberOption(&Options::passes, "passes", "Passes", 0, 8, "",
                     "How often a slot may go through the ops in graph order, if memory within slots matters. 0: three "
                     "times in graphs of up to 20 ops, else once, and more often if once does not fit.",
                     true),
        flagOption(&Options::warm, "warm", "Start from a search",
                   "Gives the program the plan of a short search to beat. Off: it finds its first plan itself, by the "
                   "least memory over the budget.",
                   true),
        flagOption(&Options::pathCuts, "path-cuts", "Path cuts",
                   "Tightens the linear relaxation by rows along chains of recomputations before branching.", true),
    };
    return table;
}

Expected<SolveOutcome> planCheckmate(const SolveRequest &request, const SolveContext &context)
{
    const FlatGraph flat = flatten(*request.graph, *request.costs);
    const CheckmateOptions options = checkmateOptions().read(request.options);
    if (flat.ops > options.maxOps)
        return fail("Checkmate's program grows with the square of the ops, and this graph has {}; it takes "
                    "up to {} (option max-ops). Take hiremate for graphs of this size.",
                    formatCount(flat.ops), formatCount(options.maxOps));
    remat::checkmate::ExactSettings settings;
    settings.passes = options.passes;
    settings.warm = options.warm;
    settings.pathCuts = options.pathCuts;
    settings.story = context.story;
    return remat::checkmate::planExactly(request, context, flat, settings);
}

} // namespace

const Planner &checkmate()
{
    static const Planner planner = {
        .info =
            {
                .name = "checkmate",
                .title = "Checkmate",
                .kind = "exact ILP",
                .text =
                    "The whole graph as one integer program: for every op and every slot between first computations, "
                    "whether it is computed again there. Finds the fastest plan and proves it, on graphs of up to some "
                    "two hundred ops; seconds at 70 ops. When it runs out of time it returns the best plan it has.",
                .source = "Jain, Jain, Nrusimha, Gholami, Abbeel, Keutzer, Stoica, Gonzalez: Checkmate, MLSys 2020",
                .options = checkmateOptions().records(),
                .usesTime = true,
                .tells = true,
            },
        .plan = planCheckmate,
    };
    return planner;
}

} // namespace remat::planner
