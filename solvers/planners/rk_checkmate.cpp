#include "solvers/chain/plan_chain.h"
#include "solvers/rockmate/block_solver.h"

namespace remat::planner {

namespace {

std::vector<OptionRecord> rkCheckmateOptions()
{
    std::vector<OptionRecord> records = chain::stageOptions(80);
    records.push_back(chain::slotsOption());
    for (OptionRecord &record : rockmate::blockSolverOptions())
        records.push_back(std::move(record));
    return records;
}

class RkCheckmate final : public Planner
{
public:
    const PlannerInfo &info() const override
    {
        static const PlannerInfo info = {
            "rk-checkmate",
            "rk-Checkmate",
            "block ILP",
            "The half of Rockmate inside blocks: every block holds its input and output, and takes one of the "
            "schedules that integer programs find for it. No block runs forward twice as a whole, so little memory is "
            "out of reach; fast, and good at high budgets.",
            "Zhao, Le Hellard, Eyraud-Dubois, Gusak, Beaumont: Rockmate: an Efficient, Fast, Automatic and Generic "
            "Tool for Re-materialization in PyTorch, ICML 2023",
            rkCheckmateOptions(),
            false};
        return info;
    }

    Expected<SolveOutcome> plan(const SolveRequest &request, const SolveContext &context) const override
    {
        const rockmate::BlockSolverSettings settings = rockmate::blockSolverSettings(request.options);
        return chain::planByTable(request, context,
                                  {"rk-Checkmate", "choice of block schedules", false, true,
                                   [&](const FlatGraph &flat, Incumbent &incumbent) {
                                       return rockmate::ilpSource(flat, settings, context, incumbent);
                                   }});
    }
};

} // namespace

const Planner &rk_checkmate()
{
    static const RkCheckmate planner;
    return planner;
}

} // namespace remat::planner
