#include "solvers/hiremate/leaf.h"

#include "solvers/checkmate/exact.h"
#include "solvers/hiremate/block_graph.h"
#include "solvers/hiremate/block_search.h"
#include "solvers/hiremate/lite.h"
#include "solvers/search/peak.h"
#include "solvers/solver.h"

#include <algorithm>
#include <cmath>

namespace remat::hiremate {

namespace {

/// Amounts kept for each limit on the memory (HiRemate's own number).
constexpr int kKeptLevels = 6;
constexpr double kNoLimitSeconds = 1e7;
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
    Expected<OptionSet> options = makeOptions((*planner)->info().options, {});
    if (!options) return tl::unexpected(options.error());
    request.options = *std::move(options);
    return (*planner)->plan(request, context);
}

std::vector<Option> plannedOptions(const std::string &name, const FlatGraph &flat, const Chain &chain,
                                   const Block &block, const ClosureSettings &settings)
{
    std::vector<Option> options;
    if (block.backwardOps() == 0 || block.storages.empty()) return options;
    BlockGraph alone = blockGraph(flat, chain, block);
    const FlatGraph own = flatten(alone.graph, alone.costs);
    const std::int64_t all = search::foundIn(search::State(own, 0)).peakBytes;
    int solves = static_cast<int>(std::size(kMemoryShares)) * kKeptLevels;
    for (const double share : kMemoryShares)
        for (int level = kKeptLevels; level-- > 0; --solves) {
            SolveContext context;
            context.stop = settings.stop;
            context.deadline =
                Deadline(std::min(settings.deadline.secondsLeft(), kNoLimitSeconds) / std::max(solves, 1));
            context.seed = static_cast<std::uint64_t>(settings.seed);
            if (settings.deadline.passed() || context.shouldStop()) return options;
            SolveRequest request;
            request.graph = &alone.graph;
            request.costs = &alone.costs;
            request.budgetBytes = std::llround(share * static_cast<double>(all));
            alone.costs.workspaceBytes[alone.between] =
                std::max<std::int64_t>(0, request.budgetBytes - alone.crossingBytes / kKeptLevels * level);
            const Expected<SolveOutcome> outcome = planBlock(name, request, context, settings.iterations);
            if (!outcome) return options;
            if (!outcome->plan) {
                solves -= level;
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
    static const std::vector<std::string> names = {"ilp", "search", "checkmate", "rotor", "dtr", "treewidth"};
    return names;
}

std::vector<Option> leafOptions(const std::string &leaf, const FlatGraph &flat, const Chain &chain, const Block &block,
                                const ClosureSettings &settings, const std::function<void(int)> &told)
{
    if (leaf == "ilp") return closureOptions(flat, chain, block, settings, told);
    std::vector<Option> options = leaf == "search"
                                      ? searchedOptions(flat, chain, block, settings.stop, settings.deadline)
                                      : plannedOptions(leaf, flat, chain, block, settings);
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
