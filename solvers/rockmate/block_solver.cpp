#include "solvers/rockmate/block_solver.h"

#include "solvers/hiremate/closure.h"
#include "solvers/parallel.h"
#include "solvers/rockmate/priced_options.h"

#include <algorithm>
#include <chrono>

namespace remat::rockmate {

using hiremate::Block;
using hiremate::Chain;
using hiremate::Option;

namespace {

constexpr double kShareOfTime = 0.45;
/// Storages of the forward part beyond which an integer program may take minutes.
constexpr auto kMostStorages = 48;

/// Internal storages that other blocks read too: while what follows the block is planned they are there anyway.
std::vector<char> passedOn(const FlatGraph &flat, const Chain &chain, const Block &block)
{
    std::vector<char> passed(block.storages.size(), 0);
    for (std::size_t s = 0; s < passed.size(); ++s) {
        const std::vector<int> &readers = flat.readers[block.storages[s].global];
        const int own = chain.blockOfStorage[block.storages[s].global];
        passed[s] = block.storages[s].forward && std::any_of(readers.begin(), readers.end(),
                                                             [&](int r) { return chain.blockOfOp[r] != own; })
                        ? 1
                        : 0;
    }
    return passed;
}

std::vector<Option> solveBlock(const FlatGraph &flat, const Chain &chain, const Block &block,
                               const hiremate::ClosureSettings &settings, const std::function<void(int)> &told,
                               const StopCheck &stop)
{
    std::vector<Option> priced = pricedOptions(chain, block, settings.optionLimit, stop);
    const auto storages = std::count_if(block.storages.begin(), block.storages.end(),
                                        [](const hiremate::LocalStorage &storage) { return storage.forward; });
    if (storages > kMostStorages) return priced;
    std::vector<Option> options = hiremate::closureOptions(flat, chain, block, settings, told);
    const std::vector<char> passed = passedOn(flat, chain, block);
    for (std::size_t o = 0, count = options.size(); o < count; ++o) {
        std::vector<char> kept = options[o].kept;
        for (std::size_t s = 0; s < kept.size(); ++s)
            kept[s] = kept[s] || passed[s] ? 1 : 0;
        if (kept == options[o].kept) continue;
        const bool once = options[o].program.size() == justInTime(block, options[o].kept, true).size();
        std::vector<hiremate::ProgramStep> program = justInTime(block, kept, once);
        options.push_back(makeOption(chain, block, std::move(kept), std::move(program)));
        options.back().chainUs = options[o].chainUs;
    }
    return mergeOptions(std::move(priced), std::move(options), 2 * settings.optionLimit);
}

} // namespace

chain::OptionSource ilpSource(const FlatGraph &flat, const BlockSolverSettings &settings, const SolveContext &context,
                              Incumbent &incumbent)
{
    return [&flat, settings, &context, &incumbent](const Chain &chain, const std::vector<int> &blocks) {
        incumbent.setActivity("Options of blocks", 0);
        std::vector<ClusterProgress> table;
        for (const int k : blocks) {
            ClusterProgress row;
            row.name = chain.blocks[k].name;
            row.uses = chain.blocks[k].copies;
            table.push_back(row);
        }
        incumbent.setClusters(std::move(table));
        hiremate::ClosureSettings closure;
        closure.levels = settings.levels;
        closure.optionLimit = settings.optionLimit;
        closure.stop = context.stop;
        closure.deadline = Deadline(std::min(kShareOfTime * context.deadline.secondsLeft(), hiremate::kNoLimitSeconds));
        closure.seed = static_cast<int>(context.seed % 1000000);
        std::vector<std::vector<Option>> found(blocks.size());
        parallelFor(context.threads, blocks.size(), [&](std::size_t b) {
            const auto start = std::chrono::steady_clock::now();
            const auto tell = [&](int options, bool done) {
                incumbent.updateCluster(b, [&](ClusterProgress &row) {
                    row.running = !done;
                    row.done = done;
                    row.gap = done ? 0 : -1;
                    row.options = options;
                    row.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
                });
            };
            found[b] = solveBlock(
                flat, chain, chain.blocks[blocks[b]], closure, [&](int options) { tell(options, false); },
                [&] { return context.shouldStop(); });
            tell(static_cast<int>(found[b].size()), true);
        });
        return found;
    };
}

OptionTable<BlockSolverSettings> blockSolverOptions()
{
    using Options = BlockSolverSettings;
    return {
        numberOption(&Options::levels, "levels", "Memory levels", 2, 400, "",
                     "How many amounts of kept memory a block's integer program is solved for, from everything to "
                     "nothing.",
                     true),
        numberOption(&Options::optionLimit, "options-per-block", "Options per block", 1, 400, "",
                     "How many schedules of a block the dynamic program may choose from; more is finer and slower."),
    };
}

} // namespace remat::rockmate
