// SPDX-License-Identifier: Apache-2.0
#include "solvers/hiremate/all_options.h"

#include "solvers/hiremate/cluster_options.h"
#include "solvers/hiremate/leaf.h"
#include "solvers/tools/parallel.h"

#include <algorithm>
#include <chrono>
#include <map>

namespace remat::hiremate {

namespace {

/// Shares of the time for options: of blocks, and where clusters are made of them, which leave a small program at
/// the top.
constexpr double kOptionsShare = 0.45, kDeepOptionsShare = 0.65;

bool interfacesAreLarge(const FlatGraph &flat, const Chain &chain)
{
    std::int64_t sum = 0;
    for (const int s : chain.interfaces)
        sum += flat.bytes[s];
    return static_cast<double>(sum) > 0.05 * static_cast<double>(chain.keepAllPeakBytes);
}

std::vector<ClusterProgress> emptyTable(const Hierarchy &hierarchy)
{
    std::vector<ClusterProgress> table;
    for (const ClusterNode &node : hierarchy.clusters) {
        ClusterProgress row;
        row.name = hierarchy.blockOf(node).name;
        row.level = node.level;
        row.uses = node.uses;
        table.push_back(row);
    }
    return table;
}

class OptionFinder
{
public:
    OptionFinder(SolveState &solve, const Hierarchy &hierarchy)
        : m_solve(solve), m_hierarchy(hierarchy), m_options(hierarchy.clusters.size())
    {
    }

    AllOptions find()
    {
        m_solve.setActivity("Options of clusters", 0);
        m_solve.incumbent.setClusters(emptyTable(m_hierarchy));
        ClosureSettings settings;
        settings.levels = m_solve.settings.levels;
        settings.optionLimit = m_solve.settings.optionsPerBlock;
        settings.interfaces = m_solve.settings.interfaceOptions && interfacesAreLarge(m_solve.flat, m_hierarchy.top);
        settings.stop = m_solve.context.stop;
        settings.seed = static_cast<int>(m_solve.seed % 1000000);
        settings.iterations = std::min(settings.iterations, m_solve.iterations());
        std::atomic<bool> timeWasUp = false;
        settings.timeWasUp = &timeWasUp;
        settings.iterationsDone = &m_solve.iterationsDone;
        const double share = m_hierarchy.levels > 1 ? kDeepOptionsShare : kOptionsShare;
        const Deadline all(std::min(share * m_solve.context.deadline.secondsLeft(), kNoLimitSeconds));
        for (int level = m_hierarchy.levels; level > 0; --level) {
            std::vector<std::size_t> here;
            for (std::size_t c = 0; c < m_hierarchy.clusters.size(); ++c)
                if (m_hierarchy.clusters[c].level == level) here.push_back(c);
            settings.deadline = Deadline(std::min(all.secondsLeft() / level, kNoLimitSeconds));
            parallelFor(m_solve.context.threads, here.size(),
                        [&](std::size_t n) { solveCluster(here[n], settings, here.size() - n); });
        }
        m_solve.timeWasUp = m_solve.timeWasUp || timeWasUp || all.passed();
        return std::move(m_options);
    }

private:
    /// One of `left` clusters that share the time.
    void solveCluster(std::size_t c, const ClosureSettings &settings, std::size_t left)
    {
        const auto start = std::chrono::steady_clock::now();
        const auto tell = [&](int options, bool done) {
            m_solve.incumbent.updateCluster(c, [&](ClusterProgress &row) {
                row.running = !done;
                row.done = done;
                if (done) row.gap = 0;
                row.options = options;
                row.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
            });
        };
        const auto told = [&](int options) { tell(options, false); };
        const ClusterNode &node = m_hierarchy.clusters[c];
        const Chain &around = m_hierarchy.chainAround(node);
        const std::string &leaf = m_solve.settings.leaf;
        ClosureSettings own = settings;
        // Planners of whole graphs, and programs over chains, take as long as they may: the others get their share.
        if (leaf != "ilp" || !node.leaf()) own.deadline = shareOf(settings.deadline, left);
        if (node.leaf()) {
            m_options[c] = leafOptions(leaf, m_solve.flat, around, around.blocks[node.block], own, told);
        } else {
            ClusterSettings cluster;
            cluster.lite = m_solve.settings.lite;
            cluster.limits = own;
            m_options[c] = clusterOptions(m_solve.flat, around, node.block, node.inner,
                                          optionsOf(m_options, node.children), cluster, told);
        }
        tell(static_cast<int>(m_options[c].size()), true);
    }

    Deadline shareOf(const Deadline &whole, std::size_t blocksLeft) const
    {
        const int threads = std::max(m_solve.context.threads, 1);
        const double atOnce = static_cast<double>(std::min<std::size_t>(blocksLeft, threads));
        const double seconds = whole.secondsLeft() * atOnce / static_cast<double>(blocksLeft);
        return Deadline(std::min(seconds, kNoLimitSeconds));
    }

    SolveState &m_solve;
    const Hierarchy &m_hierarchy;
    AllOptions m_options;
};

} // namespace

AllOptions findAllOptions(SolveState &solve, const Hierarchy &hierarchy)
{
    return OptionFinder(solve, hierarchy).find();
}

std::vector<const std::vector<Option> *> optionsOf(const AllOptions &options, const std::vector<int> &clusters)
{
    std::vector<const std::vector<Option> *> found;
    found.reserve(clusters.size());
    for (const int c : clusters)
        found.push_back(&options[c]);
    return found;
}

void tellChosen(SolveState &solve, const Hierarchy &hierarchy, const AllOptions &options, const TopChoice &choice)
{
    std::vector<std::map<int, int>> uses(options.size()); // per cluster: by option
    for (std::size_t k = 0; k < choice.option.size(); ++k)
        ++uses[hierarchy.children[k]][choice.option[k]];
    for (std::size_t c = 0; c < options.size(); ++c) {
        std::vector<ChosenOption> chosen;
        for (const auto &[number, count] : uses[c]) {
            const Option &option = options[c][number];
            chosen.push_back({option.keptBytes, option.extraUs, count});
            for (std::size_t b = 0; b < option.inner.size(); ++b)
                uses[hierarchy.clusters[c].children[b]][option.inner[b]] += count;
        }
        solve.incumbent.updateCluster(c, [&](ClusterProgress &row) { row.chosen = std::move(chosen); });
    }
}

} // namespace remat::hiremate
