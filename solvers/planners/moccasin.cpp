// SPDX-License-Identifier: Apache-2.0
#include "solvers/moccasin/moccasin.h"

namespace remat::planner {

namespace {

using remat::moccasin::IntervalOptions;

const OptionTable<IntervalOptions> &moccasinOptions()
{
    using Options = IntervalOptions;
    static const OptionTable<Options> table = {
        numberOption(&Options::copies, "copies", "Copies", 0, remat::moccasin::kMostCopies, "",
                     "How often an op may be computed, its first time included. 0: twice, or as often as the search's "
                     "plan that it starts from does, and more often once the best plan with that is proven, as long as "
                     "it may pay."),
        flagOption(&Options::warm, "warm", "Start from a search",
                   "Gives CP-SAT the plan of a short search to start from. Off: it finds its first plan itself, by the "
                   "least memory over the budget."),
        flagOption(&Options::cuts, "cuts", "Bound of several cuts",
                   "Also asks for the bound of several cuts, which holds for any number of computations and whose best "
                   "choice may be a plan, where the first dive does not end and after each proof. Off: CP-SAT alone.",
                   true),
        numberOption(&Options::thousandMoves, "moves", "Moves", 0, 1'000'000, "thousand",
                     "How many changes each seed of that search tries while it cools down for the first time.", true),
        numberOption(&Options::seeds, "seeds", "Seeds", 1, 64, "",
                     "How many searches run side by side; the best one is the start.", true),
        numberOption(
            &Options::work, "work", "Work", 0, 1'000'000, "",
            "How much CP-SAT may do in a solve, by its own count, which is the same on every machine; one is 3 to 30 "
            "seconds. 0: as much as the time limit allows, and 3 where there is none.",
            true),
    };
    return table;
}

Expected<SolveOutcome> planMoccasin(const SolveRequest &request, const SolveContext &context)
{
    return remat::moccasin::planIntervals(request, context, moccasinOptions().read(request.options));
}

} // namespace

const Planner &moccasin()
{
    static const Planner planner = {
        .info =
            {
                .name = "moccasin",
                .title = "Moccasin",
                .kind = "retention intervals",
                .text = "Lets every tensor be held in a few intervals only, so that each op is computed at most twice, "
                        "more often where it may still pay once that is proven, or as often as said: where each "
                        "interval starts and ends is decided by constraint programming, OR-Tools' CP-SAT, first for "
                        "what fits, then for the least time. Proves its plan on graphs of some hundred ops, and "
                        "improves the plan of a search on larger ones.",
                .source = "Bartan, Li, Teague, Lott, Dilkina: Moccasin: Efficient Tensor Rematerialization for Neural "
                          "Networks, ICML 2023",
                .options = moccasinOptions().records(),
                .usesTime = true,
            },
        .plan = planMoccasin,
    };
    return planner;
}

} // namespace remat::planner
