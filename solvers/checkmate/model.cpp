// SPDX-License-Identifier: Apache-2.0
#include "solvers/checkmate/model.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace remat::checkmate {

namespace {

constexpr int kNone = -1;
constexpr std::int64_t kLargestWhole = 1'000'000; ///< largest coefficient of a memory row, when all are whole numbers
constexpr double kLargestCoefficient = 1e4;       ///< otherwise
constexpr double kLargestTime = 1e3;

class Builder
{
public:
    Builder(const FlatGraph &flat, const ModelSettings &settings) : m_flat(flat), m_settings(settings)
    {
        m_mayRecompute = settings.mayRecompute;
        if (m_mayRecompute.empty()) m_mayRecompute.assign(flat.ops, 1);
        for (int i = 0; i < flat.ops; ++i)
            if (flat.once[i]) m_mayRecompute[i] = 0;
        setUnits();
        findUseful();
        m_now.assign(flat.storages(), kNone);
        m_touched.assign(flat.storages(), 0);
    }

    SlotProgram build()
    {
        m_one = m_slots.model.addColumn(0, 1, 1, false);
        if (m_settings.paging) addLeaving();
        if (m_settings.leastPeak) m_slots.over = m_slots.model.addColumn(1, 0, ilp::kInfinity, false);
        m_slots.R.resize(m_flat.ops + 1);
        for (int t = 0; t <= m_flat.ops; ++t) {
            for (int s = 0; s < m_flat.storages(); ++s)
                if (!m_useful[t][s]) m_now[s] = kNone;
            const int passes = m_settings.passes.empty() ? 0 : m_settings.passes[t];
            if (passes == 0)
                addCoarseSlot(t);
            else
                addFineSlot(t, passes);
            m_slots.S.push_back(m_now);
            if (t < m_flat.ops && !leftOut(t)) addFirst(t);
        }
        if (fine(m_flat.ops))
            for (int s = 0; s < m_flat.storages(); ++s)
                if (m_flat.output[s] && sized(s)) fetchFor(m_flat.ops, 0, m_flat.ops, s, m_one);
        std::vector<ilp::Term> atEnd;
        for (int s = 0; s < m_flat.storages(); ++s) {
            if (!m_flat.output[s] || !sized(s)) continue;
            atEnd.push_back({m_now[s], units(m_flat.bytes[s])});
            m_slots.model.lower[m_now[s]] = 1;
        }
        addWithinBudget(m_flat.ops, std::move(atEnd));
        if (m_settings.paging) limitCopies();
        if (std::isfinite(m_settings.mostAddedUs)) limitTime();
        if (m_settings.mostComputations > 0) limitComputations();
        return std::move(m_slots);
    }

private:
    /// What has no bytes is there from its first computation on, and its makers need not be computed again for it.
    bool sized(int s) const { return m_flat.bytes[s] > 0; }
    double units(std::int64_t bytes) const { return static_cast<double>(bytes) / m_slots.unitBytes; }

    bool leftOut(int i) const { return !m_settings.leftOut.empty() && m_settings.leftOut[i]; }

    std::int64_t making(int i) const
    {
        std::int64_t bytes = m_flat.workspaceBytes[i];
        for (const int s : m_flat.outputs[i])
            bytes += m_flat.bytes[s];
        return bytes;
    }

    /// Whole numbers of the largest common part of all sizes, when they are small enough for the solver.
    void setUnits()
    {
        std::int64_t common = 0, largest = 1;
        for (int i = 0; i < m_flat.ops; ++i) {
            common = std::gcd(common, m_flat.workspaceBytes[i]);
            for (const int s : m_flat.outputs[i])
                common = std::gcd(common, m_flat.bytes[s]);
            largest = std::max(largest, making(i));
        }
        common = std::max<std::int64_t>(common, 1);
        m_slots.unitBytes = largest / common <= kLargestWhole ? static_cast<double>(common)
                                                              : static_cast<double>(largest) / kLargestCoefficient;
        m_budgetUnits = static_cast<double>(m_settings.budgetBytes) / m_slots.unitBytes;
        if (largest / common <= kLargestWhole) m_budgetUnits = std::floor(m_budgetUnits);
        double longest = m_flat.timeUs.empty() ? 0 : *std::max_element(m_flat.timeUs.begin(), m_flat.timeUs.end());
        if (m_settings.paging)
            for (const double price : m_settings.paging->priceUs)
                longest = std::max(longest, price);
        if (longest > 0) m_slots.unitUs = longest / kLargestTime;
        const double step = m_settings.paging ? 0 : timeStepUs(m_flat);
        if (step > 0 && longest / step <= kLargestTime) m_slots.unitUs = step;
    }

    /// Storages that can still matter before the first computation of op t: outputs, what a later op reads, and what
    /// an earlier one reads that may make such a storage again.
    void findUseful()
    {
        m_useful.assign(m_flat.ops + 1, m_flat.output);
        for (int t = 0; t <= m_flat.ops; ++t)
            for (int i = m_flat.ops; i-- > 0;)
                if (!leftOut(i) && (i >= t || recomputable(t, i)))
                    for (const int s : m_flat.inputs[i])
                        m_useful[t][s] = 1;
    }

    bool recomputable(int t, int i) const
    {
        const std::vector<int> &outputs = m_flat.outputs[i];
        return i < t && m_mayRecompute[i] && !leftOut(i) &&
               std::any_of(outputs.begin(), outputs.end(), [&](int s) { return sized(s) && m_useful[t][s]; });
    }

    bool fine(int t) const { return !m_settings.passes.empty() && m_settings.passes[t] > 0; }

    void addLeaving()
    {
        m_slots.MOut.assign(m_flat.storages(), kNone);
        for (int s = 0; s < m_flat.storages(); ++s)
            if (m_settings.paging->mayLeave[s] && m_flat.producer[s] >= 0 && sized(s))
                m_slots.MOut[s] = m_slots.model.addBinary(copyPrice(s));
    }

    double copyPrice(int s) const { return m_settings.leastPeak ? 0 : m_settings.paging->priceUs[s] / m_slots.unitUs; }

    /// A column MIn; −1 for what stays.
    int addFetch(int t, int pass, int reader, int s)
    {
        if (!m_settings.paging || m_slots.MOut[s] == kNone || m_flat.producer[s] >= t) return kNone;
        const int column = m_slots.model.addBinary(copyPrice(s));
        m_slots.model.addAtMost({{column, 1}, {m_slots.MOut[s], -1}}, 0);
        m_slots.fetches.push_back({t, pass, reader, s, column});
        return column;
    }

    /// In a fine slot: s may come back just before it is read by what `compute` says.
    void fetchFor(int t, int pass, int reader, int s, int compute)
    {
        const int column = addFetch(t, pass, reader, s);
        if (column == kNone) return;
        if (compute != m_one) m_slots.model.addAtMost({{column, 1}, {compute, -1}}, 0);
        next(s, column);
    }

    void limitCopies()
    {
        const PagingPrices &paging = *m_settings.paging;
        std::vector<ilp::Term> out, in;
        const auto units = [&](int s) { return paging.copyUs[s] / m_slots.unitUs; };
        for (int s = 0; s < m_flat.storages(); ++s)
            if (m_slots.MOut[s] != kNone) out.push_back({m_slots.MOut[s], units(s)});
        for (const SlotProgram::Fetch &fetch : m_slots.fetches)
            in.push_back({fetch.column, units(fetch.storage)});
        if (std::isfinite(paging.mostOutUs)) m_slots.model.addAtMost(std::move(out), paging.mostOutUs / m_slots.unitUs);
        if (std::isfinite(paging.mostInUs)) m_slots.model.addAtMost(std::move(in), paging.mostInUs / m_slots.unitUs);
    }

    void limitTime()
    {
        std::vector<ilp::Term> row;
        for (const std::vector<std::vector<int>> &slot : m_slots.R)
            for (const std::vector<int> &pass : slot)
                for (int i = 0; i < m_flat.ops; ++i)
                    if (pass[i] >= 0) row.push_back({pass[i], m_flat.timeUs[i] / m_slots.unitUs});
        m_slots.model.addAtMost(std::move(row), m_settings.mostAddedUs / m_slots.unitUs);
    }

    int addCompute(int i)
    {
        return m_slots.model.addBinary(m_settings.leastPeak ? 0 : m_flat.timeUs[i] / m_slots.unitUs);
    }

    /// A storage after an event: a new column, at most what it was before and what the event makes or fetches.
    void next(int s, int madeBy, int fetched = kNone)
    {
        const int column = m_slots.model.addBinary(0);
        std::vector<ilp::Term> row{{column, 1}};
        if (m_now[s] != kNone) row.push_back({m_now[s], -1});
        if (madeBy != kNone) row.push_back({madeBy, -1});
        if (fetched != kNone) row.push_back({fetched, -1});
        m_slots.model.addAtMost(std::move(row), 0);
        m_now[s] = column;
        m_touched[s] = 0;
    }

    void addCoarseSlot(int t)
    {
        std::vector<int> compute(m_flat.ops, kNone);
        std::vector<char> changes = m_touched;
        std::vector<int> fetched(m_flat.storages(), kNone);
        const auto fetch = [&](int s) {
            if (fetched[s] == kNone) fetched[s] = addFetch(t, 0, kNone, s);
            changes[s] = 1;
        };
        if (m_settings.paging) {
            for (int s = 0; s < m_flat.storages(); ++s)
                if (t == m_flat.ops && m_flat.output[s]) fetch(s);
            if (t < m_flat.ops)
                for (const int s : m_flat.inputs[t])
                    fetch(s);
        }
        for (int i = 0; i < t; ++i) {
            if (!recomputable(t, i)) continue;
            compute[i] = addCompute(i);
            for (const int s : m_flat.outputs[i])
                changes[s] = 1;
            for (const int s : m_flat.inputs[i]) {
                if (!sized(s)) continue;
                fetch(s);
                std::vector<ilp::Term> row{{compute[i], 1}};
                if (m_now[s] != kNone) row.push_back({m_now[s], -1});
                if (fetched[s] != kNone) row.push_back({fetched[s], -1});
                if (compute[m_flat.producer[s]] != kNone) row.push_back({compute[m_flat.producer[s]], -1});
                m_slots.model.addAtMost(std::move(row), 0);
            }
        }
        for (int s = 0; s < m_flat.storages(); ++s)
            if (changes[s] && m_useful[t][s] && sized(s)) next(s, compute[m_flat.producer[s]], fetched[s]);
        m_slots.R[t].push_back(std::move(compute));
    }

    void addFineSlot(int t, int passes)
    {
        for (int s = 0; s < m_flat.storages(); ++s)
            if (m_touched[s] && m_now[s] != kNone) next(s, kNone);
        for (int pass = 0; pass < passes; ++pass) {
            std::vector<int> compute(m_flat.ops, kNone);
            for (int i = 0; i < t; ++i) {
                if (!recomputable(t, i)) continue;
                compute[i] = addCompute(i);
                for (const int s : m_flat.inputs[i])
                    if (sized(s)) fetchFor(t, pass, i, s, compute[i]);
                addMemoryRow(t, i, compute[i]);
                for (const int s : m_flat.inputs[i]) {
                    if (!sized(s)) continue;
                    std::vector<ilp::Term> row{{compute[i], 1}};
                    if (m_now[s] != kNone) row.push_back({m_now[s], -1});
                    m_slots.model.addAtMost(std::move(row), 0);
                    if (m_now[s] != kNone) next(s, kNone);
                }
                std::vector<ilp::Term> already{{compute[i], 1}};
                for (const int s : m_flat.outputs[i])
                    if (m_now[s] != kNone) already.push_back({m_now[s], 1});
                const auto sizedOutputs = std::count_if(m_flat.outputs[i].begin(), m_flat.outputs[i].end(),
                                                        [this](int s) { return sized(s); });
                if (static_cast<std::ptrdiff_t>(already.size()) > sizedOutputs)
                    m_slots.model.addAtMost(std::move(already), static_cast<double>(sizedOutputs));
                for (const int s : m_flat.outputs[i])
                    if (sized(s) && m_useful[t][s]) next(s, compute[i]);
            }
            m_slots.R[t].push_back(std::move(compute));
        }
    }

    /// What is held, and what computing i again takes, is within the budget.
    void addMemoryRow(int t, int i, int compute)
    {
        std::vector<ilp::Term> memory{{compute, units(making(i))}};
        for (int s = 0; s < m_flat.storages(); ++s)
            if (m_now[s] != kNone) memory.push_back({m_now[s], units(m_flat.bytes[s])});
        addWithinBudget(i == t ? kNone : t, std::move(memory));
    }

    /// `slot`: the one whose reserved bytes are in use meanwhile; −1: none.
    void addWithinBudget(int slot, std::vector<ilp::Term> memory)
    {
        const bool reserved = slot != kNone && !m_settings.reservedBytes.empty();
        if (m_slots.over >= 0) memory.push_back({m_slots.over, -1});
        m_slots.model.addAtMost(std::move(memory),
                                reserved ? m_budgetUnits - units(m_settings.reservedBytes[slot]) : m_budgetUnits);
    }

    void limitComputations()
    {
        for (int i = 0; i < m_flat.ops; ++i) {
            std::vector<ilp::Term> row;
            for (const std::vector<std::vector<int>> &slot : m_slots.R)
                for (const std::vector<int> &pass : slot)
                    if (pass[i] >= 0) row.push_back({pass[i], 1});
            if (static_cast<int>(row.size()) >= m_settings.mostComputations)
                m_slots.model.addAtMost(std::move(row), m_settings.mostComputations - 1);
        }
    }

    void addFirst(int t)
    {
        for (const int s : m_flat.inputs[t]) {
            if (!sized(s)) continue;
            if (fine(t)) fetchFor(t, 0, t, s, m_one);
            m_slots.model.lower[m_now[s]] = 1;
            m_touched[s] = 1;
        }
        addMemoryRow(t, t, m_one);
        for (const int s : m_flat.outputs[t]) {
            if (!sized(s)) continue;
            m_now[s] = m_one;
            m_touched[s] = 1;
        }
    }

    const FlatGraph &m_flat;
    const ModelSettings &m_settings;
    SlotProgram m_slots;
    double m_budgetUnits = 0;
    int m_one = 0; ///< column of what is surely there
    std::vector<char> m_mayRecompute;
    std::vector<std::vector<char>> m_useful; ///< by [slot][storage]
    std::vector<int> m_now;                  ///< per storage: its column after the event added last
    std::vector<char> m_touched;             ///< per storage: may go after the first computation added last
};

} // namespace

double timeStepUs(const FlatGraph &flat)
{
    constexpr double kLargestExact = 1e9;
    std::int64_t common = 0;
    for (const double us : flat.timeUs) {
        if (us > kLargestExact || us != std::floor(us)) return 0;
        common = std::gcd(common, static_cast<std::int64_t>(us));
    }
    return static_cast<double>(common);
}

double roundedUpUs(double extraUs, double stepUs)
{
    constexpr double kAlmostNothing = 1e-5; // share of a step, for the tolerances of the solvers
    if (stepUs <= 0 || !std::isfinite(extraUs)) return extraUs;
    return stepUs * std::ceil(extraUs / stepUs - kAlmostNothing);
}

SlotProgram buildSlotProgram(const FlatGraph &flat, const ModelSettings &settings)
{
    return Builder(flat, settings).build();
}

std::vector<OpId> readSequence(const FlatGraph &flat, const SlotProgram &slots, const std::vector<double> &x)
{
    std::vector<OpId> sequence;
    for (int t = 0; t <= flat.ops; ++t) {
        for (const std::vector<int> &pass : slots.R[t])
            for (int i = 0; i < t; ++i)
                if (pass[i] >= 0 && x[pass[i]] > 0.5) sequence.emplace_back(i);
        if (t < flat.ops) sequence.emplace_back(t);
    }
    return dropUselessRecomputes(*flat.graph, std::move(sequence));
}

} // namespace remat::checkmate
