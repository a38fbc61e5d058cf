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

class Rotor final : public Planner
{
public:
    const PlannerInfo &info() const override
    {
        static const PlannerInfo info = {
            "rotor",
            "Rotor",
            "chain",
            "Merges the graph into a chain of stages and finds, by a dynamic program over stages and memory, which of "
            "them save everything for their backward part, which only their input, and which nothing; schedules may "
            "nest. Optimal for chains among schedules that hold what they keep until it is used, up to the rounding of "
            "memory to slots. A plan that drops some of it earlier and makes it again can be faster; the bound beside "
            "each plan holds for those, too, and says by how much at most.",
            "Beaumont, Eyraud-Dubois, Herrmann, Joly, Shilova: Optimal checkpointing for heterogeneous chains, 2019 "
            "(ACM TOMS 2024)",
            rotorOptions().records(),
            false,
            false,
            true};
        return info;
    }

    Expected<SolveOutcome> plan(const SolveRequest &request, const SolveContext &context) const override
    {
        return chain::planByTable(
            request, context, rotorOptions().read(request.options).chain,
            {"Rotor", "persistent schedule of this chain", true, false,
             [&](const FlatGraph &, Incumbent &) { return chain::plainSource([&] { return context.shouldStop(); }); },
             context.story});
    }
};

} // namespace

const Planner &rotor()
{
    static const Rotor planner;
    return planner;
}

} // namespace remat::planner
