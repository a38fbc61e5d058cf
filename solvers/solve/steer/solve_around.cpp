// SPDX-License-Identifier: Apache-2.0
#include "solvers/solve/steer/solve_around.h"

#include "core/base/memory_units.h"
#include "core/plan/simulator.h"
#include "solvers/solve/steer/blame.h"
#include "solvers/solve/steer/steered_graph.h"

#include <fmt/core.h>
#include <memory>

namespace remat::steer {

namespace {

class Around
{
public:
    Around(const Planner &planner, const SolveRequest &request, const SolveContext &context, const PlanFiller &filler)
        : m_planner(planner), m_request(request), m_context(context), m_filler(filler)
    {
    }

    Expected<SolveOutcome> solve()
    {
        SolveOutcome none;
        for (const Strictness strictness : {Strictness::Relaxed, Strictness::Strict}) {
            const Expected<SteeredGraph> steered =
                steerGraph(*m_request.graph, *m_request.costs, m_request.pins, strictness);
            if (!steered) return tl::unexpected(steered.error());
            Expected<SolveOutcome> outcome = solveOn(*steered);
            if (!outcome)
                return fail(outcome.error().message +
                            " Around decisions made by hand, the planners Automatic and Search always plan.");
            if (!outcome->plan) return withReason(std::move(*outcome), strictness);
            std::vector<Step> steps = plainSteps(*m_request.graph, m_request.pins, *steered, outcome->plan->steps);
            if (follows(steps)) {
                outcome->plan->steps = std::move(steps);
                if (outcome->status == SolveStatus::Optimal) outcome->status = SolveStatus::Feasible;
                // What a planner says of its plan is about the steered graph, whose keep-all time has the twins in it.
                if (steered->hasTwins) outcome->message.clear();
                return outcome;
            }
            if (m_request.pins.recompute.empty() || m_context.shouldStop()) break;
        }
        none.status = m_context.shouldStop() ? SolveStatus::Stopped : SolveStatus::Infeasible;
        none.message = fmt::format("{} found no plan within {} that follows the decisions made by hand.",
                                   m_planner.info.title, formatMemory(m_request.budgetBytes));
        return none;
    }

private:
    Expected<SolveOutcome> solveOn(const SteeredGraph &steered) const
    {
        SolveRequest inner;
        inner.graph = &steered.graph;
        inner.costs = &steered.costs;
        inner.budgetBytes = m_request.budgetBytes;
        inner.options = m_request.options;
        // What no plan of the graph beats, none of the steered one does: its plans only lose computations on the way
        // back.
        inner.bound = m_request.bound;
        inner.stays.assign(steered.graph.storages.size(), 0);
        for (const StorageId storage : m_request.pins.keep)
            inner.stays[storage.index()] = 1;
        if (steered.hasTwins) {
            // A twin computed for the first time before the forward pass has ended would be no decision to drop.
            inner.givenOrder = true;
        } else if (m_request.start && simulate(steered.graph, steered.costs, m_request.start->steps)) {
            inner.start = m_request.start;
        }
        SolveContext context = m_context;
        if (m_context.progress)
            context.progress = [&](const SolveProgress &progress) { m_context.progress(told(progress, steered)); };
        return remat::solve(m_planner, inner, context);
    }

    SolveProgress told(SolveProgress progress, const SteeredGraph &steered) const
    {
        if (!progress.incumbent) return progress;
        auto plan = std::make_shared<Plan>();
        plan->steps = plainSteps(*m_request.graph, m_request.pins, steered, progress.incumbent->steps);
        if (m_filler.fillAndCheck(*plan, "feasible", PlanFiller::Bounds::Quick)) {
            progress.incumbentTimeUs = plan->predicted.timeUs;
            progress.incumbent = std::move(plan);
        } else {
            progress.incumbent = nullptr;
        }
        return progress;
    }

    bool follows(const std::vector<Step> &steps) const
    {
        const Expected<Simulation> simulation = simulate(*m_request.graph, *m_request.costs, steps);
        return simulation && simulation->peakBytes <= m_request.budgetBytes &&
               !pinsViolated(*m_request.graph, steps, m_request.pins);
    }

    SolveOutcome withReason(SolveOutcome outcome, Strictness strictness) const
    {
        if (outcome.status != SolveStatus::Infeasible || strictness == Strictness::Strict) return outcome;
        const std::string blamed = mostBinding(*m_request.graph, *m_request.costs, m_request.pins,
                                               m_request.budgetBytes, [this] { return m_context.shouldStop(); });
        outcome.message = fmt::format(
            "{} found no plan within {} that follows the decisions made by hand. {}", m_planner.info.title,
            formatMemory(m_request.budgetBytes),
            blamed.empty() ? "None of them alone is in the way. Raise the budget, or take several back." : blamed);
        return outcome;
    }

    const Planner &m_planner;
    const SolveRequest &m_request;
    const SolveContext &m_context;
    const PlanFiller &m_filler;
};

} // namespace

Expected<SolveOutcome> solveAround(const Planner &planner, const SolveRequest &request, const SolveContext &context,
                                   const PlanFiller &filler)
{
    return Around(planner, request, context, filler).solve();
}

} // namespace remat::steer
