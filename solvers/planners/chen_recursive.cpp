// SPDX-License-Identifier: Apache-2.0
#include "solvers/chain/plan_chain.h"
#include "solvers/chain/recursive.h"

namespace remat::planner {

namespace {

struct ChenRecursiveOptions {
    chain::StageOptions cut;
    int checkpoints = 0;
};

const OptionTable<ChenRecursiveOptions> &chenRecursiveOptions()
{
    static const OptionTable<ChenRecursiveOptions> table = {
        chain::stageOptions().in(&ChenRecursiveOptions::cut),
        numberOption(
            &ChenRecursiveOptions::checkpoints, "checkpoints", "Checkpoints a level", 0, 400, "",
            "How many inputs are kept at each level of the recursion; 1 holds about log n of them at once, and "
            "0 takes the most that fit."),
    };
    return table;
}

Expected<SolveOutcome> planChenRecursive(const SolveRequest &request, const SolveContext &context)
{
    const ChenRecursiveOptions options = chenRecursiveOptions().read(request.options);
    return chain::planByNumber(
        request, context, options.cut,
        {"Chen log n", "number of checkpoints a level", options.checkpoints, chain::recursiveSchedule});
}

} // namespace

const Planner &chen_recursive()
{
    static const Planner planner = {
        .info =
            {
                .name = "chen-recursive",
                .title = "Chen log n",
                .kind = "checkpointing",
                .text = "Merges the graph into a chain of stages, cuts it into segments of which the inputs are kept, "
                        "and each segment into segments again when its backward pass comes. With one checkpoint a "
                        "level memory grows with the logarithm of the length, and so does what is computed again; "
                        "takes the most whose plan fits.",
                .source = "Chen, Xu, Zhang, Guestrin: Training Deep Nets with Sublinear Memory Cost, 2016, recursion "
                          "to O(log n)",
                .options = chenRecursiveOptions().records(),
            },
        .plan = planChenRecursive,
    };
    return planner;
}

} // namespace remat::planner
