// SPDX-License-Identifier: Apache-2.0
#include "solvers/chain/plan_chain.h"
#include "solvers/rockmate/priced_options.h"
#include "solvers/tools/parallel.h"

namespace remat::planner {

namespace {

struct RkRotorOptions {
    chain::TableOptions chain{{.stages = 80}};
    int perBlock = 30;
};

const OptionTable<RkRotorOptions> &rkRotorOptions()
{
    static const OptionTable<RkRotorOptions> table = {
        chain::tableOptions().in(&RkRotorOptions::chain),
        numberOption(&RkRotorOptions::perBlock, "options-per-block", "Options per block", 1, 400, "",
                     "How many schedules of a block the dynamic program may choose from; with 1, every block keeps "
                     "everything or nothing, as in Rotor."),
    };
    return table;
}

Expected<SolveOutcome> planRkRotor(const SolveRequest &request, const SolveContext &context)
{
    const RkRotorOptions options = rkRotorOptions().read(request.options);
    const StopCheck stop = [&] { return context.shouldStop(); };
    const chain::OptionSource priced = [&](const hiremate::Chain &chain, const std::vector<int> &blocks) {
        std::vector<std::vector<hiremate::Option>> found(blocks.size());
        parallelFor(context.threads, blocks.size(), [&](std::size_t b) {
            found[b] = rockmate::pricedOptions(chain, chain.blocks[blocks[b]], options.perBlock, stop);
        });
        return found;
    };
    return chain::planByTable(
        request, context, options.chain,
        {"rk-Rotor", "schedule of these blocks", true, false, [&](const FlatGraph &, Incumbent &) { return priced; }});
}

} // namespace

const Planner &rk_rotor()
{
    static const Planner planner = {
        .info =
            {
                .name = "rk-rotor",
                .title = "rk-Rotor",
                .kind = "chain",
                .text = "The half of Rockmate over the chain: Rotor's dynamic program with several schedules per "
                        "block. Without integer programs a block has one schedule for each price of memory: what costs "
                        "less time per byte to compute again than the price is dropped.",
                .source = "Zhao, Le Hellard, Eyraud-Dubois, Gusak, Beaumont: Rockmate: an Efficient, Fast, Automatic "
                          "and Generic Tool for Re-materialization in PyTorch, ICML 2023",
                .options = rkRotorOptions().records(),
            },
        .plan = planRkRotor,
    };
    return planner;
}

} // namespace remat::planner
