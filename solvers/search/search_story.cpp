// SPDX-License-Identifier: Apache-2.0
#include "solvers/search/search_story.h"

#include "core/base/units.h"
#include "solvers/search/greedy.h"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>

namespace remat::search {

namespace {

constexpr std::int64_t kFramesOfMoves = 80;

std::string extraText(double us)
{
    return us > 0 ? formatTimeUs(us) : std::string("0");
}

} // namespace

std::string SearchStory::opName(int op) const
{
    return op < m_flat.ops ? m_flat.graph->ops[static_cast<std::size_t>(op)].name : "the end";
}

std::string SearchStory::storageName(int storage) const
{
    return m_flat.graph->storages[static_cast<std::size_t>(storage)].name;
}

std::string SearchStory::until(const Gap &gap) const
{
    return opName(opOf(gap.to));
}

void SearchStory::tellGreedy(const State &state, StoryFrame frame)
{
    const auto at = static_cast<double>(m_peak.points.size());
    m_peak.points.emplace_back(at, static_cast<double>(state.memory().peak()));
    m_budget.points.emplace_back(at, static_cast<double>(state.budgetBytes()));
    frame.chart = StoryChart{"Peak after each decision", "decisions",       "peak", StoryUnit::None,
                             StoryUnit::Bytes,           {m_peak, m_budget}};
    tell(m_story, std::move(frame));
}

void SearchStory::beginGreedy(const State &state)
{
    StoryFrame frame;
    frame.text =
        fmt::format("Everything is kept at first: the peak is {}, the budget {}. The greedy drops one copy after the "
                    "other, each time the one that takes most bytes over the budget away for the time it adds.",
                    formatBytes(state.memory().peak(), Rounding::Up), formatBytes(state.budgetBytes()));
    tellGreedy(state, std::move(frame));
}

void SearchStory::dropped(const State &state, const Gap &gap, const std::vector<Key> &changed)
{
    StoryFrame frame;
    double added = 0;
    std::string again;
    for (const Key step : changed) {
        if (!state.has(step)) continue;
        added += m_flat.timeUs[static_cast<std::size_t>(opOf(step))];
        again += (again.empty() ? "" : ", ") + opName(opOf(step));
        frame.ops.push_back(opName(opOf(step)));
    }
    frame.text = fmt::format("Drops {} after {}, until {} reads it. Computed again for that: {}, for {}. Of what was "
                             "tried it takes most over the budget away per time. The peak is now {}.",
                             storageName(gap.storage), opName(opOf(gap.from)), until(gap), again, extraText(added),
                             formatBytes(state.memory().peak(), Rounding::Up));
    frame.storages.push_back(storageName(gap.storage));
    StoryTable table;
    table.columns = {"Tried", "Dropped after", "Read again by", "Bytes × slots off per µs"};
    for (const auto &[other, worth] : m_tried)
        table.rows.push_back({storageName(other.storage), opName(opOf(other.from)), until(other),
                              formatCount(static_cast<std::int64_t>(std::llround(worth)))});
    for (int column = 0; column < static_cast<int>(table.columns.size()); ++column)
        table.marked.emplace_back(static_cast<int>(table.rows.size()) - 1, column);
    frame.table = std::move(table);
    m_tried.clear();
    tellGreedy(state, std::move(frame));
}

void SearchStory::pruned(const State &state, Key step)
{
    StoryFrame frame;
    frame.text = fmt::format(
        "Computing {} again before {} is not needed after all: without it nothing more is over the budget, so it goes.",
        opName(opOf(step)), opName(slotOf(step)));
    frame.ops.push_back(opName(opOf(step)));
    tellGreedy(state, std::move(frame));
}

void SearchStory::beginAnneal(const State &state, double hotUs, std::int64_t moves)
{
    m_every = std::max<std::int64_t>(1, moves / kFramesOfMoves);
    StoryFrame frame;
    frame.text = fmt::format("Annealing begins with the best plan so far, which takes {} more than keep-all. It tries "
                             "{} small random changes. What is better is taken; what is worse by the temperature, {} "
                             "at first, is taken with a chance of 37 %, and ever more rarely as it cools.",
                             extraText(state.extraUs()), formatCount(moves), formatTimeUs(hotUs));
    tell(m_story, std::move(frame));
}

void SearchStory::moved(const State &state, const MoveTold &move)
{
    if (!move.taken)
        ++m_refused;
    else if (move.worseUs > 0)
        ++m_worse;
    else if (!move.toggled.empty())
        ++m_better;
    const bool newBest = move.bestUs >= 0 && (m_bestUs < 0 || move.bestUs < m_bestUs - 1e-9);
    if (move.bestUs >= 0) m_bestUs = move.bestUs;
    if (move.number % m_every != 0 && !newBest) return;

    const auto at = static_cast<double>(move.number);
    m_now.points.emplace_back(at, state.extraUs());
    if (m_bestUs >= 0) m_best.points.emplace_back(at, m_bestUs);
    m_temperature.points.emplace_back(at, move.temperatureUs);
    StoryFrame frame;
    frame.text = fmt::format("Move {} of {}, temperature {}. ", formatCount(move.number), formatCount(move.of),
                             formatTimeUs(move.temperatureUs));
    if (newBest)
        frame.text += fmt::format("A new best plan: {} more than keep-all.", extraText(move.bestUs));
    else if (move.toggled.empty())
        frame.text += "This one changes nothing.";
    else if (move.worseUs <= 0)
        frame.text += fmt::format("This one is better by {} or as good, so it is taken.", extraText(-move.worseUs));
    else
        frame.text +=
            fmt::format("This one is worse by {}, bytes over the budget included. The chance to take it was {}{}",
                        formatTimeUs(move.worseUs), formatShare(move.chance),
                        move.taken ? ", and it was taken." : ", and it was not taken.");
    for (const Key step : move.toggled)
        if (const std::string name = opName(opOf(step));
            std::find(frame.ops.begin(), frame.ops.end(), name) == frame.ops.end())
            frame.ops.push_back(name);
    frame.table = StoryTable{{"Moves since the last frame", "How many"},
                             {{"as good or better, taken", formatCount(m_better)},
                              {"worse, taken all the same", formatCount(m_worse)},
                              {"worse, not taken", formatCount(m_refused)}},
                             {}};
    frame.chart = StoryChart{
        "Annealing", "moves", "time", StoryUnit::None, StoryUnit::Microseconds, {m_now, m_best, m_temperature}};
    m_better = m_worse = m_refused = 0;
    tell(m_story, std::move(frame));
}

void SearchStory::finish(const Found &found, double enoughUs)
{
    StoryFrame frame;
    frame.text = found.fits
                     ? fmt::format("The plan that is taken computes {} ops again, for {}.",
                                   formatCount(static_cast<std::int64_t>(found.set.size())), extraText(found.extraUs))
                     : fmt::format("No plan within the budget was found; the smallest peak is {}.",
                                   formatBytes(found.peakBytes, Rounding::Up));
    if (found.fits && found.extraUs <= enoughUs)
        frame.text += " No plan in this order can take less: that is proven, so nothing is left to gain.";
    for (const Recompute &each : found.set)
        frame.ops.push_back(opName(each.op));
    if (!m_story.frames.empty()) frame.chart = m_story.frames.back().chart;
    tell(m_story, std::move(frame));
}

} // namespace remat::search
