// SPDX-License-Identifier: Apache-2.0
#include "solvers/chain/plan_chain.h"
#include "solvers/rockmate/block_solver.h"

namespace remat::planner {

namespace {

struct RkCheckmateOptions {
    chain::TableOptions chain{{.stages = 80}};
    remat::rockmate::BlockSolverSettings blocks;
};

const OptionTable<RkCheckmateOptions> &rkCheckmateOptions()
{
    static const OptionTable<RkCheckmateOptions> table = {
        chain::tableOptions().in(&RkCheckmateOptions::chain),
        remat::rockmate::blockSolverOptions().in(&RkCheckmateOptions::blocks)};
    return table;
}

Expected<SolveOutcome> planRkCheckmate(const SolveRequest &request, const SolveContext &context)
{
    const RkCheckmateOptions options = rkCheckmateOptions().read(request.options);
    return remat::rockmate::planWithBlocks(request, context, options.chain, options.blocks,
                                           {"rk-Checkmate", "choice of block schedules", false, true});
}

} // namespace

const Planner &rk_checkmate()
{
    static const Planner planner = {
        .info =
            {
                .name = "rk-checkmate",
                .title = "rk-Checkmate",
                .kind = "block ILP",
                .text = "The half of Rockmate inside blocks: every block holds its input and output, and takes one of "
                        "the schedules that Checkmate's program finds for it under a grid of budgets. No block runs "
                        "forward twice as a whole, so little memory is out of reach; fast, and good at high budgets.",
                .source = "Zhao, Le Hellard, Eyraud-Dubois, Gusak, Beaumont: Rockmate: an Efficient, Fast, Automatic "
                          "and Generic Tool for Re-materialization in PyTorch, ICML 2023",
                .options = rkCheckmateOptions().records(),
                .usesTime = true,
            },
        .plan = planRkCheckmate,
    };
    return planner;
}

} // namespace remat::planner
