#include "solvers/search/greedy.h"

#include "solvers/search/drop.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <queue>

namespace remat::search {

namespace {

/// Storages below this share of the peak are not worth a drop of their own.
constexpr double kTinyShare = 2e-5;
constexpr int kPriceRises = 12;
constexpr double kPriceRise = 4;
/// A drop is taken when, measured again, it is still worth this share of the next one.
constexpr double kStillBest = 0.97;

struct Candidate {
    double value = 0; ///< bytes × stages taken off per µs: when last measured, or at best
    Gap gap;

    bool operator<(const Candidate &other) const
    {
        if (value != other.value) return value < other.value;
        if (gap.storage != other.gap.storage) return gap.storage < other.gap.storage;
        return gap.to < other.gap.to;
    }
};

class Greedy
{
public:
    Greedy(State &state, const StopCheck &stop) : m_state(state), m_drop(state, 0), m_stop(stop)
    {
        const FlatGraph &flat = state.flat();
        const double totalUs = std::accumulate(flat.timeUs.begin(), flat.timeUs.end(), 0.0);
        double totalBytes = 1;
        for (const std::int64_t bytes : flat.bytes)
            totalBytes += static_cast<double>(bytes);
        m_drop.setPrice(totalUs / totalBytes / 20);
        m_tiny = static_cast<std::int64_t>(kTinyShare * static_cast<double>(state.memory().peak()));
    }

    void run()
    {
        for (int rise = 0; rise < kPriceRises && !m_state.fits() && !m_stop(); ++rise) {
            sweep();
            m_drop.setPrice(m_drop.price() * kPriceRise);
        }
    }

private:
    void sweep()
    {
        m_heap = {};
        for (int s = 0; s < m_state.flat().storages(); ++s)
            pushGaps(s);
        while (!m_heap.empty() && !m_state.fits() && !m_stop()) {
            Candidate best = m_heap.top();
            m_heap.pop();
            if (!stillThere(best.gap)) continue;
            const double value = tryDrop(best.gap);
            if (value <= 0) continue;
            if (!m_heap.empty() && value < kStillBest * m_heap.top().value) {
                m_state.rollback(0);
                best.value = value;
                m_heap.push(best);
                continue;
            }
            m_drop.setPrice(std::max(m_drop.price(), 0.5 / value));
            const std::vector<Key> changed = m_state.journal();
            m_state.commit();
            pushGaps(best.gap.storage);
            for (const Key step : changed)
                if (m_state.has(step))
                    for (const int s : m_state.flat().inputs[opOf(step)])
                        pushGaps(s);
        }
    }

    bool stillThere(const Gap &gap) const
    {
        const std::vector<Key> &events = m_state.events(gap.storage);
        const std::size_t e = m_state.eventAt(gap.storage, gap.to);
        return e < events.size() && events[e] == gap.to && events[e - 1] == gap.from;
    }

    void pushGaps(int s)
    {
        const FlatGraph &flat = m_state.flat();
        const std::vector<Key> &events = m_state.events(s);
        if (events.size() < 2 || flat.once[flat.producer[s]] || flat.bytes[s] < m_tiny || flat.bytes[s] == 0) return;
        for (std::size_t e = 1; e < events.size(); ++e) {
            if (m_state.makes(events[e], s)) continue;
            const Gap gap{s, events[e - 1], events[e]};
            const auto off = static_cast<double>(
                m_state.memory().overflowOfLess(stageOf(gap.from) + 1, stageOf(gap.to), flat.bytes[s]));
            if (off > 0) m_heap.push({off / std::max(flat.timeUs[flat.producer[s]], kLeastUs), gap});
        }
    }

    /// What the drop takes off per µs; it is made when that is more than nothing, and nothing is changed otherwise.
    double tryDrop(const Gap &gap)
    {
        const auto overflow = static_cast<double>(m_state.overflow());
        const double us = m_state.extraUs();
        if (!m_drop(dropStage(m_state, gap), m_state.flat().producer[gap.storage])) return 0;
        const double off = overflow - static_cast<double>(m_state.overflow());
        if (off > 0) return off / std::max(m_state.extraUs() - us, kLeastUs);
        m_state.rollback(0);
        return 0;
    }

    static constexpr double kLeastUs = 1e-3;

    State &m_state;
    Drop m_drop;
    const StopCheck &m_stop;
    std::int64_t m_tiny = 0;
    std::priority_queue<Candidate> m_heap;
};

} // namespace

void greedy(State &state, const StopCheck &stop)
{
    state.commit();
    Greedy(state, stop).run();
}

void prune(State &state, const StopCheck &stop)
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
        if (state.overflow() > overflow) state.rollback(0);
        state.commit();
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
                 const StopCheck &stop)
{
    State state(flat, budgetBytes);
    state.assign(start);
    greedy(state, stop);
    prune(state, stop);
    return foundIn(state);
}

} // namespace remat::search
