// SPDX-License-Identifier: Apache-2.0
#include "core/base/memory_units.h"
#include "core/plan/simulator.h"
#include "solvers/interface/solver.h"

#include <fmt/core.h>

namespace remat::planner {

namespace {

Expected<SolveOutcome> planKeepAll(const SolveRequest &request, const SolveContext &)
{
    Plan plan = keepAllPlan(*request.graph);
    const Expected<Simulation> simulation = simulate(*request.graph, *request.costs, plan.steps);
    if (!simulation) return tl::unexpected(simulation.error());
    SolveOutcome outcome;
    if (simulation->peakBytes > request.budgetBytes) {
        outcome.message =
            fmt::format("Keeping everything needs {}, more than the {} there are. Take a planner that recomputes, or "
                        "raise the budget.",
                        formatMemory(simulation->peakBytes), formatMemory(request.budgetBytes, simulation->peakBytes));
        outcome.smallestPeakBytes = simulation->peakBytes;
        return outcome;
    }
    outcome.status = SolveStatus::Optimal;
    outcome.plan = std::move(plan);
    return outcome;
}

} // namespace

const Planner &keep_all()
{
    static const Planner planner = {
        .info =
            {
                .name = "keep-all",
                .title = "Keep all",
                .kind = "no planning",
                .text = "Computes every op once, in graph order, and frees every storage after its last use. Fastest, "
                        "and needs the most memory: its peak is the 100 % that budgets refer to.",
                .source = "What PyTorch does by itself",
            },
        .plan = planKeepAll,
    };
    return planner;
}

} // namespace remat::planner
