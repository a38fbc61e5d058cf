// SPDX-License-Identifier: Apache-2.0
#include "solvers/checkmate/path_cuts.h"

#include <algorithm>
#include <cmath>

namespace remat::checkmate {

namespace {

constexpr double kLeastViolation = 0.02;
constexpr int kRounds = 40;
constexpr int kRowsPerRound = 400;
constexpr double kLeastGain = 1e-3; ///< least gain of the bound, over a few rounds
constexpr int kPatience = 4;        ///< rounds

struct Cut {
    double violation = 0;
    int from = 0, to = 0; ///< slots (from, to]
    std::vector<ilp::Term> row;
};

class Separator
{
public:
    Separator(const FlatGraph &flat, const SlotProgram &slots, const std::vector<double> &x)
        : m_flat(flat), m_slots(slots), m_x(x)
    {
        m_sums.assign(flat.ops, std::vector<double>(flat.ops + 2, 0));
        for (int i = 0; i < flat.ops; ++i)
            for (int t = 0; t <= flat.ops; ++t)
                m_sums[i][t + 1] = m_sums[i][t] + computed(t, i);
        if (!slots.fetches.empty()) m_fetches.resize(flat.storages());
        for (const SlotProgram::Fetch &fetch : slots.fetches)
            m_fetches[fetch.storage].push_back(&fetch);
    }

    std::vector<Cut> run()
    {
        std::vector<Cut> cuts;
        for (int t = 1; t < m_flat.ops; ++t) {
            // Per op v: storages made before t that it is the next to read.
            std::vector<std::vector<int>> needed(m_flat.ops + 1);
            for (int s = 0; s < m_flat.storages(); ++s) {
                if (m_flat.producer[s] < 0 || m_flat.producer[s] >= t || m_flat.bytes[s] == 0) continue;
                const std::vector<int> &readers = m_flat.readers[s];
                const auto next = std::lower_bound(readers.begin(), readers.end(), t);
                if (next != readers.end())
                    needed[*next].push_back(s);
                else if (m_flat.output[s])
                    needed[m_flat.ops].push_back(s);
            }
            for (int v = t + 1; v <= m_flat.ops; ++v)
                if (!needed[v].empty()) separate(t, v, needed[v], cuts);
        }
        std::stable_sort(cuts.begin(), cuts.end(),
                         [](const Cut &a, const Cut &b) { return a.violation > b.violation; });
        return cuts;
    }

private:
    double computed(int t, int i) const
    {
        double sum = 0;
        for (const std::vector<int> &pass : m_slots.R[t])
            sum += pass[i] >= 0 ? m_x[pass[i]] : 0;
        return sum;
    }

    double held(int t, int s) const
    {
        if (m_flat.bytes[s] == 0) return 1;
        const int column = m_slots.S[t][s];
        return column >= 0 ? m_x[column] : 0;
    }

    /// Calls `visit` with the columns that bring s back after it was looked at in slot t, up to the first
    /// computation of op v.
    template <class Visit>
    void fetched(int s, int t, int v, const Visit &visit) const
    {
        if (m_fetches.empty()) return;
        for (const SlotProgram::Fetch *fetch : m_fetches[s])
            if (fetch->slot <= v && (fetch->slot > t || (fetch->slot == t && fetch->reader == t))) visit(fetch->column);
    }

    /// How much of each op must be computed again in the slots (t, v], by the worst path.
    void separate(int t, int v, const std::vector<int> &needed, std::vector<Cut> &cuts)
    {
        m_share.assign(t, 0);
        m_last.assign(t, -1);
        m_previous.assign(t, -1);
        const auto ask = [&](double share, int storage, int previous) {
            double left = share - held(t, storage);
            if (left <= 0) return;
            fetched(storage, t, v, [&](int column) { left -= m_x[column]; });
            const int maker = m_flat.producer[storage];
            if (left <= m_share[maker]) return;
            m_share[maker] = left;
            m_last[maker] = storage;
            m_previous[maker] = previous;
        };
        for (const int s : needed)
            ask(1, s, -1);
        int worst = -1;
        double violation = kLeastViolation;
        for (int i = t; i-- > 0;) {
            if (m_share[i] <= kLeastViolation) continue;
            const double missing = m_share[i] - (m_sums[i][v + 1] - m_sums[i][t + 1]);
            if (missing > violation) {
                violation = missing;
                worst = i;
            }
            for (const int s : m_flat.inputs[i])
                ask(m_share[i], s, i);
        }
        if (worst < 0) return;
        Cut cut{violation, t, v, {}};
        for (int slot = t + 1; slot <= v; ++slot)
            for (const std::vector<int> &pass : m_slots.R[slot])
                if (pass[worst] >= 0) cut.row.push_back({pass[worst], 1});
        for (int i = worst; i >= 0; i = m_previous[i]) {
            if (m_slots.S[t][m_last[i]] >= 0) cut.row.push_back({m_slots.S[t][m_last[i]], 1});
            fetched(m_last[i], t, v, [&](int column) { cut.row.push_back({column, 1}); });
        }
        cuts.push_back(std::move(cut));
    }

    const FlatGraph &m_flat;
    const SlotProgram &m_slots;
    const std::vector<double> &m_x;
    std::vector<std::vector<double>> m_sums;                        ///< [op][t + 1]: computed in slots up to t
    std::vector<std::vector<const SlotProgram::Fetch *>> m_fetches; ///< per storage; empty without paging
    std::vector<double> m_share;                                    ///< per op
    std::vector<int> m_last, m_previous; ///< per op: the storage it is asked for, and the op that asks
};

} // namespace

int addPathCuts(const FlatGraph &flat, SlotProgram &slots, const std::vector<double> &x, int limit)
{
    const std::vector<Cut> cuts = Separator(flat, slots, x).run();
    int added = 0;
    for (const Cut &cut : cuts) {
        if (added == limit) break;
        slots.model.addAtLeast(1, cut.row);
        ++added;
    }
    return added;
}

ilp::Relaxation tightenByPathCuts(const FlatGraph &flat, SlotProgram &slots, const ilp::Limits &limits,
                                  const RelaxationListener &told)
{
    ilp::LinearProgram program(slots.model);
    ilp::Relaxation best = program.solve(limits), now = best;
    double mark = best.bound;
    if (told) told(best, 0);
    for (int round = 1; round <= kRounds && now.status == ilp::Status::Optimal; ++round) {
        const int rows = addPathCuts(flat, slots, now.x, kRowsPerRound);
        if (rows == 0) break;
        program.addRowsOf(slots.model);
        now = program.solve(limits);
        if (told) told(now, rows);
        if (now.bound > best.bound) best = now;
        if (round % kPatience != 0) continue;
        if (best.bound - mark < kLeastGain * std::abs(best.bound)) break;
        mark = best.bound;
    }
    return best;
}

} // namespace remat::checkmate
