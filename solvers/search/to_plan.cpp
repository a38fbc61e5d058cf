// SPDX-License-Identifier: Apache-2.0
#include "solvers/search/to_plan.h"

#include <algorithm>

namespace remat::search {

namespace {

/// Share of the keep-all time: closer to the bound there is nothing to gain. A hair less than what is called optimal.
constexpr double kClose = 0.99 * kOptimalShare;
constexpr double kFirstPlanSeconds = 2;

} // namespace

Plan planOf(const FlatGraph &flat, const std::vector<Recompute> &set)
{
    Plan plan;
    plan.steps = withEarliestFrees(*flat.graph, toSequence(flat, set));
    return plan;
}

std::optional<Plan> greedyFirstPlan(const SolveRequest &request, const SolveContext &context)
{
    const FlatGraph flat = flatten(*request.graph, *request.costs);
    if (!checkSizes(flat)) return std::nullopt;
    // Where the budget is far out of its reach the greedy works for minutes; a first plan that late is none.
    const Deadline deadline(kFirstPlanSeconds);
    const Found found = greedyPlan(flat, request.budgetBytes, {}, [&] {
        return (context.stop && context.stop->stopRequested()) || deadline.passed();
    });
    return found.fits ? std::optional<Plan>(planOf(flat, found.set)) : std::nullopt;
}

std::vector<Recompute> startSet(const FlatGraph &flat, const Plan *plan)
{
    return plan ? toRecomputes(flat, computeSequence(*plan)) : std::vector<Recompute>{};
}

Expected<void> checkSizes(const FlatGraph &flat)
{
    double bytes = 0;
    for (const std::int64_t size : flat.bytes)
        bytes += static_cast<double>(size);
    for (const std::int64_t size : flat.workspaceBytes)
        bytes += static_cast<double>(size);
    // Fits 62 bits with room for copies.
    if (bytes * flat.ops < 0x1p60) return {};
    return fail("The graph's storages are too large to count over all of its steps. Check the sizes in its file.");
}

double enoughUs(double keepAllUs, const SolveContext &context)
{
    return std::max(0.0, context.boundTimeUs - keepAllUs) + kClose * keepAllUs;
}

} // namespace remat::search
