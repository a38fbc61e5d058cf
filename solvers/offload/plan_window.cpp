// SPDX-License-Identifier: Apache-2.0
#include "solvers/offload/plan_window.h"

#include <algorithm>

namespace remat::offload {

namespace {

class WindowMaker
{
public:
    WindowMaker(const FlatGraph &flat, const Decisions &plan, const std::vector<char> &again)
        : m_flat(flat), m_plan(plan), m_again(again), m_free(flat.storages(), 0)
    {
        for (int i = 0; i < flat.ops; ++i)
            if (again[i])
                for (const auto *touched : {&flat.inputs[i], &flat.outputs[i]})
                    for (const int s : *touched)
                        m_free[s] = flat.bytes[s] > 0;
        std::vector<char> seen(flat.ops, 0);
        for (std::size_t p = 0; p < plan.sequence.size(); ++p) {
            const int op = plan.sequence[p].value;
            if (seen[op] && again[op]) continue;
            m_base.push_back({op, static_cast<int>(p), seen[op] == 0});
            seen[op] = 1;
        }
    }

    PlanWindow make()
    {
        holdTheRest();
        m_copy.assign(m_flat.storages(), -1);
        for (std::size_t b = 0; b < m_base.size(); ++b)
            addOp(static_cast<int>(b));
        m_window.reservedBytes.push_back(m_between.back());
        FlatGraph &small = m_window.flat;
        small.ops = static_cast<int>(m_window.opsOf.size());
        small.forwardOps = small.ops;
        for (int s = 0; s < m_flat.storages(); ++s)
            if (m_free[s] && m_flat.output[s]) small.output[m_copy[s]] = 1;
        return std::move(m_window);
    }

private:
    struct Base {
        int op = 0, position = 0; ///< in the plan
        bool first = false;
    };

    /// Bytes of storages outside of the window while each computation runs, and between it and the one before.
    void holdTheRest()
    {
        m_during.assign(m_base.size() + 1, 0);
        m_between.assign(m_base.size() + 1, 0);
        std::vector<std::int64_t> changes(m_base.size() + 2, 0), atUse(m_base.size() + 1, 0);
        std::vector<int> last(m_flat.storages(), -1);
        std::vector<char> left(m_flat.storages(), 0);
        auto fetch = m_plan.fetches.begin();
        std::vector<int> fetchedFor(m_flat.storages(), -1);
        const auto fetchUpTo = [&](int position) {
            for (; fetch != m_plan.fetches.end() && fetch->position <= position; ++fetch)
                fetchedFor[fetch->storage] = fetch->position;
        };
        const auto use = [&](int s, int b, int position) {
            if (m_free[s]) return;
            if (fetchedFor[s] == position) {
                const double copyUs = copyTimeUs(*m_flat.costs, m_flat.bytes[s]);
                m_window.fetches.push_back({b, s});
                m_window.inUs += copyUs;
                m_window.outUs += left[s] ? 0 : copyUs;
                left[s] = 1;
            } else {
                changes[last[s] + 1] += m_flat.bytes[s]; // held from there to here, and not on account of a use
                changes[b + 1] -= m_flat.bytes[s];
                atUse[b] += m_flat.bytes[s];
            }
            m_during[b] += m_flat.bytes[s];
            last[s] = b;
        };
        for (std::size_t b = 0; b < m_base.size(); ++b) {
            const auto [op, position, first] = m_base[b];
            fetchUpTo(position);
            for (const int s : m_flat.inputs[op])
                use(s, static_cast<int>(b), position);
            for (const int s : m_flat.outputs[op]) {
                if (m_free[s]) continue;
                m_during[b] += m_flat.bytes[s];
                last[s] = static_cast<int>(b);
            }
            m_window.computeUs += m_flat.timeUs[op];
        }
        const int end = static_cast<int>(m_plan.sequence.size());
        fetchUpTo(end);
        for (int s = 0; s < m_flat.storages(); ++s)
            if (m_flat.output[s] && m_flat.producer[s] >= 0) use(s, static_cast<int>(m_base.size()), end);
        std::int64_t held = 0;
        for (std::size_t b = 0; b <= m_base.size(); ++b) {
            held += changes[b];
            m_between[b] = held;
            m_during[b] += held - atUse[b];
        }
    }

    void addOp(int b)
    {
        const auto [op, position, first] = m_base[b];
        const auto isFree = [&](int s) { return m_free[s] != 0; };
        const bool touches = std::any_of(m_flat.inputs[op].begin(), m_flat.inputs[op].end(), isFree) ||
                             std::any_of(m_flat.outputs[op].begin(), m_flat.outputs[op].end(), isFree);
        const std::int64_t bytes = m_during[b] + m_flat.workspaceBytes[op];
        FlatGraph &small = m_window.flat;
        if (!touches && m_mergeable) {
            small.workspaceBytes.back() = std::max(small.workspaceBytes.back(), bytes);
            small.timeUs.back() += m_flat.timeUs[op];
            m_window.opsOf.back().push_back(op);
            return;
        }
        m_mergeable = !touches;
        const int made = static_cast<int>(m_window.opsOf.size());
        m_window.opsOf.push_back({op});
        m_window.reservedBytes.push_back(m_between[b]);
        small.workspaceBytes.push_back(bytes);
        small.timeUs.push_back(m_flat.timeUs[op]);
        small.once.push_back(touches && first && m_again[op] && !m_flat.once[op] ? 0 : 1);
        std::vector<int> &inputs = small.inputs.emplace_back(), &outputs = small.outputs.emplace_back();
        for (const int s : m_flat.inputs[op])
            if (m_free[s]) {
                inputs.push_back(m_copy[s]);
                small.readers[m_copy[s]].push_back(made);
            }
        for (const int s : m_flat.outputs[op]) {
            if (!m_free[s]) continue;
            m_copy[s] = static_cast<int>(m_window.storageOf.size());
            outputs.push_back(m_copy[s]);
            m_window.storageOf.push_back(s);
            small.bytes.push_back(m_flat.bytes[s]);
            small.producer.push_back(made);
            small.output.push_back(0);
            small.readers.emplace_back();
        }
    }

    const FlatGraph &m_flat;
    const Decisions &m_plan;
    const std::vector<char> &m_again;
    std::vector<char> m_free; ///< per storage: decided anew
    std::vector<Base> m_base; ///< computations that stay
    std::vector<std::int64_t> m_during, m_between;
    std::vector<int> m_copy; ///< per storage: its number in the window
    bool m_mergeable = false;
    PlanWindow m_window;
};

} // namespace

PlanWindow makeWindow(const FlatGraph &flat, const Decisions &plan, const std::vector<char> &again)
{
    return WindowMaker(flat, plan, again).make();
}

Decisions readDecisions(const PlanWindow &window, const checkmate::SlotProgram &slots, const std::vector<double> &x,
                        std::vector<int> &slotOf)
{
    Decisions decisions;
    const FlatGraph &flat = window.flat;
    std::vector<char> coming(flat.storages(), 0);
    auto fetch = slots.fetches.begin();
    auto kept = window.fetches.begin();
    int position = 0; // position among the computations that stay
    const auto now = [&] { return static_cast<int>(decisions.sequence.size()); };
    const auto come = [&](int slot, int pass, int reader) {
        for (; fetch != slots.fetches.end() && fetch->slot == slot && fetch->pass == pass && fetch->reader == reader;
             ++fetch)
            if (x[fetch->column] > 0.5) coming[fetch->storage] = 1;
    };
    const auto use = [&](int s) {
        if (coming[s]) decisions.fetches.push_back({now(), window.storageOf[s]});
        coming[s] = 0;
    };
    const auto compute = [&](int i) {
        for (const int s : flat.inputs[i])
            use(s);
        for (const int s : flat.outputs[i])
            coming[s] = 0;
    };
    const auto keep = [&] {
        for (; kept != window.fetches.end() && kept->position <= position; ++kept)
            decisions.fetches.push_back({now(), kept->storage});
        ++position;
    };
    slotOf.clear();
    for (int t = 0; t <= flat.ops; ++t) {
        come(t, 0, -1);
        for (std::size_t pass = 0; pass < slots.R[t].size(); ++pass)
            for (int i = 0; i < t; ++i) {
                come(t, static_cast<int>(pass), i);
                if (slots.R[t][pass][i] < 0 || x[slots.R[t][pass][i]] < 0.5) continue;
                compute(i);
                decisions.sequence.emplace_back(window.opsOf[i].front());
                slotOf.push_back(t);
            }
        come(t, 0, t);
        if (t == flat.ops) break;
        compute(t);
        for (const int op : window.opsOf[t]) {
            keep();
            decisions.sequence.emplace_back(op);
            slotOf.push_back(t);
        }
    }
    keep();
    for (int s = 0; s < flat.storages(); ++s)
        if (flat.output[s]) use(s);
    slotOf.push_back(flat.ops);
    return decisions;
}

} // namespace remat::offload
