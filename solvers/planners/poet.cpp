// SPDX-License-Identifier: Apache-2.0
#include "solvers/poet/poet.h"

namespace remat::planner {

namespace {

const OptionTable<remat::poet::PoetSettings> &poetOptions()
{
    using Options = remat::poet::PoetSettings;
    static const OptionTable<Options> table = {
        choiceOption(&Options::energy, "objective", "Objective", {{"time", false}, {"energy", true}},
                     "What is to be least: time, or the energy of computations and copies, for devices whose file has "
                     "energy figures."),
        numberOption(&Options::overheadLimitPercent, "overhead-limit", "Overhead limit", 0, 10000, "%",
                     "Plans may take at most this much longer than keep-all; 0 sets no limit."),
        numberOption(&Options::runs, "runs", "Runs", 2, 100, "",
                     "Into about how many runs of ops a larger graph is merged; more is finer and takes much longer.",
                     true),
        numberOption(&Options::thousandIterations, "work", "Work", 1, 1'000'000, "thousand iterations",
                     "How much one program may take, in iterations of the simplex method: a limit that is the same on "
                     "every machine. Programs of more than 60 columns per thousand are not tried, and windows get a "
                     "tenth.",
                     true),
        parametersOption().in(&Options::parameters),
    };
    return table;
}

Expected<SolveOutcome> planPoet(const SolveRequest &request, const SolveContext &context)
{
    return remat::poet::plan(request, context, poetOptions().read(request.options));
}

} // namespace

const Planner &poet()
{
    static const Planner planner = {
        .info =
            {
                .name = "poet",
                .title = "POET",
                .kind = "ILP with paging",
                .text = "Decides by one 0/1 program what is computed again and what is paged to host memory. For "
                        "energy the program is on single ops, and the plan is proven to take least where it is solved; "
                        "larger graphs are merged into runs of ops first, then improved exactly by the few. It starts "
                        "from the plans of POFO, Rotor and Checkmate. For time the link's bandwidth is in the program, "
                        "over runs of ops. Either way the simulator judges the limit on time, and copies take the "
                        "link's time there, which the original leaves out.",
                .source = "Patil, Jain, Dutta, Stoica, Gonzalez: POET: Training Neural Networks on Tiny Devices with "
                          "Integrated Rematerialization and Paging, ICML 2022",
                .options = poetOptions().records(),
                .usesTime = true,
                .offloads = true,
            },
        .plan = planPoet,
    };
    return planner;
}

} // namespace remat::planner
