// SPDX-License-Identifier: Apache-2.0
#include "core/bounds/bounds.h"

#include "core/bounds/knapsack.h"
#include "core/bounds/needs.h"

#include <algorithm>

namespace remat {

namespace {

/// Partial solutions of one knapsack that may be in play; beyond it the bound is rounded down.
constexpr std::size_t kMaxStates = 20'000;
/// Ops looked at in each of the two passes over the cuts: all cuts of five thousand ops.
constexpr std::size_t kMaxKnapsackWork = 15'000'000;

// At the first computation of op t, everything that t reads and makes is held, and every other storage which was made
// before and is needed after (it is an output of the graph, or a needed op that comes later reads it) is either held
// too or made again after t. Without offloads, making it again means computing its op again, and that once is enough
// for all that the op makes. So what is not held costs at least the ops that make it, each once; what is held must fit
// beside t. An op is saved only when all it made that is needed is held: that is a 0/1 knapsack with an item per op.
class Cuts
{
public:
    Cuts(const Graph &graph, const CostTable &costs, const Needs &needs)
        : m_graph(graph),
          m_costs(costs),
          m_needed(needs.op),
          m_lastNeed(needs.last),
          m_readBy(graph.storages.size(), -1)
    {
        // Ops by falling µs per byte, as if all that they make were needed: nearly the order of every cut's items.
        std::vector<double> rate(graph.ops.size(), 0);
        for (std::size_t i = 0; i < rate.size(); ++i)
            if (const std::int64_t bytes = neededBytes(OpId(i)); bytes > 0)
                rate[i] = m_costs.time(OpId(i)) / static_cast<double>(bytes);
        for (std::size_t i = 0; i < rate.size(); ++i)
            if (m_needed[i] && rate[i] > 0 && !graph.ops[i].computeOnce)
                m_byRate.push_back({OpId(i), needs.lastOfOp[i]});
        std::stable_sort(m_byRate.begin(), m_byRate.end(),
                         [&](const Rated &a, const Rated &b) { return rate[a.op.index()] > rate[b.op.index()]; });
        for (std::size_t i = 0; i < rate.size(); ++i)
            if (m_needed[i] && graph.ops[i].computeOnce) m_once.emplace_back(i);
    }

    /// The knapsack of cut t: `items` by falling rate, and the capacity that is left for them; negative when what must
    /// be there does not fit. O(ops before t).
    std::int64_t at(OpId t, std::int64_t budgetBytes, std::vector<KnapsackItem> &items)
    {
        std::int64_t capacity = budgetBytes - m_costs.workspace(t);
        for (const StorageId output : m_graph.op(t).outputs)
            capacity -= m_graph.storage(output).bytes;
        for (const StorageId input : m_graph.op(t).inputs) {
            m_readBy[input.index()] = t.value;
            if (m_graph.planned(input)) capacity -= m_graph.storage(input).bytes;
        }
        for (const OpId op : m_once)
            if (op < t) capacity -= bytesAt(op, t);

        items.clear();
        m_partly.clear();
        for (const auto &[op, last] : m_byRate) {
            if (op >= t || last <= t.value) continue;
            const std::int64_t bytes = bytesAt(op, t);
            if (bytes == 0) continue;
            const KnapsackItem item{bytes, m_costs.time(op)};
            const bool inOrder = items.empty() || item.usPerByte() <= items.back().usPerByte();
            (inOrder ? items : m_partly).push_back(item);
        }
        const auto steeper = [](const KnapsackItem &a, const KnapsackItem &b) { return a.usPerByte() > b.usPerByte(); };
        std::sort(m_partly.begin(), m_partly.end(), steeper);
        const auto middle = static_cast<std::ptrdiff_t>(items.size());
        items.insert(items.end(), m_partly.begin(), m_partly.end());
        std::inplace_merge(items.begin(), items.begin() + middle, items.end(), steeper);
        return capacity;
    }

private:
    /// An op that can be computed again, and when what it makes is needed last.
    struct Rated {
        OpId op;
        std::int32_t last = 0;
    };

    std::int64_t neededBytes(OpId op) const
    {
        std::int64_t bytes = 0;
        for (const StorageId output : m_graph.op(op).outputs)
            if (m_lastNeed[output.index()] >= 0) bytes += m_graph.storage(output).bytes;
        return bytes;
    }

    /// Bytes of what `op` made that are needed after cut t and not read by t, whose inputs are marked.
    std::int64_t bytesAt(OpId op, OpId t) const
    {
        std::int64_t bytes = 0;
        for (const StorageId output : m_graph.op(op).outputs)
            if (m_lastNeed[output.index()] > t.value && m_readBy[output.index()] != t.value)
                bytes += m_graph.storage(output).bytes;
        return bytes;
    }

    const Graph &m_graph;
    const CostTable &m_costs;
    const std::vector<char> &m_needed;
    const std::vector<std::int32_t> &m_lastNeed;
    std::vector<std::int32_t> m_readBy; ///< per storage: the cut whose op reads it, as last marked
    std::vector<Rated> m_byRate;
    std::vector<OpId> m_once;
    std::vector<KnapsackItem> m_partly;
};

} // namespace

TimeBound cutKnapsackBound(const Graph &graph, const CostTable &costs, std::int64_t budgetBytes, double enoughUs,
                           const StopCheck &stop)
{
    const Needs needs = needsOf(graph);
    TimeBound bound;
    bound.method = "cut-knapsack";
    bound.holdsFor = HoldsFor::GivenOrder;
    Cuts cuts(graph, costs, needs);
    struct Candidate {
        OpId cut;
        double lossUs = 0; ///< fractional
    };
    std::vector<Candidate> candidates;
    std::vector<KnapsackItem> items;
    std::size_t work = 0;
    for (const OpId t : cutsOverBudget(graph, costs, needs, budgetBytes)) {
        if ((work += t.index()) > kMaxKnapsackWork || (stop && stop())) break;
        const std::int64_t capacity = cuts.at(t, budgetBytes, items);
        if (capacity >= 0) candidates.push_back({t, fractionalLoss(items, capacity)});
    }
    std::stable_sort(candidates.begin(), candidates.end(),
                     [](const Candidate &a, const Candidate &b) { return a.lossUs > b.lossUs; });
    for (const Candidate &candidate : candidates) {
        if ((work += candidate.cut.index()) > 2 * kMaxKnapsackWork || (stop && stop())) break;
        const std::int64_t capacity = cuts.at(candidate.cut, budgetBytes, items);
        const double enough = std::max(enoughUs, bound.extraUs);
        const double lossUs = std::max(candidate.lossUs, smallestLoss(items, capacity, enough, kMaxStates, stop));
        if (lossUs <= bound.extraUs) continue;
        bound.extraUs = lossUs;
        bound.cut = candidate.cut;
    }
    bound.timeUs = neededTimeUs(needs, costs) + bound.extraUs;
    return bound;
}

} // namespace remat
