// SPDX-License-Identifier: Apache-2.0
#include "solvers/hiremate/exact.h"

#include <algorithm>
#include <queue>
#include <unordered_map>

namespace remat::hiremate {

namespace {

using Mask = std::uint64_t;
constexpr int kNoOp = -1;

struct State {
    Mask held = 0;
    int done = 0;
    bool operator==(const State &) const = default;
};

struct StateHash {
    std::size_t operator()(const State &state) const
    {
        Mask mixed = state.held * 0x9E3779B97F4A7C15U + static_cast<Mask>(state.done) * 0xC2B2AE3D27D4EB4FU;
        mixed ^= mixed >> 32U;
        return static_cast<std::size_t>(mixed * 0xD6E8FEB86659FD93U);
    }
};

/// How a state was reached at least cost so far.
struct Reached {
    double timeUs = 0;
    State from;
    int op = kNoOp; ///< computed on the way; none when a storage was dropped
};

class StateSearch
{
public:
    StateSearch(const FlatGraph &flat, std::int64_t budgetBytes) : m_flat(flat), m_budget(budgetBytes)
    {
        std::vector<int> bit(flat.storages(), -1);
        for (int i = 0; i < flat.ops; ++i)
            for (const int s : flat.outputs[i]) {
                bit[s] = static_cast<int>(m_bytes.size());
                m_bytes.push_back(flat.bytes[s]);
                m_isOutput.push_back(flat.output[s]);
            }
        if (!small()) return;
        for (int i = 0; i < flat.ops; ++i) {
            Mask reads = 0, makes = 0;
            for (const int s : flat.inputs[i])
                reads |= Mask(1) << bit[s];
            std::int64_t need = flat.workspaceBytes[i];
            for (const int s : flat.outputs[i]) {
                makes |= Mask(1) << bit[s];
                need += flat.bytes[s];
            }
            m_reads.push_back(reads);
            m_makes.push_back(makes);
            m_need.push_back(need);
        }
        for (std::size_t b = 0; b < m_bytes.size(); ++b)
            if (m_isOutput[b]) m_outputs |= Mask(1) << b;
        findUseful();
        m_left.assign(flat.ops + 1, 0);
        for (int i = flat.ops; i-- > 0;)
            m_left[i] = m_left[i + 1] + flat.timeUs[i];
    }

    bool small() const { return m_bytes.size() <= 64; }

    ExactResult run(std::size_t maxStates, const std::function<bool()> &stop)
    {
        using Entry = std::pair<double, std::size_t>;
        std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
        std::vector<std::pair<State, double>> entries;
        const auto reach = [&](const State &from, State to, double timeUs, int op) {
            to.held &= m_useful[to.done];
            const auto [at, isNew] = m_reached.try_emplace(to, Reached{timeUs, from, op});
            if (!isNew) {
                if (timeUs >= at->second.timeUs) return;
                at->second = {timeUs, from, op};
            }
            open.emplace(timeUs + m_left[to.done], entries.size());
            entries.emplace_back(to, timeUs);
        };
        reach({}, {}, 0, kNoOp);
        std::size_t seen = 0;
        while (!open.empty()) {
            if (m_reached.size() > maxStates || ((++seen & 1023U) == 0 && stop())) return {};
            const auto [state, timeUs] = entries[open.top().second];
            open.pop();
            if (timeUs > m_reached.at(state).timeUs) continue;
            if (state.done == m_flat.ops && (state.held & m_outputs) == m_outputs) return {true, pathTo(state)};
            const std::int64_t held = bytesOf(state.held);
            for (int op = 0; op <= std::min(state.done, m_flat.ops - 1); ++op) {
                if ((m_reads[op] & ~state.held) != 0 || (op < state.done && m_flat.once[op])) continue;
                if (held + m_need[op] > m_budget) continue;
                reach(state, {state.held | m_makes[op], std::max(state.done, op + 1)}, timeUs + m_flat.timeUs[op], op);
            }
            for (Mask rest = state.held; rest != 0; rest &= rest - 1)
                reach(state, {state.held & ~(rest & (~rest + 1)), state.done}, timeUs, kNoOp);
        }
        return {true, std::nullopt};
    }

private:
    /// Storages that can still matter when `done` first computations are behind: outputs, what later ops read, and what
    /// an earlier op reads that makes such a storage again.
    void findUseful()
    {
        m_useful.assign(m_flat.ops + 1, m_outputs);
        for (int done = 0; done <= m_flat.ops; ++done)
            for (int i = m_flat.ops; i-- > 0;)
                if (i >= done || (!m_flat.once[i] && (m_makes[i] & m_useful[done]) != 0)) m_useful[done] |= m_reads[i];
    }

    std::int64_t bytesOf(Mask held) const
    {
        std::int64_t sum = 0;
        for (std::size_t b = 0; held != 0; ++b, held >>= 1U)
            if (held & 1U) sum += m_bytes[b];
        return sum;
    }

    std::vector<OpId> pathTo(State state) const
    {
        std::vector<OpId> sequence;
        while (state != State{}) {
            const Reached &reached = m_reached.at(state);
            if (reached.op != kNoOp) sequence.emplace_back(reached.op);
            state = reached.from;
        }
        std::reverse(sequence.begin(), sequence.end());
        return sequence;
    }

    const FlatGraph &m_flat;
    const std::int64_t m_budget;
    std::vector<std::int64_t> m_bytes; ///< per bit
    std::vector<char> m_isOutput;
    std::vector<Mask> m_reads, m_makes, m_useful;
    std::vector<std::int64_t> m_need; ///< per op: bytes it makes and works with
    std::vector<double> m_left;       ///< per count of first computations: time of those to come
    Mask m_outputs = 0;
    std::unordered_map<State, Reached, StateHash> m_reached;
};

} // namespace

ExactResult searchStates(const FlatGraph &flat, std::int64_t budgetBytes, std::size_t maxStates,
                         const std::function<bool()> &stop)
{
    StateSearch search(flat, budgetBytes);
    if (!search.small()) return {};
    return search.run(maxStates, stop);
}

} // namespace remat::hiremate
