#include "core/base/units.h"
#include "core/plan/simulator.h"
#include "solvers/flat.h"
#include "solvers/parallel.h"
#include "solvers/solver.h"
#include "solvers/treewidth/schedule.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>

namespace remat::planner {

namespace {

using separators::Dissection;
using separators::Elimination;
using separators::OpGraph;

/// Leaf sizes tried between the smallest region and the whole graph.
constexpr int kGrid = 64;
constexpr int kBisections = 10;
constexpr std::size_t kKeepTries = 100;
/// How many ops elsewhere a region stands before what it made goes.
constexpr std::array kPatience{4, 16, 64, 256};

struct Tried {
    const separators::TreeDecomposition *tree = nullptr;
    std::int64_t leafWeight = 0;
    int patience = 0;
    std::vector<Recompute> recomputes;
    SequenceCost cost;
};

/// Searches how deep to recurse over one tree decomposition.
class Search
{
public:
    Search(const SolveRequest &request, const SolveContext &context, const FlatGraph &flat, const OpGraph &graph)
        : m_request(request), m_context(context), m_flat(flat), m_graph(graph)
    {
    }

    void run(const separators::TreeDecomposition &tree)
    {
        for (const int patience : kPatience)
            run(tree, patience);
    }

    /// Spends what the best plan leaves of the budget: keeps, one after the other, what makes most wait when it is not
    /// there.
    void keepMore()
    {
        if (!m_best) return;
        std::vector<char> kept = m_graph.kept;
        std::vector<int> missing = separators::dearestMissing(m_flat, m_best->recomputes);
        if (missing.size() > kKeepTries) missing.resize(kKeepTries);
        for (const int s : missing) {
            if (m_context.shouldStop()) return;
            kept[s] = 1;
            if (!offer(attempt(*m_best->tree, m_best->leafWeight, m_best->patience, kept))) kept[s] = 0;
        }
    }

    const std::optional<Tried> &best() const { return m_best; }
    std::int64_t smallestPeakBytes() const { return m_smallestPeak; }

private:
    void run(const separators::TreeDecomposition &tree, int patience)
    {
        std::vector<std::int64_t> leaves = leafWeights(tree);
        std::vector<std::optional<Tried>> tried(leaves.size());
        parallelFor(m_context.threads, leaves.size(), [&](std::size_t i) {
            if (!m_context.shouldStop()) tried[i] = attempt(tree, leaves[i], patience, m_graph.kept);
        });
        std::optional<std::size_t> best;
        for (std::size_t i = 0; i < leaves.size(); ++i)
            if (tried[i] && offer(*tried[i])) best = i;
        if (!best || *best + 1 >= leaves.size()) return;
        std::int64_t low = leaves[*best], high = leaves[*best + 1];
        for (int i = 0; i < kBisections && high - low > 1 && !m_context.shouldStop(); ++i) {
            const std::int64_t middle = low + (high - low) / 2;
            const Tried between = attempt(tree, middle, patience, m_graph.kept);
            offer(between);
            (between.cost.peakBytes <= m_request.budgetBytes ? low : high) = middle;
        }
    }

    /// Sizes at which the recursion may end, rising: those that make a difference, thinned out.
    std::vector<std::int64_t> leafWeights(const separators::TreeDecomposition &tree) const
    {
        const Dissection full = separators::dissect(tree, m_graph.bytes, 0);
        std::vector<std::int64_t> sizes{0,
                                        std::accumulate(m_graph.bytes.begin(), m_graph.bytes.end(), std::int64_t(0))};
        for (const separators::Region &region : full.regions)
            sizes.push_back(region.weight);
        std::sort(sizes.begin(), sizes.end());
        sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
        std::vector<std::int64_t> leaves;
        const double factor = std::max(1.0, static_cast<double>(sizes.size() - 1) / kGrid);
        for (double at = 0; at < static_cast<double>(sizes.size() - 1); at += factor)
            leaves.push_back(sizes[static_cast<std::size_t>(at)]);
        leaves.push_back(sizes.back());
        return leaves;
    }

    Tried attempt(const separators::TreeDecomposition &tree, std::int64_t leafWeight, int patience,
                  const std::vector<char> &kept) const
    {
        const Dissection dissection = separators::dissect(tree, m_graph.bytes, leafWeight);
        Tried tried{&tree, leafWeight, patience, separators::schedule(m_flat, kept, dissection, patience), {}};
        tried.cost = sequenceCost(*m_request.graph, *m_request.costs, toSequence(m_flat, tried.recomputes));
        return tried;
    }

    /// Takes it when it fits and is faster than the best.
    bool offer(const Tried &tried)
    {
        if (m_smallestPeak == 0 || tried.cost.peakBytes < m_smallestPeak) m_smallestPeak = tried.cost.peakBytes;
        if (tried.cost.peakBytes > m_request.budgetBytes) return false;
        if (m_best && tried.cost.timeUs >= m_best->cost.timeUs) return false;
        m_best = tried;
        return true;
    }

    const SolveRequest &m_request;
    const SolveContext &m_context;
    const FlatGraph &m_flat;
    const OpGraph &m_graph;
    std::optional<Tried> m_best;
    std::int64_t m_smallestPeak = 0;
};

class Treewidth final : public Planner
{
public:
    const PlannerInfo &info() const override
    {
        static const PlannerInfo info = {
            "treewidth",
            "Treewidth",
            "separators",
            "Takes the training graph, forward and backward as one and without directions, apart by balanced "
            "separators from a tree decomposition, again and again. While it works in a region it holds the separators "
            "around it and computes the rest again; how deep to go on is searched, and what the budget still has room "
            "for is kept. First computations stay in the graph's order. Reaches small peaks on long thin "
            "graphs, at a high price: the theory knows neither times nor sizes.",
            "Kumar, Purohit, Svitkina, Vee, Wang: Efficient Rematerialization for Deep Networks, NeurIPS 2019",
            {choiceOption("elimination", "Elimination", {"best", "min-degree", "min-fill"},
                          "The heuristic that makes the tree decomposition; best tries both and takes the faster "
                          "plan.")},
            false};
        return info;
    }

    Expected<SolveOutcome> plan(const SolveRequest &request, const SolveContext &context) const override
    {
        const FlatGraph flat = flatten(*request.graph, *request.costs);
        const OpGraph graph = separators::opGraph(flat);
        Search search(request, context, flat, graph);
        const auto stop = [&] { return context.shouldStop(); };
        const std::string &elimination = request.options.choice("elimination");
        std::vector<separators::TreeDecomposition> trees;
        for (const Elimination each : {Elimination::MinDegree, Elimination::MinFill}) {
            if (elimination == (each == Elimination::MinDegree ? "min-fill" : "min-degree")) continue;
            if (auto tree = separators::decompose(graph.neighbours, each, stop)) trees.push_back(std::move(*tree));
        }
        for (const separators::TreeDecomposition &tree : trees)
            search.run(tree);
        search.keepMore();

        SolveOutcome outcome;
        outcome.smallestPeakBytes = search.smallestPeakBytes();
        if (!search.best()) {
            outcome.status = context.shouldStop() ? SolveStatus::Stopped : SolveStatus::Infeasible;
            outcome.message = context.shouldStop() ? "Stopped before a plan was found that fits."
                                                   : "At no depth of recursion does the plan fit " +
                                                         formatBytes(request.budgetBytes, Rounding::Down) +
                                                         "; the smallest peak of them all is " +
                                                         formatBytes(search.smallestPeakBytes(), Rounding::Up) +
                                                         ". Take hiremate, or raise the budget.";
            return outcome;
        }
        outcome.status = SolveStatus::Feasible;
        Plan plan;
        plan.steps = withEarliestFrees(*request.graph, toSequence(flat, search.best()->recomputes));
        outcome.plan = std::move(plan);
        return outcome;
    }
};

} // namespace

const Planner &treewidth()
{
    static const Treewidth planner;
    return planner;
}

} // namespace remat::planner
