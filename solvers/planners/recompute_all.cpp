// SPDX-License-Identifier: Apache-2.0
#include "solvers/chain/plan_chain.h"

namespace remat::planner {

namespace {

Expected<SolveOutcome> planRecomputeAll(const SolveRequest &request, const SolveContext &context)
{
    const FlatGraph flat = flatten(*request.graph, *request.costs);
    if (const Expected<void> usable = chain::needBackward(flat, "Recompute all"); !usable)
        return tl::unexpected(usable.error());
    ForwardChoice choice;
    choice.kept.assign(flat.storages(), 0);
    choice.segment.assign(flat.ops, 0);
    choice.anew.assign(1, 1);
    Incumbent incumbent(flat, context, request.budgetBytes);
    incumbent.offer(translate(flat, choice, context));
    return chain::outcomeOf(incumbent, request, context, "plan that keeps nothing");
}

} // namespace

const Planner &recompute_all()
{
    static const Planner planner = {
        .info =
            {
                .name = "recompute-all",
                .title = "Recompute all",
                .kind = "reference point",
                .text = "Keeps nothing of the forward pass: each backward op has all that it reads computed again "
                        "right before it, from the inputs, and shares it with no other. The other end of the scale "
                        "from keep-all: time grows with the square of the depth.",
                .source = "The schedule without any retained value in Jain et al.: Checkmate, MLSys 2020, with "
                          "gradients held until their last use",
            },
        .plan = planRecomputeAll,
    };
    return planner;
}

} // namespace remat::planner
