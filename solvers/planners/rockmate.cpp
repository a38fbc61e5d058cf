#include "solvers/chain/plan_chain.h"
#include "solvers/rockmate/block_solver.h"

namespace remat::planner {

namespace {

std::vector<OptionRecord> rockmateOptions()
{
    std::vector<OptionRecord> records = chain::stageOptions(80);
    records.push_back(chain::slotsOption());
    for (OptionRecord &record : rockmate::blockSolverOptions())
        records.push_back(std::move(record));
    return records;
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
            rockmateOptions(),
            false};
        return info;
    }

    Expected<SolveOutcome> plan(const SolveRequest &request, const SolveContext &context) const override
    {
        const rockmate::BlockSolverSettings settings = rockmate::blockSolverSettings(request.options);
        return chain::planByTable(
            request, context,
            {"Rockmate", "schedule of these blocks", true, true, [&](const FlatGraph &flat, Incumbent &incumbent) {
                 return rockmate::ilpSource(flat, settings, context, incumbent);
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
