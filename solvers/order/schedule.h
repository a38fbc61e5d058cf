// SPDX-License-Identifier: Apache-2.0
// A sequence of computations whose memory stays known while neighbours change places.
#pragma once

#include "core/costs/reorder.h"

#include <cstdint>
#include <vector>

namespace remat {

/// The computations of a sequence, recomputations included, as tasks, and the order they stand in. A read stays with
/// the copy it reads: a task may pass another one unless one reads what the other makes, one makes again what the
/// other reads or makes, or the order constraints of the graph forbid it. So every order that swaps lead to computes
/// the same, and only memory differs. Tasks are numbered by their place in the sequence it was made from.
class Schedule
{
public:
    /// The sequence must be possible.
    Schedule(const Graph &graph, const CostTable &costs, const std::vector<OpId> &sequence);

    int size() const { return static_cast<int>(m_order.size()); }
    int taskAt(int position) const { return m_order[static_cast<std::size_t>(position)]; }
    OpId opOf(int task) const { return m_tasks[static_cast<std::size_t>(task)].op; }
    /// True when `later` must stay behind `earlier` for reasons of its own, not only of tasks between them. O(log
    /// degree).
    bool tied(int earlier, int later) const;

    /// Bytes held while the task at that position runs, as the simulator counts them.
    std::int64_t memory(int position) const
    {
        const auto p = static_cast<std::size_t>(position);
        return m_base[p] + m_tasks[static_cast<std::size_t>(m_order[p])].whileRunning;
    }

    /// Lets the tasks at `position` and the next one, which must not be tied, change places. O(degree).
    void swap(int position);

    std::vector<OpId> sequence() const;

private:
    struct Task {
        OpId op;
        std::int64_t whileRunning = 0;    ///< made + workspace
        std::int64_t made = 0, ended = 0; ///< bytes of the copies it makes, and of those that end with it
        std::vector<int> reads, makes;    ///< copies, ascending
        std::vector<int> before;          ///< tasks it is tied to, ascending
    };
    struct Copy {
        std::int64_t bytes = 0;
        std::vector<int> readers;
        bool kept = false; ///< at the end
        int last = -1;     ///< task after which it ends; -1 when kept
    };
    void connect(const Graph &graph);
    void measure();

    std::vector<Task> m_tasks;
    std::vector<Copy> m_copies;
    std::vector<int> m_order;
    std::int64_t m_always = 0;        ///< bytes of planned parameters
    std::vector<std::int64_t> m_base; ///< per position: bytes held when its task starts
};

} // namespace remat
