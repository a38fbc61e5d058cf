#include "solvers/hiremate/repair.h"

#include "solvers/hiremate/compose.h"

#include <algorithm>
#include <queue>

namespace remat::hiremate {

namespace {

constexpr double kTinyShare = 2e-5;
constexpr int kPriceRises = 12;
constexpr int kMaxClosure = 80;
constexpr int kMaxEstimate = 200;

/// A use of a storage: made or read, in slot `stage`, by op `op` (the stage's own op or a recomputation in its slot).
struct Event {
    int stage = 0, op = 0;
    bool read = false;
    bool before(int otherStage, int otherOp) const { return stage != otherStage ? stage < otherStage : op < otherOp; }
};

/// A gap between two events of a storage, the second a read, worth closing by computing the producer again there.
struct Candidate {
    double value = 0; ///< overflow taken off per µs, when last measured
    int storage = 0;
    int stage = 0; ///< slot of the read
    bool operator<(const Candidate &other) const
    {
        if (value != other.value) return value < other.value;
        return storage != other.storage ? storage < other.storage : stage < other.stage;
    }
};

class Repair
{
public:
    Repair(const FlatGraph &flat, SequenceEvaluator &evaluator, std::int64_t budgetBytes,
           const std::function<bool()> &stop)
        : m_flat(flat), m_evaluator(evaluator), m_budget(budgetBytes), m_stop(stop)
    {
    }

    Repaired run(std::vector<Recompute> start)
    {
        tidyRecomputes(m_flat, start);
        accept(std::move(start));
        double totalUs = 0, totalBytes = 0;
        for (const double time : m_flat.timeUs)
            totalUs += time;
        for (const std::int64_t bytes : m_flat.bytes)
            totalBytes += static_cast<double>(bytes);
        m_price = totalUs / std::max(totalBytes, 1.0) / 20;
        for (int rise = 0; rise < kPriceRises && m_now.overflow > 0 && !m_stop(); ++rise) {
            sweep();
            m_price *= 4;
        }
        std::vector<Recompute> result = m_set;
        undo(m_flat, m_evaluator, m_budget, result, m_stop);
        const std::int64_t peak = replay(m_flat, m_evaluator, result).peakBytes;
        return {std::move(result), peak, peak <= m_budget};
    }

private:
    struct Measure {
        double overflow = 0; ///< Σ over stages of bytes over the budget
        double timeUs = 0;
    };

    Measure measure(const std::vector<Recompute> &set, std::vector<std::int64_t> &stageBytes)
    {
        m_evaluator.profile(toSequence(m_flat, set), m_held);
        stageBytes.assign(m_flat.ops, 0);
        std::size_t next = 0, position = 0;
        Measure measure;
        for (int i = 0; i < m_flat.ops; ++i) {
            std::int64_t highest = 0;
            for (; next < set.size() && set[next].stage <= i; ++next)
                highest = std::max(highest, m_held[position++]);
            highest = std::max(highest, m_held[position++]);
            stageBytes[i] = highest;
            measure.overflow += static_cast<double>(std::max<std::int64_t>(0, highest - m_budget));
        }
        measure.timeUs = extraTimeUs(m_flat, set);
        return measure;
    }

    void accept(std::vector<Recompute> set)
    {
        m_set = std::move(set);
        m_now = measure(m_set, m_stageBytes);
        m_events.assign(m_flat.storages(), {});
        std::size_t next = 0;
        const auto visit = [&](int stage, int op) {
            for (const int s : m_flat.inputs[op])
                m_events[s].push_back({stage, op, true});
            for (const int s : m_flat.outputs[op])
                m_events[s].push_back({stage, op, false});
        };
        for (int i = 0; i < m_flat.ops; ++i) {
            for (; next < m_set.size() && m_set[next].stage == i; ++next)
                visit(i, m_set[next].op);
            visit(i, i);
        }
        m_overBefore.assign(m_flat.ops + 1, 0);
        for (int i = 0; i < m_flat.ops; ++i)
            m_overBefore[i + 1] = m_overBefore[i] + (m_stageBytes[i] > m_budget ? 1 : 0);
    }

    bool overBetween(int afterStage, int beforeStage) const
    {
        return beforeStage > afterStage + 1 && m_overBefore[beforeStage] > m_overBefore[afterStage + 1];
    }

    /// One pass at the current price: a heap of gaps, measured again when they come to the top.
    void sweep()
    {
        std::priority_queue<Candidate> heap;
        for (int s = 0; s < m_flat.storages(); ++s)
            pushGaps(s, heap);
        while (!heap.empty() && m_now.overflow > 0 && !m_stop()) {
            Candidate best = heap.top();
            heap.pop();
            std::vector<Recompute> set;
            const double value = tryDrop(best, set);
            if (value <= 0) continue;
            if (!heap.empty() && value < 0.999 * heap.top().value) {
                best.value = value;
                heap.push(best);
                continue;
            }
            const std::vector<Recompute> old = m_set;
            accept(std::move(set));
            m_price = std::max(m_price, 0.5 / value);
            for (const Recompute &added : m_set)
                if (!std::binary_search(old.begin(), old.end(), added))
                    for (const int s : m_flat.inputs[added.op])
                        pushGaps(s, heap);
            pushGaps(best.storage, heap);
        }
    }

    void pushGaps(int s, std::priority_queue<Candidate> &heap)
    {
        if (m_flat.producer[s] < 0 || m_flat.once[m_flat.producer[s]] || m_events[s].size() < 2) return;
        const std::int64_t largest = *std::max_element(m_stageBytes.begin(), m_stageBytes.end());
        if (static_cast<double>(m_flat.bytes[s]) < kTinyShare * static_cast<double>(largest)) return;
        for (std::size_t e = 1; e < m_events[s].size(); ++e) {
            const Event &from = m_events[s][e - 1], &to = m_events[s][e];
            if (!to.read || !overBetween(from.stage, to.stage)) continue;
            Candidate candidate{0, s, to.stage};
            std::vector<Recompute> set;
            candidate.value = tryDrop(candidate, set);
            if (candidate.value > 0) heap.push(candidate);
        }
    }

    /// Overflow taken off per µs by the drop, with the set after it; 0 when it does not help.
    double tryDrop(const Candidate &candidate, std::vector<Recompute> &set)
    {
        m_added.clear();
        close(m_flat.producer[candidate.storage], candidate.stage);
        set = m_set;
        set.insert(set.end(), m_added.begin(), m_added.end());
        tidyRecomputes(m_flat, set);
        const Measure after = measure(set, m_trialBytes);
        const double off = m_now.overflow - after.overflow;
        if (off <= 0) return 0;
        return off / std::max(after.timeUs - m_now.timeUs, 1e-3);
    }

    /// Adds (stage, op) and decides for each missing input between holding its last copy longer and its own closure.
    void close(int op, int stage)
    {
        if (static_cast<int>(m_added.size()) >= kMaxClosure) return;
        const Recompute self{stage, op};
        if (std::binary_search(m_set.begin(), m_set.end(), self) ||
            std::find(m_added.begin(), m_added.end(), self) != m_added.end())
            return;
        m_added.push_back(self);
        for (const int s : m_flat.inputs[op]) {
            const double hold = holdCost(s, op, stage);
            if (hold <= 0 || m_flat.once[m_flat.producer[s]]) continue;
            int budget = kMaxEstimate;
            if (closureCost(m_flat.producer[s], stage, hold, budget) < hold) close(m_flat.producer[s], stage);
        }
    }

    /// Price of holding the last copy of s until (stage, reader); 0 when it is there anyway.
    double holdCost(int s, int reader, int stage) const
    {
        const std::vector<Event> &events = m_events[s];
        const auto next =
            std::partition_point(events.begin(), events.end(), [&](const Event &e) { return e.before(stage, reader); });
        if (m_flat.output[s] && next == events.end()) return 0;
        if (next != events.end() && next->read) return 0;
        for (const Recompute &added : m_added)
            if (added.stage == stage && added.op == m_flat.producer[s]) return 0;
        double extra = 0;
        for (int u = std::prev(next)->stage + 1; u < stage; ++u) {
            const std::int64_t over = m_stageBytes[u] - m_budget;
            extra += static_cast<double>(std::max<std::int64_t>(0, over + m_flat.bytes[s]) -
                                         std::max<std::int64_t>(0, over));
        }
        return m_price * extra;
    }

    /// Time of computing `op` again in `stage` with the cheaper choice for each input, cut off at `limit`.
    double closureCost(int op, int stage, double limit, int &visits) const
    {
        double cost = m_flat.timeUs[op];
        if (m_flat.once[op]) return limit;
        for (const int s : m_flat.inputs[op]) {
            if (cost >= limit || --visits < 0) return limit;
            const double hold = holdCost(s, op, stage);
            if (hold <= 0) continue;
            cost += std::min(hold, closureCost(m_flat.producer[s], stage, std::min(hold, limit - cost), visits));
        }
        return cost;
    }

    const FlatGraph &m_flat;
    SequenceEvaluator &m_evaluator;
    const std::int64_t m_budget;
    const std::function<bool()> &m_stop;
    double m_price = 0; ///< µs per byte and overfull stage
    std::vector<Recompute> m_set;
    Measure m_now;
    std::vector<std::int64_t> m_stageBytes, m_trialBytes, m_held;
    std::vector<std::vector<Event>> m_events;
    std::vector<int> m_overBefore;  ///< prefix count of stages over the budget
    std::vector<Recompute> m_added; ///< by the drop being tried
};

} // namespace

Repaired repair(const FlatGraph &flat, SequenceEvaluator &evaluator, std::int64_t budgetBytes,
                std::vector<Recompute> recomputes, const std::function<bool()> &stop)
{
    return Repair(flat, evaluator, budgetBytes, stop).run(std::move(recomputes));
}

} // namespace remat::hiremate
