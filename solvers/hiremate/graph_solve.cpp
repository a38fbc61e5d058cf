// SPDX-License-Identifier: Apache-2.0
#include "solvers/hiremate/graph_solve.h"

#include "core/base/units.h"
#include "solvers/hiremate/chain_solve.h"
#include "solvers/hiremate/in_place.h"
#include "solvers/hiremate/joined_blocks.h"

#include <algorithm>
#include <fmt/core.h>

namespace remat::hiremate {

namespace {

/// Share of the added time above the proven bound from which more work is worth it.
constexpr double kNearEnough = 0.03;
/// How often the program over the chain is solved with options from the best plan, while it gives better ones.
constexpr int kTurns = 4;
/// Share of the iterations that are left, for one more solve.
constexpr double kSolveShare = 0.25;
constexpr std::int64_t kLeastParts = 4; ///< one in so many of all iterations is taken to be left at the least

} // namespace

void GraphSolver::solveFirst()
{
    solveChain();
}

std::string GraphSolver::solveAgain()
{
    if (!m_solve.mayGoOn()) return {};
    std::vector<ClusterProgress> best = m_solve.incumbent.clusters();
    int solves = 0;
    const auto over = [&] { return m_solve.stop() || m_solve.goodEnough(); };
    for (int round = 1; round <= m_solve.asked.rounds && !over(); ++round) {
        if (round > 1) m_triedLabels.clear();
        for (const Variation &next : variations(m_solve.asked, round)) {
            if (over()) break;
            const double before = m_solve.incumbent.bestTimeUs();
            solveAs(next, round);
            ++solves;
            if (m_solve.incumbent.bestTimeUs() != before) best = m_solve.incumbent.clusters();
        }
        if (!m_solve.incumbent.found()) break;
    }
    if (solves == 0) return {};
    m_solve.incumbent.setClusters(std::move(best));
    return fmt::format("Solved again with other partitioners, block sizes and more options, {}{}{}",
                       formatCount(solves), solves == 1 ? " time, until " : " times, until ",
                       m_solve.goodEnough() ? "the plan was within 1 % of the least added time, or 0.1 points of it."
                                            : "all rounds were done.");
}

/// In another way, with a part of the iterations that are left of those that belong to the time limit, or of them all
/// when they are gone: time is what ends rounds.
void GraphSolver::solveAs(const Variation &next, int round)
{
    const std::int64_t most = m_solve.mostIterations();
    const auto left = static_cast<double>(std::max(most - m_solve.iterationsDone, most / kLeastParts));
    m_solve.settings = next.options;
    m_solve.variation = fmt::format("Round {}, {}: ", round, next.name);
    m_solve.seed = m_solve.context.seed + static_cast<std::uint64_t>(round) - 1;
    m_solve.iterationsUntil = m_solve.iterationsDone + static_cast<std::int64_t>(kSolveShare * left);
    solveChain();
}

void GraphSolver::solveChain()
{
    m_solve.setActivity("Blocks");
    const PipelineOptions &settings = m_solve.settings;
    const PartitionSizes sizes{settings.blockMin, std::max(settings.blockMin, settings.blockMax)};
    const std::vector<int> labels = partitionLabels(m_solve.flat, settings.partitioner, sizes);
    if (!m_triedLabels.insert(labels).second) return;
    const Hierarchy hierarchy = makeHierarchy(m_solve.flat, labels, m_solve.keepAll.peakBytes, settings.depth);
    AllOptions options = findAllOptions(m_solve, hierarchy);
    if (m_solve.stop()) return;
    const bool again = m_solve.again();
    double before = 0;
    for (int turn = 0; turn < (again ? kTurns : 1) && m_solve.incumbent.bestTimeUs() != before; ++turn) {
        if (again) planBlocksAnew(m_solve, hierarchy.top);
        before = m_solve.incumbent.bestTimeUs();
        if (again) addOptionsOfBest(m_solve, hierarchy, options);
        if (m_solve.stop()) return;
        ChainSolver(m_solve, hierarchy, options).solveToFit();
    }
    if (m_solve.mayGoOn() && !again) descend(m_solve);
    if (m_solve.mayGoOn()) planJoinedAnew(m_solve, hierarchy.top);
    if (!m_solve.nearBound(kNearEnough)) ChainSolver(m_solve, hierarchy, options).solveLooser();
}

} // namespace remat::hiremate
