// SPDX-License-Identifier: Apache-2.0
#include "core/base/units.h"
#include "core/plan/simulator.h"
#include "solvers/tools/setting_search.h"
#include "solvers/treewidth/theorem.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

namespace remat::planner {

namespace {

using separators::Elimination;
using separators::OpGraph;
using separators::TreeDecomposition;

/// Leaf sizes tried between the smallest region and the whole graph.
constexpr int kGrid = 64;
/// How many ops elsewhere a region stands before what it made goes.
constexpr std::array kPatience{4, 16, 64, 256};
constexpr std::size_t kKeepTries = 400;

/// Searches how deep to recurse.
class DepthSearch
{
public:
    DepthSearch(const SolveRequest &request, const SolveContext &context, const FlatGraph &flat, const OpGraph &graph)
        : m_request(request), m_context(context), m_flat(flat), m_graph(graph), m_search(request.budgetBytes, context)
    {
    }

    void run(const TreeDecomposition &tree)
    {
        const std::vector<std::int64_t> leaves = leafWeights(tree);
        for (const int patience : kPatience) {
            m_search.search("Separators", leaves, [&](std::int64_t leafWeight) {
                return planOf({&tree, leafWeight, patience}, m_graph.kept);
            });
            const std::optional<SettingPlan> &best = m_search.best();
            if (!best || (m_best.tree && best->cost.timeUs == m_bestUs)) continue;
            m_best = {&tree, best->setting, patience};
            m_bestUs = best->cost.timeUs;
        }
    }

    /// Spends what the best plan leaves of the budget: keeps, one op after the other, what is computed again, first
    /// what makes most wait, then what takes most time for its bytes.
    void keepMore()
    {
        if (!m_best.tree) return;
        std::vector<char> kept = m_graph.kept;
        try {
            keepOf(separators::dearestMissing(m_flat, recomputesOf(m_best, kept)), kept);
            keepOf(dearestForBytes(recomputesOf(m_best, kept)), kept);
        } catch (const TimeUp &) {
            return; // with what the search has by now
        }
    }

    SolveOutcome outcome() const { return m_search.outcome(*m_request.graph, "depth of recursion"); }

private:
    struct Recursion {
        const TreeDecomposition *tree = nullptr;
        std::int64_t leafWeight = 0;
        int patience = 0;
    };

    std::vector<Recompute> recomputesOf(const Recursion &how, const std::vector<char> &kept) const
    {
        return separators::schedule(m_flat, kept, separators::dissect(*how.tree, m_graph.bytes, how.leafWeight),
                                    how.patience, m_context);
    }

    SettingPlan planOf(const Recursion &how, const std::vector<char> &kept) const
    {
        SettingPlan plan;
        plan.sequence = toSequence(m_flat, recomputesOf(how, kept));
        plan.cost = sequenceCost(*m_request.graph, *m_request.costs, plan.sequence);
        return plan;
    }

    /// Sizes at which the recursion may end, rising: those that make a difference, thinned out.
    std::vector<std::int64_t> leafWeights(const TreeDecomposition &tree) const
    {
        std::vector<std::int64_t> sizes{0,
                                        std::accumulate(m_graph.bytes.begin(), m_graph.bytes.end(), std::int64_t(0))};
        for (const separators::Region &region : separators::dissect(tree, m_graph.bytes, 0).regions)
            sizes.push_back(region.weight);
        std::sort(sizes.begin(), sizes.end());
        sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
        std::vector<std::int64_t> leaves;
        const double step = std::max(1.0, static_cast<double>(sizes.size() - 1) / kGrid);
        for (double at = 0; at < static_cast<double>(sizes.size() - 1); at += step)
            leaves.push_back(sizes[static_cast<std::size_t>(at)]);
        leaves.push_back(sizes.back());
        return leaves;
    }

    std::vector<int> dearestForBytes(const std::vector<Recompute> &recomputes) const
    {
        std::vector<std::pair<double, int>> dear;
        for (const Recompute &each : recomputes) {
            double bytes = 1;
            for (const int s : m_flat.outputs[each.op])
                bytes += static_cast<double>(m_flat.bytes[s]);
            for (const int s : m_flat.outputs[each.op])
                dear.emplace_back(-m_flat.timeUs[each.op] / bytes, s);
        }
        std::sort(dear.begin(), dear.end());
        std::vector<int> storages;
        std::vector<char> seen(m_flat.storages(), 0);
        for (const auto &[worth, s] : dear) {
            if (!seen[s]) storages.push_back(s);
            seen[s] = 1;
        }
        return storages;
    }

    void keepOf(const std::vector<int> &storages, std::vector<char> &kept)
    {
        std::size_t tries = 0;
        for (const int s : storages) {
            if (m_context.shouldStop() || tries == kKeepTries) return;
            if (kept[s]) continue;
            ++tries;
            std::vector<char> more = kept;
            for (const int made : m_flat.outputs[m_flat.producer[s]])
                more[made] = 1;
            if (m_search.offer(planOf(m_best, more))) kept = std::move(more);
        }
    }

    const SolveRequest &m_request;
    const SolveContext &m_context;
    const FlatGraph &m_flat;
    const OpGraph &m_graph;
    SettingSearch m_search;
    Recursion m_best;
    double m_bestUs = 0;
};

/// Ops up to which the theorem's schedule is made: which depends on which is a table of bits.
constexpr int kMostForTheorem = 20'000;

/// The theorem's schedule for each tree decomposition.
void offerTheorem(const SolveRequest &request, const SolveContext &context, const FlatGraph &flat, const OpGraph &graph,
                  const std::vector<TreeDecomposition> &trees, SettingSearch &search)
{
    const std::vector<std::int64_t> ones(static_cast<std::size_t>(flat.ops), 1);
    for (const TreeDecomposition &tree : trees) {
        SettingPlan plan;
        plan.sequence = separators::theoremSequence(flat, graph, separators::dissect(tree, ones, 0), context);
        plan.cost = sequenceCost(*request.graph, *request.costs, plan.sequence);
        search.offer(plan);
    }
}

struct TreewidthOptions {
    std::optional<Elimination> elimination; ///< none: both
    bool keepMore = true;
    bool theorem = false;
};

const OptionTable<TreewidthOptions> &treewidthOptions()
{
    using Options = TreewidthOptions;
    static const OptionTable<Options> table = {
        choiceOption(
            &Options::elimination, "elimination", "Elimination",
            {{"best", std::nullopt}, {"min-degree", Elimination::MinDegree}, {"min-fill", Elimination::MinFill}},
            "The heuristic that makes the tree decomposition; best tries both and takes the faster plan."),
        flagOption(&Options::keepMore, "keep-more", "Fill the budget",
                   "Afterwards keeps what the budget has room for, dearest first. Off leaves the recursion as the "
                   "theory has it, which knows neither times nor sizes."),
        choiceOption(&Options::theorem, "schedule", "Schedule", {{"budgeted", false}, {"theorem", true}},
                     "Budgeted keeps the graph's order of first computations, and searches how deep to go on. Theorem "
                     "is the schedule of the proof, one for all budgets, down to single bags and region by region: "
                     "small peaks, and many computations."),
    };
    return table;
}

Expected<SolveOutcome> planTreewidth(const SolveRequest &request, const SolveContext &context)
{
    const FlatGraph flat = flatten(*request.graph, *request.costs);
    const TreewidthOptions options = treewidthOptions().read(request.options);
    if (options.theorem && flat.ops > kMostForTheorem)
        return fail("The theorem's schedule is made for up to {} ops, and this graph has {}. Set schedule=budgeted.",
                    formatCount(kMostForTheorem), formatCount(flat.ops));
    const std::vector<Op> &ops = request.graph->ops;
    if (options.theorem &&
        std::any_of(ops.begin(), ops.end(), [](const Op &op) { return op.into || !op.updates.empty(); }))
        return fail("The theorem's schedule has an order of its own, and the updates and sums in place of this graph "
                    "need the graph's. Set schedule=budgeted.");
    const OpGraph graph = separators::opGraph(flat, !options.theorem);
    const auto stop = [&] { return context.shouldStop(); };
    std::vector<TreeDecomposition> trees;
    for (const Elimination each : {Elimination::MinDegree, Elimination::MinFill}) {
        if (options.elimination && *options.elimination != each) continue;
        if (auto tree = separators::decompose(graph.neighbours, each, stop)) trees.push_back(std::move(*tree));
    }
    if (options.theorem) {
        SettingSearch search(request.budgetBytes, context);
        offerTheorem(request, context, flat, graph, trees, search);
        return search.outcome(*request.graph, "schedule of the theorem");
    }
    DepthSearch search(request, context, flat, graph);
    for (const TreeDecomposition &tree : trees)
        search.run(tree);
    if (options.keepMore) search.keepMore();
    return search.outcome();
}

} // namespace

const Planner &treewidth()
{
    static const Planner planner = {
        .info =
            {
                .name = "treewidth",
                .title = "Treewidth",
                .kind = "separators",
                .text = "Takes the training graph, forward and backward as one and without directions, apart by "
                        "balanced separators from a tree decomposition, again and again. While it works in a region it "
                        "holds the separators around it and computes the rest again; how deep to go on is searched, "
                        "and what the budget still has room for is kept. First computations stay in the graph's order. "
                        "Reaches small peaks on long thin graphs.",
                .source =
                    "Kumar, Purohit, Svitkina, Vee, Wang: Efficient Rematerialization for Deep Networks, NeurIPS 2019",
                .options = treewidthOptions().records(),
            },
        .plan = planTreewidth,
    };
    return planner;
}

} // namespace remat::planner
