// SPDX-License-Identifier: Apache-2.0
#include "solvers/uses/address_fit.h"

#include "core/addresses/layout.h"
#include "core/base/memory_units.h"
#include "solvers/tools/may_copy.h"
#include "solvers/tools/plan_filler.h"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>

namespace remat {

namespace {

/// Share of the time that is left, for one try, and for the addresses of its plan.
constexpr double kTryShare = 0.5;
/// Share of the time that is left, for the bound of a plan that was made for less.
constexpr double kFitBoundShare = 0.15, kFitBoundSeconds = 0.25;
/// The budget goes down by at least one part in so many.
constexpr std::int64_t kLeastStep = 200;

class Fitting
{
public:
    /// `graph` is the one that plans are judged on.
    Fitting(const Planner &planner, const SolveRequest &request, const SolveContext &context, const Graph &graph)
        : m_planner(planner), m_request(request), m_context(context), m_graph(graph)
    {
    }

    Expected<AddressFit> solve()
    {
        const std::int64_t budget = m_request.budgetBytes;
        std::int64_t tooHigh = 0;  // the least budget whose plan lies too high
        std::int64_t tooSmall = 0; // the largest budget without a plan
        SolveRequest request = m_request;
        while (m_fit.tries < kMostFitTries && (m_fit.tries == 0 || !m_context.shouldStop())) {
            ++m_fit.tries;
            m_fit.triedBudgetBytes = request.budgetBytes;
            Expected<SolveOutcome> outcome = remat::solve(m_planner, request, oneTry());
            if (!outcome) return tl::unexpected(outcome.error());
            if (outcome->plan) {
                const std::int64_t height = heightOf(*outcome->plan);
                if (height <= budget) return fitted(std::move(*outcome), height);
                m_fit.heightBytes = m_fit.heightBytes > 0 ? std::min(m_fit.heightBytes, height) : height;
                tooHigh = std::min(request.budgetBytes, outcome->plan->predicted.peakBytes);
                request.budgetBytes = tooHigh - std::max(height - budget, budget / kLeastStep);
                request.bound.reset();
            } else if (m_fit.tries == 1) {
                m_fit.outcome = std::move(*outcome); // not even the peak fits
                return std::move(m_fit);
            } else {
                tooSmall = request.budgetBytes;
            }
            if (request.budgetBytes <= tooSmall) request.budgetBytes = tooSmall + (tooHigh - tooSmall) / 2;
            if (request.budgetBytes <= tooSmall || request.budgetBytes >= tooHigh) break;
        }
        return nothingFits();
    }

private:
    SolveContext oneTry() const
    {
        SolveContext one = m_context;
        if (const double left = m_context.deadline.secondsLeft(); std::isfinite(left))
            one.deadline = Deadline(left * kTryShare);
        if (m_context.progress)
            one.progress = [this](SolveProgress progress) {
                progress.incumbent = nullptr;
                if (m_fit.tries > 1) progress.activity += fmt::format(" (try {})", m_fit.tries);
                m_context.progress(progress);
            };
        return one;
    }

    std::int64_t heightOf(const Plan &plan) const
    {
        LayoutEffort effort;
        effort.stop = m_context.stopCheck(kTryShare);
        return layOutWell(memoryInstances(m_graph, *m_request.costs, plan.steps), effort).layout.heightBytes;
    }

    /// The plan is one for the budget that was asked for, with the bound of that: what is best for less, or proven of
    /// it, says nothing here.
    Expected<AddressFit> fitted(SolveOutcome outcome, std::int64_t heightBytes)
    {
        m_fit.heightBytes = heightBytes;
        if (m_fit.triedBudgetBytes < m_request.budgetBytes) {
            if (outcome.status == SolveStatus::Optimal) outcome.status = SolveStatus::Feasible;
            outcome.bound.reset();
            outcome.ownBound.reset();
            const CostTable &costs = *m_request.costs;
            const TimeBound bound = m_request.bound ? *m_request.bound
                                    : mayCopy(m_planner, m_graph)
                                        ? everyPlanBound(m_graph, costs, m_request.budgetBytes)
                                        : bestTimeBound(m_graph, costs, m_request.budgetBytes,
                                                        m_context.stopCheck(kFitBoundShare, kFitBoundSeconds));
            SolveRequest request = m_request;
            request.graph = &m_graph;
            const Prediction predicted = outcome.plan->predicted;
            Expected<SolveOutcome> filled =
                PlanFiller{m_planner, request, m_context, predicted.keepAllPeakBytes, predicted.keepAllTimeUs,
                           bound,     m_start}
                    .finish(std::move(outcome));
            if (!filled) return tl::unexpected(filled.error());
            outcome = std::move(*filled);
        }
        m_fit.outcome = std::move(outcome);
        return std::move(m_fit);
    }

    AddressFit nothingFits()
    {
        const bool timeIsUp = m_context.shouldStop();
        SolveOutcome &outcome = m_fit.outcome;
        outcome.status = timeIsUp ? SolveStatus::Stopped : SolveStatus::Infeasible;
        outcome.message = fmt::format(
            "No plan was found whose addresses fit {}: the lowest layout of {} takes {}. Raise the budget, or {}",
            formatMemory(m_request.budgetBytes, m_fit.heightBytes),
            m_fit.tries == 1 ? "one plan" : std::to_string(m_fit.tries) + " tries",
            formatMemory(m_fit.heightBytes, m_request.budgetBytes),
            timeIsUp ? "allow more time." : "take another planner.");
        return std::move(m_fit);
    }

    const PlanFiller::Clock::time_point m_start = PlanFiller::Clock::now();
    const Planner &m_planner;
    const SolveRequest &m_request;
    const SolveContext &m_context;
    const Graph &m_graph;
    AddressFit m_fit;
};

} // namespace

Expected<AddressFit> solveToFit(const Planner &planner, const SolveRequest &request, const SolveContext &context)
{
    REMAT_ASSERT(request.graph && request.costs, "a request names its graph and its costs");
    if (plansParameters(request.options) && !request.graph->parametersPlanned)
        return Fitting(planner, request, context, withPlannedParameters(*request.graph)).solve();
    return Fitting(planner, request, context, *request.graph).solve();
}

} // namespace remat
