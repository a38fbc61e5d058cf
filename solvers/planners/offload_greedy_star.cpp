// SPDX-License-Identifier: Apache-2.0
#include "solvers/offload/greedy.h"

namespace remat::planner {

namespace {

struct GreedyStarOptions {
    offload::GreedyOptions greedy;
    double again = 0.5;
};

const OptionTable<GreedyStarOptions> &greedyStarOptions()
{
    static const OptionTable<GreedyStarOptions> table = {
        offload::greedyOptions().in(&GreedyStarOptions::greedy),
        numberOption(&GreedyStarOptions::again, "again", "Worth of leaving again", 0.01, 1, "",
                     "How much a second absence of a storage counts against a first one; less favours storages that "
                     "leave only once.",
                     true),
    };
    return table;
}

Expected<SolveOutcome> planOffloadGreedyStar(const SolveRequest &request, const SolveContext &context)
{
    const GreedyStarOptions options = greedyStarOptions().read(request.options);
    return offload::planGreedily(request, context, {options.greedy.activations, options.again},
                                 "Take pofo or poet, which also recompute, or raise the budget.");
}

} // namespace

const Planner &offload_greedy_star()
{
    static const Planner planner = {
        .info =
            {
                .name = "offload-greedy-star",
                .title = "Greedy offload *",
                .kind = "offloading",
                .text = "As offload-greedy, but a storage may leave the device several times, as a weight that goes "
                        "after its backward op, comes back for the next forward op and goes again. Reaches smaller "
                        "budgets, moves more.",
                .source =
                    "Xunyi Zhao: greedy selection and schedule for weights in combined rematerialization and "
                    "offloading (Greedy*), after Zhao, Le Hellard, Eyraud-Dubois, Gusak, Beaumont: Rockmate, 2023",
                .options = greedyStarOptions().records(),
                .offloads = true,
            },
        .plan = planOffloadGreedyStar,
    };
    return planner;
}

} // namespace remat::planner
