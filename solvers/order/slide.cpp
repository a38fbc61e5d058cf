// SPDX-License-Identifier: Apache-2.0
#include "solvers/order/slide.h"

#include <algorithm>
#include <random>

namespace remat {

namespace {

/// A byte over the target counts as many times as much as one below it.
constexpr std::int64_t kOverflowWeight = 64;
/// A run that has joined this many tasks goes no further.
constexpr int kLargestRun = 48;
constexpr std::int64_t kSlidesPerStopCheck = 64;

class Slider
{
public:
    Slider(Schedule &schedule, std::int64_t target, const SlideLimits &limits)
        : m_schedule(schedule),
          m_target(target),
          m_limits(limits),
          m_random(limits.seed),
          m_overflow(overflowOf(schedule, target))
    {
    }

    std::int64_t run()
    {
        for (std::int64_t slides = 0; slides < m_limits.slides && m_overflow > 0; ++slides) {
            if (slides % kSlidesPerStopCheck == 0 && m_limits.shouldStop && m_limits.shouldStop()) break;
            slide();
        }
        return m_overflow;
    }

private:
    std::int64_t overflowAt(int position) const
    {
        return std::max<std::int64_t>(0, m_schedule.memory(position) - m_target);
    }
    /// Overflow of the task there and the next one.
    std::int64_t pairOverflow(int position) const { return overflowAt(position) + overflowAt(position + 1); }
    std::int64_t pairCost(int position) const
    {
        return kOverflowWeight * pairOverflow(position) + m_schedule.memory(position) + m_schedule.memory(position + 1);
    }
    int below(int n) { return static_cast<int>(m_random() % static_cast<std::uint64_t>(n)); }

    /// Swaps and returns what that costs.
    std::int64_t swap(int position)
    {
        const std::int64_t cost = pairCost(position);
        m_overflow -= pairOverflow(position);
        m_schedule.swap(position);
        m_overflow += pairOverflow(position);
        return pairCost(position) - cost;
    }

    /// One slide. Swaps are noted so that those behind the best place are taken back.
    void slide()
    {
        const bool toTheRight = below(2) == 0;
        int left = below(m_schedule.size());
        int right = std::min(m_schedule.size() - 1, left + below(m_limits.longestRun));
        m_swaps.clear();
        std::int64_t cost = 0, bestCost = 0;
        std::size_t bestSwaps = 0;
        for (int passed = 0; passed < m_limits.reach && right - left < kLargestRun;) {
            if (toTheRight ? right + 1 >= m_schedule.size() : left == 0) break;
            if (!mayPass(left, right, toTheRight)) {
                toTheRight ? ++right : --left;
                continue;
            }
            if (toTheRight) {
                for (int p = right; p >= left; --p)
                    cost += noted(p);
            } else {
                for (int p = left - 1; p < right; ++p)
                    cost += noted(p);
            }
            left += toTheRight ? 1 : -1;
            right += toTheRight ? 1 : -1;
            ++passed;
            if (cost < bestCost) {
                bestCost = cost;
                bestSwaps = m_swaps.size();
            }
        }
        for (; m_swaps.size() > bestSwaps; m_swaps.pop_back())
            swap(m_swaps.back());
    }

    std::int64_t noted(int position)
    {
        m_swaps.push_back(position);
        return swap(position);
    }

    /// Whether the task beside the run may pass all of it.
    bool mayPass(int left, int right, bool toTheRight) const
    {
        const int beside = m_schedule.taskAt(toTheRight ? right + 1 : left - 1);
        for (int p = left; p <= right; ++p) {
            const int task = m_schedule.taskAt(p);
            if (toTheRight ? m_schedule.tied(task, beside) : m_schedule.tied(beside, task)) return false;
        }
        return true;
    }

    Schedule &m_schedule;
    const std::int64_t m_target;
    const SlideLimits &m_limits;
    std::mt19937_64 m_random;
    std::int64_t m_overflow;
    std::vector<int> m_swaps; ///< swaps of the slide at hand
};

} // namespace

std::int64_t overflowOf(const Schedule &schedule, std::int64_t targetBytes)
{
    std::int64_t sum = 0;
    for (int p = 0; p < schedule.size(); ++p)
        sum += std::max<std::int64_t>(0, schedule.memory(p) - targetBytes);
    return sum;
}

std::int64_t slideBelow(Schedule &schedule, std::int64_t targetBytes, const SlideLimits &limits)
{
    return schedule.size() == 0 ? 0 : Slider(schedule, targetBytes, limits).run();
}

} // namespace remat
