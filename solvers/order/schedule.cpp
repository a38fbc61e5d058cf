// SPDX-License-Identifier: Apache-2.0
#include "solvers/order/schedule.h"

#include <algorithm>
#include <numeric>

namespace remat {

namespace {

void sortUnique(std::vector<int> &items)
{
    std::sort(items.begin(), items.end());
    items.erase(std::unique(items.begin(), items.end()), items.end());
}

} // namespace

Schedule::Schedule(const Graph &graph, const CostTable &costs, const std::vector<OpId> &sequence)
    : m_tasks(sequence.size()), m_order(sequence.size()), m_base(sequence.size())
{
    std::vector<int> latest(graph.storages.size(), -1); // copy of each storage
    std::vector<int> makerOf;                           // the maker of each copy
    for (const Storage &storage : graph.storages)
        m_always += storage.plannedParameter ? storage.bytes : 0;
    for (std::size_t t = 0; t < sequence.size(); ++t) {
        Task &task = m_tasks[t];
        task.op = sequence[t];
        const Op &op = graph.op(task.op);
        for (const StorageId input : op.inputs) {
            if (!graph.storage(input).producer) continue;
            const int copy = latest[input.index()];
            task.reads.push_back(copy);
            task.before.push_back(makerOf[static_cast<std::size_t>(copy)]);
            m_copies[static_cast<std::size_t>(copy)].readers.push_back(static_cast<int>(t));
        }
        std::sort(task.reads.begin(), task.reads.end());
        for (const StorageId output : op.outputs) {
            if (int &copy = latest[output.index()]; copy >= 0) {
                Copy &older = m_copies[static_cast<std::size_t>(copy)];
                older.kept = false;
                task.before.push_back(makerOf[static_cast<std::size_t>(copy)]);
                task.before.insert(task.before.end(), older.readers.begin(), older.readers.end());
            }
            latest[output.index()] = static_cast<int>(m_copies.size());
            task.makes.push_back(latest[output.index()]);
            task.made += graph.storage(output).bytes;
            m_copies.push_back({graph.storage(output).bytes, {}, graph.keptToEnd(output), -1});
            makerOf.push_back(static_cast<int>(t));
        }
        task.whileRunning = task.made + costs.workspace(task.op);
    }
    connect(graph);
    std::iota(m_order.begin(), m_order.end(), 0);
    measure();
}

void Schedule::connect(const Graph &graph)
{
    std::vector<std::vector<int>> tasksOf(graph.ops.size());
    for (std::size_t t = 0; t < m_tasks.size(); ++t)
        tasksOf[m_tasks[t].op.index()].push_back(static_cast<int>(t));
    const auto keepApart = [&](int a, int b) {
        m_tasks[static_cast<std::size_t>(std::max(a, b))].before.push_back(std::min(a, b));
    };
    for (const OrderEdge &edge : orderConstraints(graph)) {
        const std::vector<int> &first = tasksOf[edge.before.index()], &second = tasksOf[edge.after.index()];
        if (first.empty() || second.empty()) continue;
        keepApart(first.front(), second.front());
        // What is computed again beside a write stays on its side of the write.
        if (graph.op(edge.before).computeOnce)
            for (const int task : second)
                keepApart(first.front(), task);
        if (graph.op(edge.after).computeOnce)
            for (const int task : first)
                keepApart(task, second.front());
    }
    for (Task &task : m_tasks)
        sortUnique(task.before);
}

void Schedule::measure()
{
    for (std::size_t t = 0; t < m_tasks.size(); ++t) {
        for (const int made : m_tasks[t].makes) {
            Copy &copy = m_copies[static_cast<std::size_t>(made)];
            if (copy.kept) continue;
            copy.last = copy.readers.empty() ? static_cast<int>(t) : copy.readers.back();
            m_tasks[static_cast<std::size_t>(copy.last)].ended += copy.bytes;
        }
    }
    std::int64_t held = m_always;
    for (std::size_t t = 0; t < m_tasks.size(); ++t) {
        m_base[t] = held;
        held += m_tasks[t].made - m_tasks[t].ended;
    }
}

bool Schedule::tied(int earlier, int later) const
{
    const std::vector<int> &before = m_tasks[static_cast<std::size_t>(later)].before;
    return std::binary_search(before.begin(), before.end(), earlier);
}

void Schedule::swap(int position)
{
    const auto p = static_cast<std::size_t>(position);
    const int first = m_order[p], second = m_order[p + 1];
    Task &a = m_tasks[static_cast<std::size_t>(first)], &b = m_tasks[static_cast<std::size_t>(second)];
    // A copy that both read and that ends with the second one now ends with the first.
    for (auto x = a.reads.begin(), y = b.reads.begin(); x != a.reads.end() && y != b.reads.end();) {
        if (*x != *y) {
            *x < *y ? ++x : ++y;
            continue;
        }
        Copy &copy = m_copies[static_cast<std::size_t>(*x)];
        if (copy.last == second) {
            copy.last = first;
            b.ended -= copy.bytes;
            a.ended += copy.bytes;
        }
        ++x;
        ++y;
    }
    std::swap(m_order[p], m_order[p + 1]);
    m_base[p + 1] = m_base[p] + b.made - b.ended;
}

std::vector<OpId> Schedule::sequence() const
{
    std::vector<OpId> sequence;
    sequence.reserve(m_order.size());
    for (const int task : m_order)
        sequence.push_back(opOf(task));
    return sequence;
}

} // namespace remat
