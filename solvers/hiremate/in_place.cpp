// SPDX-License-Identifier: Apache-2.0
#include "solvers/hiremate/in_place.h"

#include "solvers/hiremate/plan_options.h"
#include "solvers/hiremate/rounds.h"

namespace remat::hiremate {

namespace {

constexpr std::int64_t kIterationsPerPlace = 50; ///< as which a block that is planned in its place counts

} // namespace

void planBlocksAnew(SolveState &solve, const Chain &cut)
{
    solve.setActivity("Blocks in place");
    for (bool gained = solve.incumbent.found(); gained && !solve.stop();) {
        const double before = solve.incumbent.bestTimeUs();
        for (std::size_t k = 0; k < cut.blocks.size() && !solve.stop(); ++k) {
            const std::vector<Recompute> best = toRecomputes(solve.flat, solve.incumbent.best());
            const PlanOptions plan(solve.flat, cut, best);
            solve.iterationsDone += kIterationsPerPlace;
            solve.incumbent.offer(plan.planAnew(cut.blocks[k], solve.budgetBytes, solve.seed, solve.stop));
        }
        gained = solve.incumbent.bestTimeUs() < before;
    }
}

void descend(SolveState &solve)
{
    double before = 0;
    while (!solve.goodEnough() && !solve.stop() && solve.incumbent.bestTimeUs() != before) {
        before = solve.incumbent.bestTimeUs();
        for (const Variation &next : variations(solve.asked, 2)) {
            if (solve.stop() || solve.goodEnough() || solve.iterationsDone >= solve.mostIterations() / 2) return;
            const PartitionSizes sizes{next.options.blockMin, next.options.blockMax};
            planBlocksAnew(solve, makeChain(solve.flat, partitionLabels(solve.flat, next.options.partitioner, sizes),
                                            solve.keepAll.peakBytes));
        }
    }
}

void addOptionsOfBest(SolveState &solve, const Hierarchy &hierarchy, AllOptions &options)
{
    if (!solve.incumbent.found()) return;
    const std::vector<Recompute> best = toRecomputes(solve.flat, solve.incumbent.best());
    const PlanOptions plan(solve.flat, hierarchy.top, best);
    for (std::size_t k = 0; k < hierarchy.top.blocks.size() && !solve.stop(); ++k)
        for (Option &option : plan.inPlace(hierarchy.top.blocks[k], solve.budgetBytes, solve.seed, solve.stop))
            options[hierarchy.children[k]].push_back(std::move(option));
}

} // namespace remat::hiremate
