// SPDX-License-Identifier: Apache-2.0
#include "solvers/uses/sweep_in_chunks.h"

#include "core/chunk/title.h"
#include "core/plan/simulator.h"

#include <algorithm>
#include <chrono>
#include <fmt/core.h>
#include <functional>

namespace remat {

namespace {

/// The points of a sweep, one after the other.
class ChunkedSweeper
{
public:
    ChunkedSweeper(const SweepRequest &request, const ChunkPlanner &plan, const SolveContext &context,
                   const ChunkedSweepListener &listener, ChunkedSweep &result)
        : m_request(request), m_plan(plan), m_context(context), m_listener(listener), m_result(result)
    {
    }

    /// From the smallest budget up; the points stand from the largest down.
    void run(std::size_t entry, const std::vector<std::int64_t> &budgets)
    {
        const std::size_t first = m_result.sweep.points.size();
        for (const std::int64_t budget : budgets) {
            SweepPoint point;
            point.entry = entry;
            point.budgetBytes = budget;
            point.message = "Stopped before this budget was planned.";
            m_result.sweep.points.push_back(std::move(point));
        }
        m_result.of.resize(m_result.sweep.points.size());
        for (std::size_t i = budgets.size(); i-- > 0 && !m_context.shouldStop();) {
            planPoint(first + i, static_cast<int>(budgets.size() - i - 1), static_cast<int>(budgets.size()));
            if (i + 1 < budgets.size()) takeFaster(first + i, first + i + 1);
        }
    }

private:
    void planPoint(std::size_t at, int done, int total)
    {
        SweepPoint &point = m_result.sweep.points[at];
        const SweepEntry &entry = m_request.entries[point.entry];
        SolveRequest request;
        request.budgetBytes = point.budgetBytes;
        request.options = entry.options;
        request.pins = m_request.pins;
        SolveContext context;
        context.stop = m_context.stop;
        context.deadline = Deadline(std::min(m_request.secondsPerPlan, m_context.deadline.secondsLeft()));
        context.threads = m_context.threads;
        context.seed = m_context.seed;
        SweepProgress told{point.entry, done, total, point.budgetBytes, {}, nullptr};
        if (m_listener)
            context.progress = [&](const SolveProgress &progress) {
                told.solve = progress;
                m_listener(told, nullptr);
            };
        const auto began = std::chrono::steady_clock::now();
        auto planned = m_plan(*entry.planner, request, context);
        point.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
        take(point, std::move(planned), m_result.of[at]);
        told.solve = {};
        told.done = done + 1;
        told.finished = &point;
        if (m_listener) m_listener(told, &m_result.of[at]);
    }

    double overUs(double timeUs) const
    {
        return m_result.sweep.keepAllTimeUs > 0 ? timeUs / m_result.sweep.keepAllTimeUs - 1 : 0;
    }

    void take(SweepPoint &point, Expected<ChunkedOutcome> planned, ChunkedModel &of) const
    {
        if (!planned) {
            point.failed = true;
            point.message = planned.error().message;
            return;
        }
        SolveOutcome &outcome = planned->outcome;
        of = std::move(planned->chunked);
        point.status = outcome.status;
        point.message = std::move(outcome.message);
        point.smallestPeakBytes = outcome.smallestPeakBytes;
        if (outcome.bound) point.bound = *outcome.bound;
        point.bound.timeUs = outcome.boundTimeUs;
        point.boundOverhead = std::max(0.0, overUs(outcome.boundTimeUs));
        if (!outcome.plan) return;
        outcome.plan->predicted.keepAllPeakBytes = m_result.sweep.keepAllPeakBytes;
        outcome.plan->predicted.keepAllTimeUs = m_result.sweep.keepAllTimeUs;
        if (!of.chunking.regions.empty() && point.message.empty())
            point.message = fmt::format("In chunks: {}.", chunkingTitle(of.chunking));
        point.plan = std::make_shared<const Plan>(std::move(*outcome.plan));
        point.madeForBytes = point.budgetBytes;
        point.overhead = overUs(point.plan->predicted.timeUs);
    }

    /// A plan for a smaller budget is one for this, too; its bound is not.
    void takeFaster(std::size_t at, std::size_t smaller)
    {
        SweepPoint &point = m_result.sweep.points[at];
        const SweepPoint &below = m_result.sweep.points[smaller];
        if (point.failed || !below.plan) return;
        if (point.plan && point.plan->predicted.timeUs <= below.plan->predicted.timeUs) return;
        Plan plan = *below.plan;
        plan.budgetBytes = point.budgetBytes;
        plan.predicted.lowerBoundTimeUs = 0;
        plan.predicted.lowerBoundMethod.clear();
        plan.predicted.lowerBoundCut = OpId();
        plan.predicted.anyOrderBoundTimeUs = 0;
        if (point.status != SolveStatus::Stopped) point.status = SolveStatus::Feasible;
        plan.origin.status = statusName(point.status);
        point.message = "A plan that was made for a smaller budget is the faster one here.";
        point.bound = {};
        point.boundOverhead = 0;
        point.madeForBytes = below.madeForBytes;
        point.overhead = below.overhead;
        point.plan = std::make_shared<const Plan>(std::move(plan));
        m_result.of[at] = m_result.of[smaller];
    }

    const SweepRequest &m_request;
    const ChunkPlanner &m_plan;
    const SolveContext &m_context;
    const ChunkedSweepListener &m_listener;
    ChunkedSweep &m_result;
};

} // namespace

Expected<ChunkedSweep> sweepInChunks(const SweepRequest &request, const ChunkPlanner &plan, const SolveContext &context,
                                     const ChunkedSweepListener &listener)
{
    REMAT_ASSERT(request.graph && request.costs, "a request names its graph and its costs");
    if (const Expected<void> usable = checkPlannable(*request.graph, *request.costs); !usable)
        return tl::unexpected(usable.error());
    std::vector<std::int64_t> budgets = request.budgetBytes;
    std::sort(budgets.begin(), budgets.end(), std::greater<>());
    budgets.erase(std::unique(budgets.begin(), budgets.end()), budgets.end());
    if (budgets.empty() || budgets.back() <= 0 || request.entries.empty())
        return fail("A sweep needs at least one planner and one budget, each above 0 bytes.");
    const Expected<Simulation> keepAll = simulate(*request.graph, *request.costs, keepAllPlan(*request.graph).steps);
    if (!keepAll) return fail("The graph cannot be computed in its own order: " + keepAll.error().message);
    ChunkedSweep result;
    result.sweep.keepAllPeakBytes = keepAll->peakBytes;
    result.sweep.keepAllTimeUs = keepAll->timeUs;
    ChunkedSweeper sweeper(request, plan, context, listener, result);
    for (std::size_t entry = 0; entry < request.entries.size(); ++entry)
        sweeper.run(entry, budgets);
    return result;
}

} // namespace remat
