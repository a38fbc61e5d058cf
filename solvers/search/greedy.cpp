// SPDX-License-Identifier: Apache-2.0
#include "solvers/search/greedy.h"

#include "solvers/search/descend.h"
#include "solvers/search/gap_queue.h"
#include "solvers/search/search_story.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace remat::search {

namespace {

constexpr int kPriceRises = 12;
/// Drops tried before the budget is taken to be out of reach: so many for each op, and a few thousand.
constexpr std::int64_t kTrialsPerOp = 4, kFewestTrials = 4000;
constexpr double kPriceRise = 4;
class Greedy
{
public:
    Greedy(State &state, const StopCheck &stop, SearchStory *story)
        : m_state(state), m_drop(state, 0), m_stop(stop), m_story(story), m_queue(state)
    {
        const FlatGraph &flat = state.flat();
        const double totalUs = std::accumulate(flat.timeUs.begin(), flat.timeUs.end(), 0.0);
        double totalBytes = 1;
        for (const std::int64_t bytes : flat.bytes)
            totalBytes += static_cast<double>(bytes);
        m_drop.setPrice(totalUs / totalBytes / 20);
        m_trialsLeft = std::max(kFewestTrials, kTrialsPerOp * flat.ops);
        m_leastBytes = std::max<std::int64_t>(
            1, static_cast<std::int64_t>(kTinyShare * static_cast<double>(state.memory().peak())));
    }

    void run()
    {
        for (int rise = 0; rise < kPriceRises && !m_state.fits() && goesOn(); ++rise) {
            sweep();
            m_drop.setPrice(m_drop.price() * kPriceRise);
        }
    }

private:
    bool goesOn() const { return m_trialsLeft > 0 && !m_stop(); }

    void sweep()
    {
        m_queue.clear();
        for (int s = 0; s < m_state.flat().storages(); ++s)
            m_queue.pushGapsOf(s, m_leastBytes);
        while (!m_state.fits() && goesOn() && m_queue.findBest()) {
            --m_trialsLeft;
            const Gap gap = m_queue.best();
            const double value = tryDrop(gap);
            if (m_story) m_story->tried(gap, value);
            if (value <= 0) {
                m_queue.remove();
                continue;
            }
            if (!m_queue.isStillBest(value)) {
                m_state.rollback(0);
                m_queue.keep(value);
                continue;
            }
            m_queue.remove();
            m_drop.setPrice(std::max(m_drop.price(), 0.5 / value));
            const std::vector<Key> changed = m_state.journal();
            m_state.commit();
            if (m_story) m_story->dropped(m_state, gap, changed);
            m_queue.pushGapsOf(gap.storage, m_leastBytes);
            for (const Key step : changed)
                if (m_state.has(step))
                    for (const int s : m_state.flat().inputs[opOf(step)])
                        m_queue.pushGapsOf(s, m_leastBytes);
        }
    }

    /// What the drop takes off per µs; it is made when that is more than nothing, and nothing is changed otherwise.
    double tryDrop(const Gap &gap)
    {
        const auto overflow = static_cast<double>(m_state.overflow());
        const double us = m_state.extraUs();
        if (!m_drop(dropSlot(m_state, gap), m_state.flat().producer[gap.storage])) return 0;
        const double off = overflow - static_cast<double>(m_state.overflow());
        if (off > 0) return off / std::max(m_state.extraUs() - us, kLeastUs);
        m_state.rollback(0);
        return 0;
    }

    State &m_state;
    Drop m_drop;
    const StopCheck &m_stop;
    SearchStory *m_story;
    std::int64_t m_leastBytes = 1, m_trialsLeft = 0;
    GapQueue m_queue;
};

} // namespace

void greedy(State &state, const StopCheck &stop, SearchStory *story)
{
    state.commit();
    if (story) story->beginGreedy(state);
    Greedy(state, stop, story).run();
}

void prune(State &state, const StopCheck &stop, SearchStory *story)
{
    state.commit();
    std::vector<Key> steps = state.steps();
    const std::vector<double> &us = state.flat().timeUs;
    std::sort(steps.begin(), steps.end(),
              [&](Key a, Key b) { return us[opOf(a)] != us[opOf(b)] ? us[opOf(a)] > us[opOf(b)] : a > b; });
    for (const Key step : steps) {
        if (!state.has(step)) continue;
        if (stop()) return;
        const std::int64_t overflow = state.overflow();
        state.remove(step);
        state.collect();
        const bool needed = state.overflow() > overflow;
        if (needed) state.rollback(0);
        state.commit();
        if (story && !needed) story->pruned(state, step);
    }
}

Found foundIn(const State &state)
{
    Found found;
    found.set = state.recomputes();
    found.extraUs = extraTimeUs(state.flat(), found.set);
    found.peakBytes = state.memory().peak();
    found.fits = state.fits();
    return found;
}

Found nothingFound()
{
    Found found;
    found.extraUs = std::numeric_limits<double>::infinity();
    found.peakBytes = std::numeric_limits<std::int64_t>::max();
    return found;
}

bool isBetter(const Found &a, const Found &b)
{
    if (a.fits != b.fits) return a.fits;
    if (!a.fits && a.peakBytes != b.peakBytes) return a.peakBytes < b.peakBytes;
    return a.extraUs < b.extraUs - 1e-9;
}

Found greedyPlan(const FlatGraph &flat, std::int64_t budgetBytes, const std::vector<Recompute> &start,
                 const StopCheck &stop, SearchStory *story)
{
    State state(flat, budgetBytes);
    state.assign(start);
    greedy(state, stop, story);
    prune(state, stop, story);
    Found found = foundIn(state);
    if (found.fits || stop()) return found;
    state.assign(start);
    Found slower = descend(state, budgetBytes, stop);
    return isBetter(slower, found) ? slower : found;
}

} // namespace remat::search
