// SPDX-License-Identifier: Apache-2.0
#include "solvers/offload/greedy.h"

#include "core/base/memory_units.h"
#include "solvers/offload/schedule.h"

#include <fmt/core.h>

namespace remat::offload {

OptionTable<GreedyOptions> greedyOptions()
{
    return {
        parametersOption().in(&GreedyOptions::parameters),
        flagOption(&GreedyOptions::activations, "activations", "Offload activations",
                   "Activations and gradients may leave the device. Off leaves weights alone, which then must be "
                   "planned (parameters)."),
    };
}

Expected<SolveOutcome> planGreedily(const SolveRequest &request, const SolveContext &context,
                                    const SelectionRules &rules, const std::string &advice)
{
    const Graph &graph = *request.graph;
    const CostTable &costs = *request.costs;
    if (!rules.activations && !graph.parametersPlanned)
        return fail("With activations off and parameters not planned there is nothing to offload. Set parameters or "
                    "activations on.");
    if (context.progress) {
        SolveProgress told;
        told.activity = "Selection";
        context.progress(told);
    }
    const std::vector<OpId> sequence = computeSequence(keepAllPlan(graph));
    const Residence residence = residenceOf(graph, costs, sequence);
    SelectionRules withStays = rules;
    withStays.stays = request.stays;
    const Selection selection =
        select(graph, residence, request.budgetBytes, withStays, [&] { return context.shouldStop(); });

    SolveOutcome outcome;
    if (selection.peakBytes() > request.budgetBytes) {
        outcome.status = selection.stopped ? SolveStatus::Stopped : SolveStatus::Infeasible;
        if (selection.stopped) {
            outcome.message = "Stopped before a selection fitted the budget.";
            return outcome;
        }
        outcome.smallestPeakBytes = selection.peakBytes();
        outcome.message = fmt::format("Offloading alone does not get below {}, more than the {} there are. {}",
                                      formatMemory(outcome.smallestPeakBytes),
                                      formatMemory(request.budgetBytes, outcome.smallestPeakBytes), advice);
        return outcome;
    }
    Expected<OffloadSchedule> schedule =
        scheduleOffloads(graph, costs, sequence, residence, selection, request.budgetBytes);
    if (!schedule) return tl::unexpected(schedule.error());
    outcome.status = SolveStatus::Feasible;
    outcome.plan.emplace().steps = std::move(schedule->steps);
    return outcome;
}

} // namespace remat::offload
