// SPDX-License-Identifier: Apache-2.0
#include "solvers/hiremate/leaf.h"

#include "solvers/blocks/block_graph.h"
#include "solvers/blocks/block_search.h"
#include "solvers/blocks/lite.h"
#include "solvers/checkmate/exact.h"
#include "solvers/interface/solver.h"
#include "solvers/rockmate/priced_options.h"
#include "solvers/search/peak.h"

#include <algorithm>
#include <cmath>

namespace remat::hiremate {

namespace {

/// Limits on memory, and for each on what is kept (HiRemate's own numbers).
constexpr int kPeaks = 4, kSaves = 6;
/// Blocks are small: of the whole search before a program, this much is enough.
constexpr std::int64_t kSearchMoves = 2'000;

/// One plan of the block's graph by the planner of that name.
Expected<SolveOutcome> planBlock(const std::string &name, const SolveRequest &asked, const SolveContext &context,
                                 std::int64_t iterations)
{
    if (name == "checkmate") {
        checkmate::ExactSettings settings;
        settings.mostComputations = 2;
        settings.searchMoves = kSearchMoves;
        settings.iterations = iterations;
        return checkmate::planExactly(asked, context, flatten(*asked.graph, *asked.costs), settings);
    }
    const Expected<const Planner *> planner = findPlanner(name);
    if (!planner) return tl::unexpected(planner.error());
    SolveRequest request = asked;
    Expected<OptionSet> options = makeOptions((*planner)->info.options, {});
    if (!options) return tl::unexpected(options.error());
    request.options = *std::move(options);
    return (*planner)->plan(request, context);
}

std::vector<Option> gridOptions(const std::string &name, const FlatGraph &flat, const Chain &chain, const Block &block,
                                const ClosureSettings &settings)
{
    std::vector<Option> options;
    if (block.backwardOps() == 0 || block.storages.empty()) return options;
    BlockGraph alone = blockGraph(flat, chain, block);
    const FlatGraph own = flatten(alone.graph, alone.costs);
    const std::int64_t all = search::foundIn(search::State(own, 0)).peakBytes;
    int solves = kPeaks * kSaves;
    for (int peak = 0; peak < kPeaks; ++peak)
        for (int level = kSaves; level-- > 0; --solves) {
            const double seconds = std::min(settings.deadline.secondsLeft(), kNoLimitSeconds);
            SolveContext context;
            context.stop = settings.stop;
            context.deadline = Deadline(seconds / std::max(solves, 1));
            context.seed = static_cast<std::uint64_t>(settings.seed);
            SolveRequest request;
            request.graph = &alone.graph;
            request.costs = &alone.costs;
            request.budgetBytes = all - all / 2 * peak / (kPeaks - 1);
            alone.costs.workspaceBytes[alone.between] =
                std::max<std::int64_t>(0, request.budgetBytes - alone.crossingBytes / kSaves * level);
            if (context.shouldStop()) return options;
            const Expected<SolveOutcome> outcome = planBlock(name, request, context, settings.iterations);
            if (settings.timeWasUp && context.deadline.passed()) *settings.timeWasUp = true;
            if (!outcome) return options;
            if (!outcome->plan) {
                solves -= level + 1;
                break;
            }
            const std::vector<Recompute> set = toRecomputes(own, computeSequence(*outcome->plan));
            if (std::optional<Option> option = toOption(chain, block, set)) options.push_back(std::move(*option));
        }
    return options;
}

} // namespace

const std::vector<std::string> &leafPlannerNames()
{
    static const std::vector<std::string> names = {"ilp",   "search",   "cheap", "checkmate",
                                                   "rotor", "rk-rotor", "dtr",   "treewidth"};
    return names;
}

std::vector<Option> leafOptions(const std::string &leaf, const FlatGraph &flat, const Chain &chain, const Block &block,
                                const ClosureSettings &settings, const std::function<void(int)> &told)
{
    if (leaf == "ilp") return closureOptions(flat, chain, block, settings, told);
    std::vector<Option> options = leaf == "search"
                                      ? searchedOptions(flat, chain, block, settings.stop, settings.deadline)
                                  : leaf == "cheap" ? rockmate::pricedOptions(chain, block, settings.optionLimit)
                                                    : gridOptions(leaf, flat, chain, block, settings);
    for (const std::vector<char> &kept : {readByBackward(block), leastKept(block)})
        for (const bool once : {true, false})
            options.push_back(makeOption(chain, block, kept, justInTime(block, kept, once)));
    for (Option &option : options)
        option.chainUs = interfaceChainUs(flat, chain, block, option);
    dropDominated(options, settings.optionLimit);
    if (told) told(static_cast<int>(options.size()));
    return options;
}

} // namespace remat::hiremate
