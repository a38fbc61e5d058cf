// SPDX-License-Identifier: Apache-2.0
#include "solvers/chain/plan_chain.h"

namespace remat::planner {

namespace {

/// Every backward op is a segment of its own and holds for the next one what it read.
ForwardChoice holdLast(const FlatGraph &flat)
{
    ForwardChoice choice;
    choice.kept.assign(flat.storages(), 0);
    choice.segment.assign(flat.ops, 0);
    for (int z = flat.forwardOps; z < flat.ops; ++z) {
        choice.segment[z] = flat.ops - 1 - z;
        for (const int s : flat.inputs[z])
            if (flat.producer[s] < flat.forwardOps) choice.holds.push_back({s, choice.segment[z], flat.ops - 2 - z});
    }
    const int last = flat.forwardOps - 1;
    for (const std::vector<int> *storages : {&flat.inputs[last], &flat.outputs[last]})
        for (const int s : *storages)
            choice.holds.push_back({s, kForwardPass, choice.segment[flat.forwardOps]});
    return choice;
}

Expected<SolveOutcome> planLastNode(const SolveRequest &request, const SolveContext &context)
{
    const FlatGraph flat = flatten(*request.graph, *request.costs);
    if (const Expected<void> usable = chain::needBackward(flat, "Last node"); !usable)
        return tl::unexpected(usable.error());
    Incumbent incumbent(flat, context, request.budgetBytes);
    incumbent.offer(translate(flat, holdLast(flat), context));
    return chain::outcomeOf(incumbent, request, context, "plan that keeps the last node only");
}

} // namespace

const Planner &last_node()
{
    static const Planner planner = {
        .info =
            {
                .name = "last-node",
                .title = "Last node",
                .kind = "reference point",
                .text = "Of the forward pass only what the op computed last has made or read is still there for the "
                        "next; each backward op has the rest computed again from the inputs. Little memory, and time "
                        "that grows with the square of the depth.",
                .source = "The baseline that retains the last node in Jain et al.: Checkmate, MLSys 2020, with "
                          "gradients held until their last use",
            },
        .plan = planLastNode,
    };
    return planner;
}

} // namespace remat::planner
