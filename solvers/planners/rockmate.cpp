// SPDX-License-Identifier: Apache-2.0
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

Expected<SolveOutcome> planRockmate(const SolveRequest &request, const SolveContext &context)
{
    const RockmateOptions options = rockmateOptions().read(request.options);
    return remat::rockmate::planWithBlocks(request, context, options.chain, options.blocks,
                                           {"Rockmate", "schedule of these blocks", true, true});
}

} // namespace

const Planner &rockmate()
{
    static const Planner planner = {
        .info =
            {
                .name = "rockmate",
                .title = "Rockmate",
                .kind = "chain and ILP",
                .text =
                    "Cuts the graph into a chain of blocks, solves Checkmate's program for each distinct block under a "
                    "grid of budgets (rk-Checkmate), and chooses among these schedules, and which blocks run forward "
                    "several times, with one dynamic program over the chain (rk-Rotor). Has a first plan in moments.",
                .source = "Zhao, Le Hellard, Eyraud-Dubois, Gusak, Beaumont: Rockmate: an Efficient, Fast, Automatic "
                          "and Generic Tool for Re-materialization in PyTorch, ICML 2023",
                .options = rockmateOptions().records(),
                .usesTime = true,
            },
        .plan = planRockmate,
    };
    return planner;
}

} // namespace remat::planner
