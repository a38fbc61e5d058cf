// SPDX-License-Identifier: Apache-2.0
#include "solvers/checkmate/rounding.h"

namespace remat::planner {

namespace {

using remat::checkmate::RoundingOptions;
using remat::checkmate::RoundingWay;

const OptionTable<RoundingOptions> &checkmateLpOptions()
{
    using Options = RoundingOptions;
    static const OptionTable<Options> table = {
        choiceOption(&Options::way, "rounding", "Rounding",
                     {{"both", RoundingWay::Both},
                      {"deterministic", RoundingWay::Deterministic},
                      {"randomised", RoundingWay::Randomised}},
                     "Deterministic rounds up from each of nine thresholds, randomised holds each storage with "
                     "the probability that the relaxation gives it; the fastest plan that fits is taken."),
        numberOption(&Options::samples, "samples", "Samples", 1, 10000, "", "How many randomised roundings."),
        numberOption(&Options::allowancePercent, "allowance", "Allowance", 0, 50, "%",
                     "How much smaller the relaxation's budget is at first, since rounding needs room; grows step by "
                     "step while nothing fits."),
        numberOption(&Options::stepPercent, "step", "Step", 0.5, 20, "%",
                     "By how much the allowance grows. Rounded plans differ by leaps from one allowance to the next. "
                     "So smaller steps, with the option every, find much better plans and take as much longer.",
                     true),
        flagOption(
            &Options::every, "every", "Every allowance",
            "Goes on to larger allowances when a plan fits, up to 70 %, and takes the fastest: slower by as many "
            "relaxations, and often much better."),
        choiceOption(&Options::fineSlots, "slots", "Slots", {{"coarse", false}, {"fine", true}},
                     "Whether the relaxation looks at memory while ops are computed again (fine, some ten times "
                     "slower) or only at first computations (coarse).",
                     true),
        numberOption(&Options::maxOps, "max-ops", "Largest graph", 1, 2000, "ops",
                     "Graphs with more ops are refused: the relaxation grows with the square of the ops."),
    };
    return table;
}

Expected<SolveOutcome> planCheckmateLp(const SolveRequest &request, const SolveContext &context)
{
    return remat::checkmate::planByRounding(request, context, checkmateLpOptions().read(request.options));
}

} // namespace

const Planner &checkmate_lp()
{
    static const Planner planner = {
        .info =
            {
                .name = "checkmate-lp",
                .title = "Checkmate, LP rounding",
                .kind = "LP rounding",
                .text = "The linear relaxation of Checkmate's program at a smaller budget; what is held is rounded, "
                        "what is missing then is computed again. Quicker than the exact program and not far from it at "
                        "loose budgets. The budget is kept: while no rounded plan fits, the relaxation is solved for "
                        "less memory.",
                .source = "Jain, Jain, Nrusimha, Gholami, Abbeel, Keutzer, Stoica, Gonzalez: Checkmate, MLSys 2020, "
                          "section 5",
                .options = checkmateLpOptions().records(),
                .usesTime = true,
            },
        .plan = planCheckmateLp,
    };
    return planner;
}

} // namespace remat::planner
