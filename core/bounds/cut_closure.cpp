#include "core/bounds/cut_closure.h"

#include "core/bounds/min_cut.h"
#include "core/bounds/needs.h"

#include <algorithm>
#include <numeric>

namespace remat {

namespace {

/// Steps of the search for the best price at one cut; it ends by itself after five to ten.
constexpr int kMaxPrices = 16;
/// Nodes and edges looked at in all networks: about a second.
constexpr std::size_t kMaxWork = 150'000'000;
/// All times together become about this many units of flow.
constexpr double kFlowUnits = 1e12;
/// Relative gain below which searching on is not worth it.
constexpr double kCloseEnough = 1e-5;

/// A choice of what to keep: its extra time and its bytes.
struct Choice {
    double lossUs = 0;
    std::int64_t bytes = 0;
};

/// One price tried: what it proves, and the choice that is best at it.
struct Trial {
    double boundUs = 0;
    Choice choice;
};

/// The network of one cut t: `demanded` storages hang on the source, computing an op again on the sink.
class CutNetwork
{
public:
    CutNetwork(const Graph &graph, const CostTable &costs, const std::vector<std::int32_t> &lastNeed, OpId t,
               std::int64_t budgetBytes)
        : m_graph(graph),
          m_costs(costs),
          m_capacity(budgetBytes - costs.workspace(t)),
          m_network(2 + graph.storages.size() + static_cast<std::size_t>(t.value)),
          m_seen(graph.storages.size(), 0),
          m_opSeen(graph.ops.size(), 0)
    {
        const double all = std::accumulate(costs.timeUs.begin(), costs.timeUs.end(), 0.0);
        m_unitsPerUs = all > 0 ? kFlowUnits / all : 1;
        for (const StorageId output : graph.op(t).outputs)
            m_capacity -= graph.storage(output).bytes;
        for (const StorageId input : graph.op(t).inputs) {
            m_seen[input.index()] = 1; // held at t: its node leads nowhere, asking for it costs nothing
            if (graph.planned(input)) m_capacity -= graph.storage(input).bytes;
        }
        for (std::size_t s = 0; s < graph.storages.size(); ++s) {
            const OpId producer = graph.storages[s].producer;
            if (!producer || producer >= t || lastNeed[s] <= t.value || m_seen[s]) continue;
            m_demandedBytes += graph.storages[s].bytes;
            m_network.addEdge(kSource, storageNode(StorageId(s)), MinCut::kInfinite);
            demand(StorageId(s));
        }
        followDemands();
    }

    std::int64_t capacityBytes() const { return m_capacity; }
    std::size_t work() const { return m_network.work(); }
    /// Keeping all that is needed, and nothing that is not.
    Choice keepAll() const { return {0, m_demandedBytes}; }
    /// Computing again whatever can be.
    Choice keepLeast() const { return m_least; }

    Trial at(double usPerByte)
    {
        for (const Kept &kept : m_kept)
            m_network.setCapacity(kept.edge, units(usPerByte * static_cast<double>(kept.bytes)));
        const double flowUs = static_cast<double>(m_network.run(kSource, kSink)) / m_unitsPerUs;
        Trial trial;
        trial.boundUs = flowUs - usPerByte * static_cast<double>(m_capacity);
        for (const OpId op : m_ops)
            if (m_network.onSourceSide(opNode(op))) trial.choice.lossUs += m_costs.time(op);
        for (const Kept &kept : m_kept)
            if (m_network.onSourceSide(kept.storageNode) && !m_network.onSourceSide(kept.opNode))
                trial.choice.bytes += kept.bytes;
        return trial;
    }

private:
    static constexpr std::size_t kSource = 0, kSink = 1;
    struct Kept {
        std::size_t edge = 0, storageNode = 0, opNode = 0;
        std::int64_t bytes = 0;
    };

    std::size_t storageNode(StorageId storage) const { return 2 + storage.index(); }
    std::size_t opNode(OpId op) const { return 2 + m_graph.storages.size() + op.index(); }
    /// Rounded down, so that what the flow says is never too much.
    std::int64_t units(double us) const
    {
        return static_cast<std::int64_t>(std::min(us * m_unitsPerUs, 0.5 * static_cast<double>(MinCut::kInfinite)));
    }

    void demand(StorageId storage)
    {
        m_seen[storage.index()] = 1;
        const OpId op = m_graph.storage(storage).producer;
        const std::int64_t bytes = m_graph.storage(storage).bytes;
        const std::size_t edge = m_network.addEdge(storageNode(storage), opNode(op), 0);
        m_kept.push_back({edge, storageNode(storage), opNode(op), bytes});
        m_least.bytes += m_graph.op(op).computeOnce ? bytes : 0;
        if (m_opSeen[op.index()]) return;
        m_opSeen[op.index()] = 1;
        m_ops.push_back(op);
    }

    void followDemands()
    {
        for (std::size_t next = 0; next < m_ops.size(); ++next) {
            const OpId op = m_ops[next];
            if (m_graph.op(op).computeOnce) {
                m_network.addEdge(opNode(op), kSink, MinCut::kInfinite);
                continue;
            }
            m_network.addEdge(opNode(op), kSink, units(m_costs.time(op)));
            m_least.lossUs += m_costs.time(op);
            for (const StorageId input : m_graph.op(op).inputs) {
                if (!m_graph.planned(input)) continue;
                if (!m_seen[input.index()]) demand(input);
                m_network.addEdge(opNode(op), storageNode(input), MinCut::kInfinite);
            }
        }
    }

    const Graph &m_graph;
    const CostTable &m_costs;
    std::int64_t m_capacity = 0, m_demandedBytes = 0;
    double m_unitsPerUs = 1;
    MinCut m_network;
    std::vector<char> m_seen, m_opSeen;
    std::vector<Kept> m_kept;
    std::vector<OpId> m_ops;
    Choice m_least;
};

/// Looks for the best price at one cut between a choice that is too large and one that fits.
class PriceSearch
{
public:
    PriceSearch(const Graph &graph, const CostTable &costs, const Needs &needs, std::int64_t budgetBytes)
        : m_graph(graph), m_costs(costs), m_needs(needs), m_budget(budgetBytes)
    {
    }

    bool workLeft() const { return m_work < kMaxWork; }

    void tryCut(OpId t, TimeBound &best)
    {
        CutNetwork network(m_graph, m_costs, m_needs.last, t, m_budget);
        m_work += m_graph.storages.size() + m_graph.ops.size();
        Choice large = network.keepAll(), fits = network.keepLeast();
        const std::int64_t capacity = network.capacityBytes();
        if (large.bytes <= capacity || fits.bytes > capacity) return;
        for (int i = 0; i < kMaxPrices && workLeft(); ++i) {
            // Where the lines of the two choices meet is as high as this cut can still come.
            const double meet = (fits.lossUs - large.lossUs) / static_cast<double>(large.bytes - fits.bytes);
            const double most = fits.lossUs - meet * static_cast<double>(capacity - fits.bytes);
            if (most <= best.extraUs * (1 + kCloseEnough)) return;
            const double price = i == 0 && m_bestPrice > 0 ? m_bestPrice : meet;
            const std::size_t before = network.work();
            const Trial trial = network.at(price);
            m_work += network.work() - before;
            (trial.choice.bytes > capacity ? large : fits) = trial.choice;
            if (trial.boundUs <= best.extraUs) continue;
            best.extraUs = trial.boundUs;
            best.cut = t;
            m_bestPrice = price;
        }
    }

private:
    const Graph &m_graph;
    const CostTable &m_costs;
    const Needs &m_needs;
    std::int64_t m_budget;
    double m_bestPrice = 0;
    std::size_t m_work = 0;
};

} // namespace

TimeBound cutClosureBound(const Graph &graph, const CostTable &costs, std::int64_t budgetBytes)
{
    const Needs needs = needsOf(graph);
    TimeBound best;
    best.method = "cut-closure";
    best.validFor = kGivenOrderOnly;
    PriceSearch search(graph, costs, needs, budgetBytes);
    for (const OpId cut : cutsOverBudget(graph, costs, needs, budgetBytes))
        if (search.workLeft()) search.tryCut(cut, best);
    best.timeUs = neededTimeUs(needs, costs) + best.extraUs;
    return best;
}

} // namespace remat
