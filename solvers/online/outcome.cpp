// SPDX-License-Identifier: Apache-2.0
#include "solvers/online/outcome.h"

#include "core/base/memory_units.h"
#include "core/bounds/bounds.h"
#include "core/plan/simulator.h"

#include <fmt/core.h>

namespace remat::online {

namespace {

/// Budgets that are tried, up to the keep-all peak.
constexpr std::int64_t kSteps = 200;

} // namespace

SolveOutcome toOutcome(const std::string &who, const SolveRequest &request, const Runtime &runtime, RunEnd end,
                       bool earliest)
{
    SolveOutcome outcome;
    if (end == RunEnd::Done) {
        outcome.status = SolveStatus::Feasible;
        Plan plan;
        plan.steps = runtime.steps();
        if (earliest)
            plan.steps =
                withEarliestFrees(*request.graph, dropUselessRecomputes(*request.graph, computeSequence(plan)));
        outcome.plan = std::move(plan);
        return outcome;
    }
    outcome.status = end == RunEnd::Stopped ? SolveStatus::Stopped : SolveStatus::Infeasible;
    const std::string where = runtime.failedOp() >= 0 ? request.graph->ops[runtime.failedOp()].name : std::string();
    const std::string budget = formatMemory(request.budgetBytes);
    if (end == RunEnd::Stopped) {
        outcome.message = fmt::format("{} was stopped at {}.", who, where);
    } else if (end == RunEnd::OutOfMemory) {
        outcome.message = fmt::format(
            "{} runs out of memory at {} with {}: nothing that is left may be evicted. A larger budget may work.", who,
            where, budget);
    } else {
        outcome.message = fmt::format("{} thrashes with {}: at {} it has spent more time on recomputation than "
                                      "thrash-limit allows. Raise the limit or the budget.",
                                      who, budget, where);
    }
    return outcome;
}

OptionTable<RunOptions> runOptions()
{
    return {
        numberOption(&RunOptions::thrashLimit, "thrash-limit", "Thrash limit", 0.01, 1000, "",
                     "Gives up once recomputation alone takes this many times as long as keep-all. The authors' "
                     "simulator has 1: twice the time in all."),
        choiceOption(&RunOptions::earliestFrees, "frees", "Frees", {{"as run", false}, {"earliest", true}},
                     "Frees storages when the policy did, so that memory fills up to the budget (as run), or as early "
                     "as possible, without recomputations that turned out useless (earliest)."),
        flagOption(
            &RunOptions::neighbours, "neighbours", "Try smaller budgets",
            "A run that fails may work with less memory. Then it is tried with smaller budgets, in steps of half "
            "a percent of the keep-all peak. Off looks at the budget alone, as the paper does.",
            true),
    };
}

SolveOutcome withNeighbours(const SolveRequest &request, const SolveContext &context, bool neighbours,
                            const std::function<SolveOutcome(std::int64_t budgetBytes)> &attempt)
{
    SolveOutcome outcome = attempt(request.budgetBytes);
    if (outcome.plan || outcome.status == SolveStatus::Stopped || !neighbours) return outcome;
    const std::int64_t least = workingSetBound(*request.graph, *request.costs).bytes;
    const std::int64_t peak =
        sequenceCost(*request.graph, *request.costs, computeSequence(keepAllPlan(*request.graph))).peakBytes;
    const auto budgetAt = [&](std::int64_t step) { return peak / kSteps * step + peak % kSteps * step / kSteps; };
    std::int64_t step = kSteps;
    while (step > 0 && budgetAt(step) >= request.budgetBytes)
        --step;
    for (; step > 0 && budgetAt(step) >= least; --step) {
        SolveOutcome smaller = attempt(budgetAt(step));
        if (!smaller.plan && context.shouldStop()) return smaller;
        if (!smaller.plan) continue;
        const std::string sentence =
            fmt::format("With {} the run fails; this is the one with {}.",
                        formatMemory(request.budgetBytes, budgetAt(step)), formatMemory(budgetAt(step)));
        smaller.message = sentence + (smaller.message.empty() ? "" : " ") + smaller.message;
        return smaller;
    }
    outcome.message += " Smaller budgets were tried and fail, too.";
    return outcome;
}

} // namespace remat::online
