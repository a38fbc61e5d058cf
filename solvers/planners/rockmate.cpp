#include "solvers/chain/plan_chain.h"
#include "solvers/rockmate/block_solver.h"

namespace remat::planner {

namespace {

struct RockmateOptions {
    chain::TableOptions chain{{.stages = 80}};
    remat::rockmate::BlockSolverSettings blocks;
};

const OptionTable<RockmateOptions> &rockmateOptions()
{
    static const OptionTable<RockmateOptions> table = {
        chain::tableOptions().in(&RockmateOptions::chain),
        remat::rockmate::blockSolverOptions().in(&RockmateOptions::blocks)};
    return table;
}

class Rockmate final : public Planner
{
public:
    const PlannerInfo &info() const override
    {
        static const PlannerInfo info = {
            "rockmate",
            "Rockmate",
            "chain and ILP",
            "Cuts the graph into a chain of blocks, finds schedules of each distinct block with integer programs "
            "(rk-Checkmate), and chooses among them, and which blocks run forward several times, with one dynamic "
            "program over the chain (rk-Rotor).",
            "Zhao, Le Hellard, Eyraud-Dubois, Gusak, Beaumont: Rockmate: an Efficient, Fast, Automatic and Generic "
            "Tool for Re-materialization in PyTorch, ICML 2023",
            rockmateOptions().records(),
            false};
        return info;
    }

    Expected<SolveOutcome> plan(const SolveRequest &request, const SolveContext &context) const override
    {
        const RockmateOptions options = rockmateOptions().read(request.options);
        return chain::planByTable(
            request, context, options.chain,
            {"Rockmate", "schedule of these blocks", true, true, [&](const FlatGraph &flat, Incumbent &incumbent) {
                 return rockmate::ilpSource(flat, options.blocks, context, incumbent);
             }});
    }
};

} // namespace

const Planner &rockmate()
{
    static const Rockmate planner;
    return planner;
}

} // namespace remat::planner
