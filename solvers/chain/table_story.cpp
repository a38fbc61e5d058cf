// SPDX-License-Identifier: Apache-2.0
#include "solvers/chain/table_story.h"

#include "core/base/units.h"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>

namespace remat::chain {

namespace {

/// `stage 2`, `stages 2 to 4`.
std::string stagesText(int s, int t)
{
    return s == t ? "stage " + std::to_string(s + 1) : fmt::format("stages {} to {}", s + 1, t + 1);
}

std::string timeCell(double us)
{
    return std::isfinite(us) ? us > 0 ? formatTimeUs(us) : "0" : "–";
}

} // namespace

int TableStory::memorySlots(const ChainTable &table) const
{
    return static_cast<int>(std::min<std::int64_t>(table.memorySlots(), m_budgetBytes / table.memorySlotBytes()));
}

std::string TableStory::explained(const ChainTable &table, int s, int t, int memory) const
{
    const std::vector<double> &costs = table.costsOf(ChainTable::Input::Freed, s, t);
    const auto bytes = [&](int slots) { return formatBytes(slots * table.memorySlotBytes(), Rounding::Down); };
    std::string text = fmt::format("Opt for {}. ", stagesText(s, t));
    const double best = costs[static_cast<std::size_t>(memory)];
    if (!std::isfinite(best)) return fmt::format("{}Nothing fits into the {} of the budget.", text, bytes(memory));
    const ChainTable::Term term = table.choose(ChainTable::Input::Freed, s, t, memory);
    const int left = std::min(memory - term.less, table.memorySlots());
    text += fmt::format("With the {} of the budget the least extra time is {}: ", bytes(memory), timeCell(best));
    if (term.checkpoint >= 0) {
        text += fmt::format("the input of stage {} is held, which takes {} to get there; then {} run within {}, and {} "
                            "after them within {}.",
                            term.checkpoint + 1, timeCell(term.us), stagesText(term.checkpoint, t), bytes(left),
                            stagesText(s, term.checkpoint - 1), bytes(memory));
    } else {
        const std::size_t options = m_chain.model.stages[static_cast<std::size_t>(s)].options.size();
        text += fmt::format("stage {}{}, for {}{}", s + 1,
                            term.option == 0
                                ? " keeps all that its backward part reads"
                                : fmt::format(" takes its option {} of {}, which computes again in its backward part",
                                              term.option + 1, options),
                            timeCell(term.us),
                            s == t ? "." : fmt::format("; then {} run within {}.", stagesText(s + 1, t), bytes(left)));
    }
    const auto fits =
        std::find_if(costs.begin(), costs.end(), [](double us) { return std::isfinite(us); }) - costs.begin();
    return fmt::format("{} With less than {} nothing fits.", text, bytes(static_cast<int>(fits)));
}

StoryTable TableStory::tableAt(const ChainTable &table, int s, int t) const
{
    const int stages = m_chain.model.size();
    const int memory = memorySlots(table);
    StoryTable result;
    result.columns.emplace_back("from \\ to");
    for (int column = 0; column < stages; ++column)
        result.columns.push_back(std::to_string(column + 1));
    for (int row = 0; row < stages; ++row) {
        result.rows.push_back({std::to_string(row + 1)});
        for (int column = 0; column < stages; ++column) {
            const bool there = column >= row;
            const std::vector<double> *costs = there ? &table.costsOf(ChainTable::Input::Freed, row, column) : nullptr;
            result.rows.back().push_back(costs && !costs->empty() ? timeCell((*costs)[static_cast<std::size_t>(memory)])
                                                                  : "");
        }
    }
    result.marked.emplace_back(s, t + 1);
    return result;
}

void TableStory::filled(const ChainTable &table, int s, int t)
{
    const int memory = memorySlots(table);
    StoryFrame frame;
    frame.text = explained(table, s, t, memory);
    for (int op = 0; op < m_flat.ops; ++op) {
        const int stage = m_chain.blocks.blockOfOp[static_cast<std::size_t>(op)];
        if (stage >= s && stage <= t) frame.ops.push_back(m_flat.graph->ops[static_cast<std::size_t>(op)].name);
    }
    for (const int storage : m_chain.inputs[static_cast<std::size_t>(s)])
        frame.storages.push_back(m_flat.graph->storages[static_cast<std::size_t>(storage)].name);
    frame.table = tableAt(table, s, t);
    StoryChart chart{"Opt for " + stagesText(s, t), "memory", "extra time", StoryUnit::Bytes, StoryUnit::Microseconds,
                     {{"least extra time", {}}}};
    const std::vector<double> &costs = table.costsOf(ChainTable::Input::Freed, s, t);
    for (std::size_t m = 0; m < costs.size(); ++m)
        if (std::isfinite(costs[m]))
            chart.series.front().points.emplace_back(
                static_cast<double>(static_cast<std::int64_t>(m) * table.memorySlotBytes()), costs[m]);
    frame.chart = std::move(chart);
    tell(*m_story, std::move(frame));
}

void TableStory::finish(Story &story, const FlatGraph &flat, const std::vector<Recompute> &best,
                        std::int64_t budgetBytes)
{
    StoryFrame frame;
    frame.text = fmt::format("The last cell says what all stages cost. Sizes in the table are rounded, so its "
                             "schedules are replayed on the graph, the one for the most memory first, and the fastest "
                             "that keeps {} is taken: {} more than keep-all, for {} recomputations.",
                             formatBytes(budgetBytes), formatTimeUs(extraTimeUs(flat, best)),
                             formatCount(static_cast<std::int64_t>(best.size())));
    for (const Recompute &each : best)
        frame.ops.push_back(flat.graph->ops[static_cast<std::size_t>(each.op)].name);
    if (!story.frames.empty()) frame.table = story.frames.back().table;
    if (!story.frames.empty()) frame.chart = story.frames.back().chart;
    tell(story, std::move(frame));
}

} // namespace remat::chain
