#include "core/base/units.h"
#include "core/plan/simulator.h"
#include "solvers/chain/cut_points.h"
#include "solvers/flat.h"
#include "solvers/parallel.h"
#include "solvers/solver.h"
#include "solvers/treewidth/dissection.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>

namespace remat::planner {

namespace {

using separators::Dissection;
using separators::Elimination;

/// Leaf sizes tried between the smallest region and the whole graph.
constexpr int kGrid = 64;
constexpr int kBisections = 10;
/// How many ops elsewhere a region stands before what it made goes.
constexpr std::array kPatience{4, 16, 64, 256};

/// The training graph as undirected graph: a node per op, an edge where one reads what the other makes. What is tiny,
/// an output or may be made only once ties nothing together: it is kept anyway.
struct OpGraph {
    std::vector<std::vector<int>> neighbours;
    std::vector<std::int64_t> bytes; ///< of what each op makes
    std::vector<char> kept;          ///< per storage
};

OpGraph opGraph(const FlatGraph &flat)
{
    OpGraph graph;
    graph.kept = chain::tinyStorages(flat);
    graph.neighbours.resize(flat.ops);
    graph.bytes.assign(flat.ops, 0);
    for (int s = 0; s < flat.storages(); ++s) {
        const int made = flat.producer[s];
        if (made < 0) continue;
        if (flat.output[s] || flat.once[made]) graph.kept[s] = 1;
        if (graph.kept[s]) continue;
        graph.bytes[made] += flat.bytes[s];
        for (const int reader : flat.readers[s]) {
            graph.neighbours[made].push_back(reader);
            graph.neighbours[reader].push_back(made);
        }
    }
    for (std::vector<int> &list : graph.neighbours) {
        std::sort(list.begin(), list.end());
        list.erase(std::unique(list.begin(), list.end()), list.end());
    }
    return graph;
}

/// Per region the ops in it and in the regions inside it, ascending.
std::vector<std::vector<int>> opsOfRegions(const Dissection &dissection)
{
    std::vector<std::vector<int>> ops(dissection.regions.size());
    for (std::size_t op = 0; op < dissection.regionOfNode.size(); ++op)
        for (int region = dissection.regionOfNode[op]; region >= 0; region = dissection.regions[region].parent)
            ops[region].push_back(static_cast<int>(op));
    return ops;
}

/// The schedule of a dissection: while ops of a region run, the separators around it are held; what other regions made
/// goes, unless it is read or the walk is back in its region within `patience` ops. What is read and not there is
/// computed again.
std::vector<Recompute> schedule(const FlatGraph &flat, const std::vector<char> &kept, const Dissection &dissection,
                                int patience)
{
    const std::vector<std::vector<int>> opsOf = opsOfRegions(dissection);
    const auto comesSoon = [&](const std::vector<int> &ops, int z) {
        const auto next = std::upper_bound(ops.begin(), ops.end(), z);
        return next != ops.end() && *next <= z + patience;
    };
    std::vector<Recompute> recomputes;
    std::vector<char> there(flat.storages(), 0);
    std::vector<int> work;
    for (int z = 0; z < flat.ops; ++z) {
        for (const int s : flat.inputs[z])
            if (!there[s]) work.push_back(s);
        while (!work.empty()) {
            const int s = work.back();
            work.pop_back();
            if (there[s]) continue;
            const int op = flat.producer[s];
            for (const int made : flat.outputs[op])
                there[made] = 1;
            recomputes.push_back({z, op});
            work.insert(work.end(), flat.inputs[op].begin(), flat.inputs[op].end());
        }
        for (const int s : flat.outputs[z])
            there[s] = 1;
        for (int s = 0; s < flat.storages(); ++s) {
            if (!there[s] || kept[s]) continue;
            const int home = dissection.regionOfNode[flat.producer[s]];
            if (dissection.apart(home, dissection.regionOfNode[z]) && !comesSoon(opsOf[home], z) &&
                !comesSoon(flat.readers[s], z))
                there[s] = 0;
        }
    }
    tidyRecomputes(flat, recomputes);
    return recomputes;
}

struct Tried {
    std::vector<OpId> sequence;
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

    const std::optional<Tried> &best() const { return m_best; }
    std::int64_t smallestPeakBytes() const { return m_smallestPeak; }

private:
    void run(const separators::TreeDecomposition &tree, int patience)
    {
        std::vector<std::int64_t> leaves = leafWeights(tree);
        std::vector<std::optional<Tried>> tried(leaves.size());
        parallelFor(m_context.threads, leaves.size(), [&](std::size_t i) {
            if (!m_context.shouldStop()) tried[i] = attempt(tree, leaves[i], patience);
        });
        std::optional<std::size_t> best;
        for (std::size_t i = 0; i < leaves.size(); ++i)
            if (tried[i] && offer(*tried[i])) best = i;
        if (!best || *best + 1 >= leaves.size()) return;
        std::int64_t low = leaves[*best], high = leaves[*best + 1];
        for (int i = 0; i < kBisections && high - low > 1 && !m_context.shouldStop(); ++i) {
            const std::int64_t middle = low + (high - low) / 2;
            const Tried between = attempt(tree, middle, patience);
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

    Tried attempt(const separators::TreeDecomposition &tree, std::int64_t leafWeight, int patience) const
    {
        const Dissection dissection = separators::dissect(tree, m_graph.bytes, leafWeight);
        Tried tried;
        tried.sequence = toSequence(m_flat, schedule(m_flat, m_graph.kept, dissection, patience));
        tried.cost = sequenceCost(*m_request.graph, *m_request.costs, tried.sequence);
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
            "around it and computes the rest again; how deep to go on is searched. First computations stay in the "
            "graph's order, and recomputations that nobody reads are filtered. Reaches small peaks on long thin "
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
        const OpGraph graph = opGraph(flat);
        Search search(request, context, flat, graph);
        const auto stop = [&] { return context.shouldStop(); };
        const std::string &elimination = request.options.choice("elimination");
        for (const Elimination each : {Elimination::MinDegree, Elimination::MinFill}) {
            if (elimination == (each == Elimination::MinDegree ? "min-fill" : "min-degree")) continue;
            if (const auto tree = separators::decompose(graph.neighbours, each, stop)) search.run(*tree);
        }

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
        plan.steps = withEarliestFrees(*request.graph, search.best()->sequence);
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
