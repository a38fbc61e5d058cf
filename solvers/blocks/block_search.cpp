// SPDX-License-Identifier: Apache-2.0
#include "solvers/blocks/block_search.h"

#include "solvers/blocks/block_graph.h"
#include "solvers/search/greedy.h"

#include <algorithm>

namespace remat::hiremate {

namespace {

constexpr int kKeptLevels = 12;
/// Memory of the block's two parts, as shares of what keeping everything takes.
constexpr double kMemoryShares[] = {1.0, 0.8, 0.65, 0.5};
} // namespace

std::vector<Option> searchedOptions(const FlatGraph &whole, const Chain &chain, const Block &block,
                                    const StopToken *stop, const Deadline &deadline)
{
    std::vector<Option> options;
    if (block.backwardOps() == 0 || block.storages.empty()) return options;
    const BlockGraph alone = blockGraph(whole, chain, block);
    FlatGraph flat = flatten(alone.graph, alone.costs);
    const search::StopCheck stopped = [&] { return (stop && stop->stopRequested()) || deadline.passed(); };
    const std::int64_t all = search::foundIn(search::State(flat, 0)).peakBytes;
    for (const double share : kMemoryShares) {
        const auto memory = static_cast<std::int64_t>(share * static_cast<double>(all));
        std::vector<Recompute> last;
        for (int level = kKeptLevels; level-- > 0 && !stopped();) {
            flat.workspaceBytes[alone.between] =
                std::max<std::int64_t>(0, memory - alone.crossingBytes / kKeptLevels * level);
            const search::Found found = search::greedyPlan(flat, memory, last, stopped);
            if (!found.fits) break;
            if (std::optional<Option> option = toOption(chain, block, found.set)) options.push_back(std::move(*option));
            last = found.set;
        }
    }
    return options;
}

} // namespace remat::hiremate
