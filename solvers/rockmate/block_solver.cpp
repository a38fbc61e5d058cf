// SPDX-License-Identifier: Apache-2.0
#include "solvers/rockmate/block_solver.h"

#include "core/base/units.h"
#include "solvers/blocks/closure.h"
#include "solvers/rockmate/block_grid.h"
#include "solvers/rockmate/priced_options.h"
#include "solvers/tools/parallel.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <fmt/core.h>
#include <utility>

namespace remat::rockmate {

using hiremate::Block;
using hiremate::Chain;
using hiremate::Option;

namespace {

constexpr double kShareOfFirst = 0.17, kShareOfGrid = 0.8;
/// Storages of the forward part beyond which an integer program of the first options may take minutes.
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

/// Adds each option that just makes what is missing once more, with what is passed on kept, too.
void addPassedOn(const FlatGraph &flat, const Chain &chain, const Block &block, std::vector<Option> &options)
{
    const std::vector<char> passed = passedOn(flat, chain, block);
    for (std::size_t o = 0, count = options.size(); o < count; ++o) {
        std::vector<char> kept = options[o].kept;
        for (std::size_t s = 0; s < kept.size(); ++s)
            kept[s] = kept[s] || passed[s] ? 1 : 0;
        if (kept == options[o].kept) continue;
        const bool once = options[o].program.size() == justInTime(block, options[o].kept, true).size();
        std::vector<hiremate::ProgramStep> program = justInTime(block, kept, once);
        std::vector<double> chainUs = options[o].chainUs;
        options.push_back(makeOption(chain, block, std::move(kept), std::move(program)));
        options.back().chainUs = std::move(chainUs);
    }
}

std::vector<Option> firstOptions(const FlatGraph &flat, const Chain &chain, const Block &block,
                                 const hiremate::ClosureSettings &settings, const StopCheck &stop)
{
    std::vector<Option> priced = pricedOptions(chain, block, settings.optionLimit, stop);
    const auto storages = std::count_if(block.storages.begin(), block.storages.end(),
                                        [](const hiremate::LocalStorage &storage) { return storage.forward; });
    if (storages > kMostStorages) return priced;
    std::vector<Option> options = hiremate::closureOptions(flat, chain, block, settings, {});
    addPassedOn(flat, chain, block, options);
    return mergeOptions(std::move(priced), std::move(options), 2 * settings.optionLimit);
}

/// The option that keeps everything, then what of the others is undominated.
std::vector<Option> withGrid(const FlatGraph &flat, const Chain &chain, const Block &block, std::vector<Option> first,
                             std::vector<Option> grid, int limit)
{
    addPassedOn(flat, chain, block, grid);
    Option all = first.front();
    for (Option &option : grid)
        first.push_back(std::move(option));
    for (Option &option : first)
        option.chainUs.clear();
    hiremate::dropDominated(first, limit);
    first.insert(first.begin(), std::move(all));
    return first;
}

} // namespace

chain::OptionSource BlockSolver::first(const FlatGraph &flat, Incumbent &incumbent)
{
    return [this, &flat, &incumbent](const Chain &chain, const std::vector<int> &blocks) {
        incumbent.setActivity("First options of blocks", 0);
        hiremate::ClosureSettings closure;
        closure.levels = m_settings.levels;
        closure.optionLimit = m_settings.optionLimit;
        closure.stop = m_context.stop;
        closure.deadline =
            Deadline(std::min(kShareOfFirst * m_context.deadline.secondsLeft(), hiremate::kNoLimitSeconds));
        closure.seed = static_cast<int>(m_context.seed % 1000000);
        Found found(blocks.size());
        parallelFor(m_context.threads, blocks.size(), [&](std::size_t b) {
            found[b] =
                firstOptions(flat, chain, chain.blocks[blocks[b]], closure, [&] { return m_context.shouldStop(); });
        });
        m_first[chain.blockOfOp] = found;
        return found;
    };
}

chain::OptionSource BlockSolver::grid(const FlatGraph &flat, Incumbent &incumbent, int waysLeft)
{
    return [this, &flat, &incumbent, waysLeft](const Chain &chain, const std::vector<int> &blocks) {
        incumbent.setActivity("Options of blocks", 0);
        std::vector<ClusterProgress> table;
        for (const int k : blocks) {
            ClusterProgress row;
            row.name = chain.blocks[k].name;
            row.uses = chain.blocks[k].copies;
            table.push_back(row);
        }
        incumbent.setClusters(std::move(table));
        const Deadline end(
            std::min(kShareOfGrid * m_context.deadline.secondsLeft() / waysLeft, hiremate::kNoLimitSeconds));
        const bool limited = std::isfinite(m_context.deadline.secondsLeft());
        Found found = m_first[chain.blockOfOp];
        if (found.empty()) throw TimeUp{}; // the first time ended before they were found
        std::atomic<int> waiting{static_cast<int>(blocks.size())};
        std::vector<BlockGrid> grids(blocks.size());
        parallelFor(m_context.threads, blocks.size(), [&](std::size_t b) {
            const auto start = std::chrono::steady_clock::now();
            const Block &block = chain.blocks[blocks[b]];
            const auto tell = [&](int options, bool done) {
                incumbent.updateCluster(b, [&](ClusterProgress &row) {
                    row.running = !done;
                    row.done = done;
                    row.gap = done && grids[b].open() == 0 && !grids[b].tooLarge ? 0 : -1;
                    row.options = options;
                    row.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
                });
            };
            const int known = static_cast<int>(found[b].size());
            tell(known, false);
            GridSettings settings;
            settings.peaks = m_settings.peaks;
            settings.saves = m_settings.saves;
            settings.stop = m_context.stop;
            settings.seed = static_cast<int>(m_context.seed % 1000000);
            const int left = waiting.fetch_sub(1), threads = std::max(1, std::min(m_context.threads, left));
            if (limited) settings.deadline = Deadline(end.secondsLeft() * threads / left);
            grids[b] = solveGrid(flat, chain, block, found[b], settings, [&](int) { tell(known, false); });
            found[b] = withGrid(flat, chain, block, std::move(found[b]), grids[b].options, 3 * m_settings.optionLimit);
            tell(static_cast<int>(found[b].size()), true);
        });
        for (std::size_t b = 0; b < blocks.size(); ++b) {
            const Block &block = chain.blocks[blocks[b]];
            const std::string name =
                fmt::format("{} with {} ops", block.name, formatCount(std::int64_t(block.ops.size())));
            ++m_blocks;
            m_cells += static_cast<int>(grids[b].cells.size());
            m_open += grids[b].open();
            if (grids[b].open() > 0 && m_openBlocks++ == 0) m_openName = name;
            if (grids[b].tooLarge && m_large++ == 0) m_largeName = name;
        }
        return found;
    };
}

std::string BlockSolver::note() const
{
    std::string said;
    if (m_open > 0)
        said = fmt::format("Of {} pairs of budgets for {} distinct blocks, {} were not solved to the end, in {}{}{}{}; "
                           "there the best schedules known were taken.",
                           formatCount(m_cells), formatCount(m_blocks), formatCount(m_open), formatCount(m_openBlocks),
                           m_openBlocks == 1 ? " block" : " blocks, among them ", m_openBlocks == 1 ? ", " : "",
                           m_openName);
    if (m_large > 0)
        said += fmt::format("{}Too large for a program of its own: {}{}; there only simpler schedules were tried.",
                            said.empty() ? "" : " ", m_large == 1 ? "" : formatCount(m_large) + " blocks, among them ",
                            m_largeName);
    return said;
}

Expected<SolveOutcome> planWithBlocks(const SolveRequest &request, const SolveContext &context,
                                      const chain::TableOptions &table, const BlockSolverSettings &settings,
                                      chain::TablePlanning planning)
{
    BlockSolver blocks(settings, context);
    planning.options = [&](const FlatGraph &flat, Incumbent &incumbent) { return blocks.first(flat, incumbent); };
    planning.finer = [&](const FlatGraph &flat, Incumbent &incumbent, int waysLeft) {
        return blocks.grid(flat, incumbent, waysLeft);
    };
    Expected<SolveOutcome> outcome = chain::planByTable(request, context, table, planning);
    if (!outcome || !outcome->plan) return outcome;
    const std::string note = blocks.note();
    if (!note.empty()) outcome->message += (outcome->message.empty() ? "" : " ") + note;
    return outcome;
}

OptionTable<BlockSolverSettings> blockSolverOptions()
{
    using Options = BlockSolverSettings;
    return {
        numberOption(&Options::peaks, "peaks", "Peak budgets", 1, 40, "",
                     "For how many limits on a block's own peak its integer program is solved, from keep-all's down to "
                     "the working set. Each is combined with every limit of the option saves."),
        numberOption(&Options::saves, "saves", "Save budgets", 1, 40, "",
                     "For how many limits on what a block holds between its forward and its backward part its integer "
                     "program is solved, from everything down to nothing."),
        numberOption(&Options::levels, "levels", "Memory levels", 2, 400, "",
                     "For the first plans, small programs decide what a block keeps. This is how many amounts of kept "
                     "memory they are solved for, from everything to nothing.",
                     true),
        numberOption(&Options::optionLimit, "options-per-block", "Options per block", 1, 400, "",
                     "How many schedules of a block the dynamic program may choose from for the first plans, and three "
                     "times as many afterwards; more is finer and slower."),
    };
}

} // namespace remat::rockmate
