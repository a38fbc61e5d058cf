// SPDX-License-Identifier: Apache-2.0
#include "solvers/uses/eager_plan.h"

#include "core/io/eager_record.h"
#include "core/plan/eager_frees.h"
#include "core/plan/own_sequence.h"
#include "core/plan/simulator.h"
#include "solvers/interface/solver.h"

#include <utility>
#include <vector>

namespace remat {

namespace {

constexpr double kWorthSaying = 1.01; ///< multiple of the peak of keep-all

/// A planner that gives these steps. It is not among the planners: it knows neither budget nor options, and only
/// traces of such models have its plan.
Planner plannerOf(std::vector<Step> steps)
{
    return {
        .info =
            {
                .name = "as-is",
                .title = kEagerTitle,
                .kind = "no planning",
                .text = "What PyTorch does without a plan, the model's own checkpointing included.",
                .source = "torch.utils.checkpoint without reentrant autograd",
            },
        .plan = [steps = std::move(steps)](const SolveRequest &, const SolveContext &) -> Expected<SolveOutcome> {
            SolveOutcome outcome;
            outcome.status = SolveStatus::Feasible;
            outcome.plan.emplace().steps = steps;
            return outcome;
        },
    };
}

} // namespace

Expected<std::optional<EagerPlan>> planOfEager(const Model &model, const CostTable &costs)
{
    const Expected<EagerRecord> eager = readEagerRecord(model);
    if (!eager) return tl::unexpected(eager.error());
    if (eager->formulas.empty()) return std::nullopt;
    const Graph &graph = model.graph;
    const Plan keepAll = keepAllPlan(graph);
    EagerPlan today;
    today.checkpoints = !eager->checkpoints.empty();
    const std::vector<OpId> sequence =
        today.checkpoints ? ownSequence(graph, eager->checkpoints) : computeSequence(keepAll);
    std::vector<Step> steps = withEagerFrees(graph, sequence, eager->formulas, eager->holds);
    const Expected<Simulation> simulated = simulate(graph, costs, steps), kept = simulate(graph, costs, keepAll.steps);
    if (!simulated || !kept) return tl::unexpected(simulated ? kept.error() : simulated.error());
    const double least = kWorthSaying * static_cast<double>(kept->peakBytes);
    if (!today.checkpoints && static_cast<double>(simulated->peakBytes) < least) return std::nullopt;
    SolveRequest request;
    request.graph = &graph;
    request.costs = &costs;
    // What it takes is what it may take: the plan is no answer to a budget.
    request.budgetBytes = simulated->peakBytes;
    Expected<SolveOutcome> outcome = solve(plannerOf(std::move(steps)), request, {});
    if (!outcome) return tl::unexpected(outcome.error());
    if (!outcome->plan) return fail(outcome->message);
    today.plan = std::make_shared<const Plan>(*std::move(outcome->plan));
    return today;
}

} // namespace remat
