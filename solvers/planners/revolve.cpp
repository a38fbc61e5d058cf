// SPDX-License-Identifier: Apache-2.0
#include "solvers/chain/revolve.h"
#include "solvers/chain/plan_chain.h"

namespace remat::planner {

namespace {

struct RevolveOptions {
    chain::StageOptions cut;
    int snapshots = 0;
};

const OptionTable<RevolveOptions> &revolveOptions()
{
    static const OptionTable<RevolveOptions> table = {
        chain::stageOptions().in(&RevolveOptions::cut),
        numberOption(&RevolveOptions::snapshots, "snapshots", "Snapshots", 0, 400, "",
                     "How many inputs of stages are held at once, that of the first stage included; 0 takes the most "
                     "that fit."),
    };
    return table;
}

Expected<SolveOutcome> planRevolve(const SolveRequest &request, const SolveContext &context)
{
    const RevolveOptions options = revolveOptions().read(request.options);
    return chain::planByNumber(request, context, options.cut,
                               {"Revolve", "number of snapshots", options.snapshots, chain::revolveSchedule});
}

} // namespace

const Planner &revolve()
{
    static const Planner planner = {
        .info =
            {
                .name = "revolve",
                .title = "Revolve",
                .kind = "checkpointing",
                .text = "Binomial checkpointing: merges the graph into a chain of stages, takes them as equal, and "
                        "holds inputs of stages only, placed so that the fewest stages are computed again. Optimal for "
                        "uniform chains that keep nothing else; takes the largest number of snapshots whose plan fits.",
                .source = "Griewank, Walther: Algorithm 799: Revolve, ACM TOMS 2000",
                .options = revolveOptions().records(),
            },
        .plan = planRevolve,
    };
    return planner;
}

} // namespace remat::planner
