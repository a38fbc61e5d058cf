// SPDX-License-Identifier: Apache-2.0
#include "solvers/chain/plan_chain.h"

namespace remat::planner {

namespace {

struct RotorOptions {
    chain::TableOptions chain{{.stages = 400}}; ///< all articulation points of most networks
};

OptionTable<RotorOptions> rotorOptions()
{
    return {chain::tableOptions().in(&RotorOptions::chain)};
}

Expected<SolveOutcome> planRotor(const SolveRequest &request, const SolveContext &context)
{
    return chain::planByTable(
        request, context, rotorOptions().read(request.options).chain,
        {"Rotor", "persistent schedule of this chain", true, false,
         [&](const FlatGraph &, Incumbent &) { return chain::plainSource([&] { return context.shouldStop(); }); },
         context.story});
}

} // namespace

const Planner &rotor()
{
    static const Planner planner = {
        .info =
            {
                .name = "rotor",
                .title = "Rotor",
                .kind = "chain",
                .text =
                    "Merges the graph into a chain of stages and finds, by a dynamic program over stages and memory, "
                    "which of them save everything for their backward part, which only their input, and which nothing; "
                    "schedules may nest. Optimal for chains among schedules that hold what they keep until it is used, "
                    "up to the rounding of memory to slots. A plan that drops some of it earlier and makes it again "
                    "can be faster; the bound beside each plan holds for those, too, and says by how much at most.",
                .source = "Beaumont, Eyraud-Dubois, Herrmann, Joly, Shilova: Optimal checkpointing for heterogeneous "
                          "chains, 2019 (ACM TOMS 2024)",
                .options = rotorOptions().records(),
                .tells = true,
            },
        .plan = planRotor,
    };
    return planner;
}

} // namespace remat::planner
