// SPDX-License-Identifier: Apache-2.0
#include "core/bounds/cut_closure.h"

#include "core/bounds/cut_network.h"

#include <algorithm>
#include <limits>

namespace remat {

namespace {

/// Steps of the search for the best price at one cut; it ends by itself after five to ten.
constexpr int kMaxPrices = 16;
/// Nodes and edges looked at in all networks: about a second.
constexpr std::size_t kMaxClosureWork = 150'000'000;
/// Relative gain below which searching on is not worth it.
constexpr double kCloseEnough = 1e-5;
/// Cuts that are tried before all others: those that hold most, and so many spread over the graph.
constexpr std::size_t kHighest = 16, kSpread = 96;

/// By falling bytes held, but a few from all over the graph early: a good bound soon spares most of the others.
std::vector<OpId> inGoodOrder(std::vector<OpId> cuts)
{
    std::vector<OpId> byPlace(cuts);
    std::sort(byPlace.begin(), byPlace.end());
    std::vector<char> early(byPlace.empty() ? 0 : byPlace.back().index() + 1, 0);
    for (std::size_t i = 0; i < std::min(kHighest, cuts.size()); ++i)
        early[cuts[i].index()] = 1;
    for (std::size_t i = 0; i < cuts.size(); i += std::max<std::size_t>(1, cuts.size() / kSpread))
        early[byPlace[i].index()] = 1;
    std::stable_partition(cuts.begin(), cuts.end(), [&](OpId cut) { return early[cut.index()] != 0; });
    return cuts;
}

/// Looks for the best price at each cut between a choice that is too large and one that fits.
class PriceSearch
{
public:
    PriceSearch(const Graph &graph, const CostTable &costs, std::int64_t budgetBytes, const StopCheck &stop,
                HoldsFor holdsFor)
        : m_graph(graph),
          m_costs(costs),
          m_needs(needsOf(graph)),
          m_needsAtCut(m_needs),
          m_budget(budgetBytes),
          m_stop(stop),
          m_holdsFor(holdsFor)
    {
        m_bestLarge.again.assign(graph.ops.size(), 0);
        m_bestFits.again.assign(graph.ops.size(), 1);
    }

    CutClosure run()
    {
        for (const OpId cut : inGoodOrder(cutsOverBudget(m_graph, m_costs, m_needs, m_budget)))
            if (!over()) tryCut(cut);
        if (m_best.bound.cut) lookAt(m_best.bound.cut);
        m_best.bound.method = "cut-closure";
        m_best.bound.holdsFor = m_holdsFor;
        m_best.bound.timeUs = neededTimeUs(m_needs, m_costs) + m_best.bound.extraUs;
        if (!m_best.bound.cut) return m_best;
        weighAtCut(m_graph, m_costs, m_needsAtCut, m_best.bound.cut, m_bestFits, m_marks, &m_best.kept,
                   &m_best.recomputed);
        std::sort(m_best.kept.begin(), m_best.kept.end());
        std::sort(m_best.recomputed.begin(), m_best.recomputed.end());
        return m_best;
    }

private:
    bool over() const { return m_work >= kMaxClosureWork || (m_stop && m_stop()); }

    void lookAt(OpId t)
    {
        if (m_holdsFor != HoldsFor::AnyOrder) return;
        m_needsAtCut = needsInAnyOrder(m_graph, m_needs, t);
        m_work += m_graph.storages.size() + m_graph.ops.size();
    }

    void tryCut(OpId t)
    {
        lookAt(t);
        const std::int64_t capacity = capacityAtCut(m_graph, m_costs, t, m_budget);
        m_large = m_bestLarge;
        m_fits = m_bestFits;
        if (!bracket(t, capacity)) return;
        CutNetwork network(m_graph, m_costs, m_needsAtCut, t, capacity);
        m_work += m_graph.storages.size() + m_graph.ops.size();
        bool better = false;
        for (int i = 0; i < kMaxPrices && !over() && worthwhile(t, capacity); ++i) {
            const double usPerByte = price();
            const std::size_t before = network.work();
            const double boundUs = network.at(usPerByte, m_trial.again);
            m_work += network.work() - before;
            weigh(t, m_trial);
            std::swap(m_trial.bytes > capacity ? m_large : m_fits, m_trial);
            if (boundUs <= m_best.bound.extraUs) continue;
            m_best.bound.extraUs = boundUs;
            m_best.bound.cut = t;
            m_best.usPerByte = usPerByte;
            better = true;
        }
        if (!better) return;
        std::swap(m_bestLarge, m_large);
        std::swap(m_bestFits, m_fits);
    }

    /// Weighs the choices of the best cut so far at cut t, which makes most other cuts not worth a network; false when
    /// t is not. Otherwise one of the two is too large for t then, and the other fits.
    bool bracket(OpId t, std::int64_t capacity)
    {
        weigh(t, m_large);
        weigh(t, m_fits);
        if (m_large.bytes <= capacity) {
            if (m_large.lossUs <= m_best.bound.extraUs) return false; // costs that little, and fits
            if (m_fits.bytes > capacity || m_large.lossUs < m_fits.lossUs) m_fits = m_large;
            fill(t, m_large, 0);
            if (m_large.bytes <= capacity) return false;
        }
        if (m_fits.bytes > capacity) {
            if (m_fits.bytes < m_large.bytes) m_large = m_fits;
            fill(t, m_fits, 1);
            if (m_fits.bytes > capacity) return false;
        }
        return worthwhile(t, capacity);
    }

    /// Whether the cut may still come higher than the best: not above where the line between the two choices is at the
    /// capacity, since the bound is convex in it.
    bool worthwhile(OpId t, std::int64_t capacity)
    {
        // One that keeps more and yet costs more tells nothing.
        if (m_large.lossUs >= m_fits.lossUs) fill(t, m_large, 0);
        if (m_large.bytes <= capacity) return false;
        const double most = m_fits.lossUs - price() * static_cast<double>(capacity - m_fits.bytes);
        return most > m_best.bound.extraUs * (1 + kCloseEnough);
    }

    /// At which both choices are as good.
    double price() const
    {
        return (m_fits.lossUs - m_large.lossUs) / static_cast<double>(m_large.bytes - m_fits.bytes);
    }

    void fill(OpId t, ClosureChoice &choice, char again)
    {
        choice.again.assign(m_graph.ops.size(), again);
        weigh(t, choice);
    }

    void weigh(OpId t, ClosureChoice &choice)
    {
        weighAtCut(m_graph, m_costs, m_needsAtCut, t, choice, m_marks);
        m_work += t.index();
    }

    const Graph &m_graph;
    const CostTable &m_costs;
    const Needs m_needs;
    Needs m_needsAtCut; ///< as far as they hold for the plans that the bound holds for
    std::int64_t m_budget;
    const StopCheck &m_stop;
    const HoldsFor m_holdsFor;
    CutClosure m_best;
    ClosureChoice m_bestLarge, m_bestFits;  ///< the nearest on both sides, at the best cut
    ClosureChoice m_large, m_fits, m_trial; ///< at the cut being tried
    std::vector<char> m_marks;
    std::size_t m_work = 0;
};

} // namespace

CutClosure cutClosure(const Graph &graph, const CostTable &costs, std::int64_t budgetBytes, const StopCheck &stop,
                      HoldsFor holdsFor)
{
    return PriceSearch(graph, costs, budgetBytes, stop, holdsFor).run();
}

TimeBound cutClosureBound(const Graph &graph, const CostTable &costs, std::int64_t budgetBytes, const StopCheck &stop,
                          HoldsFor holdsFor)
{
    return cutClosure(graph, costs, budgetBytes, stop, holdsFor).bound;
}

} // namespace remat
