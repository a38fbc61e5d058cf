// SPDX-License-Identifier: Apache-2.0
#include "solvers/online/eviction_story.h"

#include "core/base/units.h"
#include "solvers/online/runtime.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <fmt/core.h>

namespace remat::online {

namespace {

std::string scoreText(double score)
{
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.3g", score);
    return text.data();
}

} // namespace

void EvictionStory::evicts(const Runtime &runtime, const Evicted &eviction)
{
    const FlatGraph &flat = runtime.flat();
    const auto name = [&](int storage) { return flat.graph->storages[static_cast<std::size_t>(storage)].name; };
    const auto lowest = std::find_if(eviction.scores.begin(), eviction.scores.end(),
                                     [&](const ScoredStorage &each) { return each.storage == eviction.victim; });
    StoryFrame frame;
    const std::string &op = flat.graph->ops[static_cast<std::size_t>(eviction.op)].name;
    frame.text = fmt::format("{} needs {}, and {} are free. Of what may go, {} has the lowest score, {}, so it is "
                             "evicted: {}, not read for {}.",
                             op, formatBytes(eviction.wantedBytes),
                             formatBytes(std::max<std::int64_t>(eviction.budgetBytes - eviction.usedBytes, 0)),
                             name(eviction.victim), scoreText(lowest->score), formatBytes(flat.bytes[eviction.victim]),
                             formatTimeUs(runtime.stalenessUs(eviction.victim)));
    frame.ops.push_back(op);
    frame.storages.push_back(name(eviction.victim));
    StoryTable table;
    table.columns = {"Storage", "Bytes", "Not read for", "Time of its op", "Score"};
    for (const ScoredStorage &each : eviction.scores) {
        if (each.storage == eviction.victim)
            for (int column = 0; column < static_cast<int>(table.columns.size()); ++column)
                table.marked.emplace_back(static_cast<int>(table.rows.size()), column);
        table.rows.push_back({name(each.storage), formatBytes(flat.bytes[each.storage]),
                              formatTimeUs(runtime.stalenessUs(each.storage)),
                              formatTimeUs(flat.timeUs[flat.producer[each.storage]]), scoreText(each.score)});
    }
    frame.table = std::move(table);
    const auto done = static_cast<double>(runtime.steps().size());
    m_used.points.emplace_back(done, static_cast<double>(eviction.usedBytes));
    m_budget.points.emplace_back(done, static_cast<double>(eviction.budgetBytes));
    frame.chart = StoryChart{"Memory at each eviction", "steps run",      "bytes",
                             StoryUnit::None,           StoryUnit::Bytes, {m_used, m_budget}};
    tell(m_story, std::move(frame));
}

void EvictionStory::finish()
{
    if (m_story.frames.empty()) return;
    int computations = 0;
    for (const Step &step : m_runtime.steps())
        computations += step.kind == StepKind::Compute ? 1 : 0;
    StoryFrame frame;
    frame.text = fmt::format("The step is done: {} computations for {} ops. What was evicted and read again was "
                             "computed again, with whatever that needed. Nothing was known of what would come.",
                             formatCount(computations), formatCount(m_runtime.flat().ops));
    frame.chart = m_story.frames.back().chart;
    tell(m_story, std::move(frame));
}

} // namespace remat::online
