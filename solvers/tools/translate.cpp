// SPDX-License-Identifier: Apache-2.0
#include "solvers/tools/translate.h"

#include "core/base/units.h"

#include <algorithm>
#include <fmt/core.h>

namespace remat {

namespace {

constexpr int kNotHeld = kForwardPass;
constexpr int kAlways = std::numeric_limits<int>::min();
constexpr int kNoSlot = -1;
/// Recomputations between two looks at the clock.
constexpr std::size_t kPerLook = 4096;

class Translator
{
public:
    Translator(const FlatGraph &flat, const ForwardChoice &choice, const SolveContext &context)
        : m_flat(flat),
          m_choice(choice),
          m_context(context),
          m_most(mostRecomputes(flat, context)),
          m_until(flat.storages(), kNotHeld),
          m_there(flat.storages(), 0),
          m_slot(flat.ops, kNoSlot),
          m_holds(choice.holds)
    {
        std::stable_sort(m_holds.begin(), m_holds.end(), [](const Hold &a, const Hold &b) { return a.from > b.from; });
        for (; m_next < m_holds.size() && m_holds[m_next].from == kForwardPass; ++m_next)
            hold(m_holds[m_next]);
        for (int s = 0; s < flat.storages(); ++s)
            if (choice.kept[s] || flat.producer[s] < 0 || flat.output[s] || flat.once[flat.producer[s]])
                m_until[s] = kAlways;
    }

    std::vector<Recompute> run()
    {
        for (int begin = m_flat.forwardOps, end = begin; begin < m_flat.ops; begin = end) {
            while (end < m_flat.ops && m_choice.segment[end] == m_choice.segment[begin])
                ++end;
            runSegment(begin, end);
        }
        m_recomputes.insert(m_recomputes.end(), m_choice.asTheyAre.begin(), m_choice.asTheyAre.end());
        tidyRecomputes(m_flat, m_recomputes);
        return std::move(m_recomputes);
    }

private:
    void hold(const Hold &what) { m_until[what.storage] = std::min(m_until[what.storage], what.until); }

    void runSegment(int begin, int end)
    {
        if (m_context.shouldStop()) throw TimeUp{};
        const int segment = m_choice.segment[begin];
        const bool anew = !m_choice.anew.empty() && m_choice.anew[segment] != 0;
        const std::size_t first = m_next;
        while (m_next < m_holds.size() && m_holds[m_next].from >= segment)
            ++m_next;
        forget(segment);
        const auto makeHeld = [&] {
            for (std::size_t h = first; h < m_next; ++h)
                follow(m_holds[h].storage, begin);
            for (std::size_t h = first; h < m_next; ++h)
                hold(m_holds[h]);
        };
        if (anew) makeHeld();
        auto step = programOf(segment).begin();
        const auto last = programOf(segment).end();
        for (int z = begin; z < end; ++z) {
            if (anew) forget(segment);
            if (anew && m_context.shouldStop()) throw TimeUp{};
            for (; step != last && step->slot == z; ++step)
                computeAgain(step->op, z, segment);
            for (const int s : m_flat.inputs[z])
                require(s, z);
        }
        if (!anew) makeHeld();
    }

    const std::vector<Recompute> &programOf(int segment) const
    {
        static const std::vector<Recompute> none;
        return m_choice.programs.empty() ? none : m_choice.programs[segment];
    }

    /// As a program says, unless something else holds what it makes anyway.
    void computeAgain(int op, int z, int segment)
    {
        const std::vector<int> &made = m_flat.outputs[op];
        if (m_slot[op] == z || std::all_of(made.begin(), made.end(), [&](int s) { return m_until[s] <= segment; }))
            return;
        for (const int s : m_flat.inputs[op])
            require(s, z);
        compute(op, z);
    }

    /// Only what is held is there.
    void forget(int segment)
    {
        for (int s = 0; s < m_flat.storages(); ++s)
            m_there[s] = m_until[s] <= segment ? 1 : 0;
        for (const int op : m_touched)
            m_slot[op] = kNoSlot;
        m_touched.clear();
    }

    bool missing(int s) const { return !m_there[s] && m_flat.producer[s] < m_flat.forwardOps; }

    void compute(int op, int slot)
    {
        for (const int made : m_flat.outputs[op])
            m_there[made] = 1;
        m_slot[op] = slot;
        m_touched.push_back(op);
        m_recomputes.push_back({slot, op});
        if (m_recomputes.size() % kPerLook == 0 && m_context.shouldStop()) throw TimeUp{};
        checkLength(m_recomputes.size(), m_most);
    }

    /// Makes `storage` and all that it needs in the slot `z`.
    void require(int storage, int z)
    {
        m_work.assign(1, storage);
        while (!m_work.empty()) {
            const int s = m_work.back();
            m_work.pop_back();
            if (!missing(s)) continue;
            const int op = m_flat.producer[s];
            compute(op, z);
            m_work.insert(m_work.end(), m_flat.inputs[op].begin(), m_flat.inputs[op].end());
        }
    }

    /// Makes `storage` in the first slot in which everything it needs is there, `earliest` or later.
    void follow(int storage, int earliest)
    {
        m_work.assign(1, storage);
        while (!m_work.empty()) {
            const int s = m_work.back();
            if (!missing(s)) {
                m_work.pop_back();
                continue;
            }
            const int op = m_flat.producer[s];
            const std::size_t before = m_work.size();
            int slot = earliest;
            for (const int input : m_flat.inputs[op]) {
                if (missing(input)) m_work.push_back(input);
                if (m_flat.producer[input] >= 0) slot = std::max(slot, m_slot[m_flat.producer[input]]);
            }
            if (m_work.size() > before) continue;
            m_work.pop_back();
            compute(op, slot);
        }
    }

    const FlatGraph &m_flat;
    const ForwardChoice &m_choice;
    const SolveContext &m_context;
    const std::size_t m_most; ///< recomputations
    std::vector<int> m_until; ///< per storage: segment through which it is held
    std::vector<char> m_there;
    std::vector<int> m_slot; ///< per op: where the current segment computes it again
    std::vector<int> m_touched;
    std::vector<Hold> m_holds; ///< in order of segments
    std::size_t m_next = 0;    ///< first hold that no segment has made yet
    std::vector<int> m_work;
    std::vector<Recompute> m_recomputes;
};

} // namespace

std::size_t mostRecomputes(const FlatGraph &flat, const SolveContext &context)
{
    constexpr double kLeast = 500'000, kPerSecond = 100'000, kMost = 20e6;
    const double seconds = std::min(context.deadline.totalSeconds(), kMost);
    return static_cast<std::size_t>(std::min(kLeast + 2.0 * flat.ops + kPerSecond * seconds, kMost));
}

void checkLength(std::size_t recomputes, std::size_t most)
{
    if (recomputes <= most) return;
    throw TimeUp{fmt::format("This plan computes more than {} times again, more than can be checked and saved in the "
                             "time. Take hiremate, or a longer time limit.",
                             formatCount(std::int64_t(most)))};
}

std::vector<Recompute> translate(const FlatGraph &flat, const ForwardChoice &choice, const SolveContext &context)
{
    return Translator(flat, choice, context).run();
}

} // namespace remat
