// SPDX-License-Identifier: Apache-2.0
#include "solvers/offload/greedy.h"

namespace remat::planner {

namespace {

Expected<SolveOutcome> planOffloadGreedy(const SolveRequest &request, const SolveContext &context)
{
    const offload::GreedyOptions options = offload::greedyOptions().read(request.options);
    return offload::planGreedily(request, context, {options.activations, 0},
                                 "Take offload-greedy-star, where a storage may leave more than once, or pofo or "
                                 "poet, which also recompute, or raise the budget.");
}

} // namespace

const Planner &offload_greedy()
{
    static const Planner planner = {
        .info =
            {
                .name = "offload-greedy",
                .title = "Greedy offload",
                .kind = "offloading",
                .text = "Computes every op once and parks what is not needed for a while in host memory: again and "
                        "again the storage that takes the most overflow away, each at most once. Copies run beside the "
                        "computation at the link's bandwidth; where the room is too small for them to hide, the "
                        "computation waits.",
                .source = "Xunyi Zhao: greedy selection and schedule for weights in combined rematerialization and "
                          "offloading, after Zhao, Le Hellard, Eyraud-Dubois, Gusak, Beaumont: Rockmate, 2023; here "
                          "for activations too",
                .options = offload::greedyOptions().records(),
                .offloads = true,
            },
        .plan = planOffloadGreedy,
    };
    return planner;
}

} // namespace remat::planner
