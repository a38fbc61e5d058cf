// SPDX-License-Identifier: Apache-2.0
#include "solvers/uses/sweep.h"

#include "core/bounds/plan_bound.h"
#include "core/plan/simulator.h"
#include "solvers/tools/may_copy.h"
#include "solvers/tools/parallel.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <mutex>

namespace remat {

namespace {

using Clock = std::chrono::steady_clock;

/// Share of the time of a plan, for the bound of its budget.
constexpr double kSweepBoundShare = 0.4;

double secondsSince(Clock::time_point start)
{
    return std::chrono::duration<double>(Clock::now() - start).count();
}

/// A sweep at work: the points are made once, each is then written by one thread.
class Sweeper
{
public:
    Sweeper(const SweepRequest &request, const SolveContext &context, const SweepListener &listener,
            std::vector<std::int64_t> budgets, Sweep &sweep)
        : m_request(request),
          m_context(context),
          m_listener(listener),
          m_budgets(std::move(budgets)),
          m_sweep(sweep),
          m_done(request.entries.size(), 0)
    {
        for (std::size_t entry = 0; entry < request.entries.size(); ++entry)
            for (const std::int64_t budget : m_budgets) {
                SweepPoint point;
                point.entry = entry;
                point.budgetBytes = budget;
                point.message = "Stopped before this budget was planned.";
                m_sweep.points.push_back(std::move(point));
            }
    }

    void run()
    {
        findBounds();
        std::vector<std::size_t> quick, patient;
        for (std::size_t entry = 0; entry < m_request.entries.size(); ++entry)
            (m_request.entries[entry].planner->info.usesTime ? patient : quick).push_back(entry);

        const std::size_t perEntry = m_budgets.size();
        parallelFor(m_context.threads, quick.size() * perEntry,
                    [&](std::size_t i) { planPoint(pointOf(quick[i / perEntry], i % perEntry), 1, nullptr); });
        const int side = std::max(1, std::min(m_context.threads, static_cast<int>(patient.size())));
        parallelFor(side, patient.size(),
                    [&](std::size_t i) { planChain(patient[i], std::max(1, m_context.threads / side)); });
        for (std::size_t entry = 0; entry < m_request.entries.size(); ++entry)
            takeFasterNeighbours(entry);
    }

private:
    SweepPoint &pointOf(std::size_t entry, std::size_t budget)
    {
        return m_sweep.points[entry * m_budgets.size() + budget];
    }

    /// One bound per budget, none smaller than that of a larger budget.
    void findBounds()
    {
        const Clock::time_point start = Clock::now();
        m_bounds.resize(m_budgets.size());
        parallelFor(m_context.threads, m_budgets.size(), [&](std::size_t i) {
            if (m_context.shouldStop()) return;
            SolveContext context;
            context.stop = m_context.stop;
            context.deadline = Deadline(std::min(m_request.secondsPerPlan, m_context.deadline.secondsLeft()));
            m_bounds[i] =
                bestTimeBound(*m_request.graph, *m_request.costs, m_budgets[i], context.stopCheck(kSweepBoundShare));
        });
        for (std::size_t i = 1; i < m_bounds.size(); ++i)
            if (!m_bounds[i].infeasible && m_bounds[i].extraUs < m_bounds[i - 1].extraUs) m_bounds[i] = m_bounds[i - 1];
        for (SweepPoint &point : m_sweep.points) {
            setBound(point, mayCopy(*m_request.entries[point.entry].planner, *m_request.graph)
                                ? everyPlanBound(*m_request.graph, *m_request.costs, point.budgetBytes)
                                : m_bounds[indexOf(point)]);
        }
        m_sweep.boundSeconds = secondsSince(start);
        const double share = m_sweep.boundSeconds / static_cast<double>(m_budgets.size());
        m_secondsPerPlan = std::max(m_request.secondsPerPlan - share, m_request.secondsPerPlan / 2);
    }

    void setBound(SweepPoint &point, const TimeBound &bound) const
    {
        point.bound = bound;
        if (m_sweep.keepAllTimeUs > 0) point.boundOverhead = std::max(0.0, bound.timeUs / m_sweep.keepAllTimeUs - 1);
    }

    std::size_t indexOf(const SweepPoint &point) const
    {
        return static_cast<std::size_t>(&point - m_sweep.points.data()) % m_budgets.size();
    }

    /// All budgets of one planner from the smallest up; the best plan so far fits every budget to come.
    void planChain(std::size_t entry, int threads)
    {
        std::shared_ptr<const Plan> best;
        for (std::size_t i = m_budgets.size(); i-- > 0;) {
            SweepPoint &point = pointOf(entry, i);
            planPoint(point, threads, best);
            if (point.plan && (!best || point.plan->predicted.timeUs <= best->predicted.timeUs)) best = point.plan;
        }
    }

    void planPoint(SweepPoint &point, int threads, std::shared_ptr<const Plan> start)
    {
        if (m_context.shouldStop()) return;
        const SweepEntry &entry = m_request.entries[point.entry];
        SolveRequest request;
        request.graph = m_request.graph;
        request.costs = m_request.costs;
        request.program = m_request.program;
        request.budgetBytes = point.budgetBytes;
        request.options = entry.options;
        request.pins = m_request.pins;
        request.start = std::move(start);
        request.bound = point.bound;
        SolveContext context;
        context.stop = m_context.stop;
        context.deadline = Deadline(std::min(m_secondsPerPlan, m_context.deadline.secondsLeft()));
        context.threads = threads;
        context.seed = m_context.seed;
        if (m_listener)
            context.progress = [this, &point](const SolveProgress &progress) { tell(point, progress, false); };

        tell(point, {}, false);
        const Clock::time_point began = Clock::now();
        Expected<SolveOutcome> outcome = solve(*entry.planner, request, context);
        point.seconds = secondsSince(began);
        take(point, std::move(outcome));
        tell(point, {}, true);
    }

    void take(SweepPoint &point, Expected<SolveOutcome> outcome) const
    {
        if (!outcome) {
            point.failed = true;
            point.message = outcome.error().message;
            return;
        }
        point.status = outcome->status;
        point.message = std::move(outcome->message);
        point.smallestPeakBytes = outcome->smallestPeakBytes;
        if (outcome->bound && m_request.pins.empty() && outcome->bound->extraUs > point.bound.extraUs)
            setBound(point, *outcome->bound);
        if (!outcome->plan) return;
        point.plan = std::make_shared<const Plan>(std::move(*outcome->plan));
        point.madeForBytes = point.budgetBytes;
        point.overhead = overheadOf(*point.plan);
    }

    double overheadOf(const Plan &plan) const
    {
        return m_sweep.keepAllTimeUs > 0 ? plan.predicted.timeUs / m_sweep.keepAllTimeUs - 1 : 0;
    }

    void tell(const SweepPoint &point, const SolveProgress &progress, bool finished)
    {
        if (!m_listener) return;
        const std::lock_guard lock(m_oneAtATime);
        SweepProgress told;
        told.entry = point.entry;
        told.done = finished ? ++m_done[point.entry] : m_done[point.entry];
        told.total = static_cast<int>(m_budgets.size());
        told.budgetBytes = point.budgetBytes;
        told.solve = progress;
        if (finished) told.finished = &point;
        m_listener(told);
    }

    /// From the smallest budget up, the plan of the one below where it is faster than the own one. A failed call stays
    /// one: it is something that people must see.
    void takeFasterNeighbours(std::size_t entry)
    {
        const SweepPoint *below = nullptr;
        for (std::size_t i = m_budgets.size(); i-- > 0;) {
            SweepPoint &point = pointOf(entry, i);
            const bool better =
                below && !point.failed && (!point.plan || below->plan->predicted.timeUs < point.plan->predicted.timeUs);
            if (better) adopt(point, *below);
            if (point.plan) below = &point;
        }
    }

    void adopt(SweepPoint &point, const SweepPoint &below) const
    {
        Plan plan = *below.plan;
        plan.budgetBytes = point.budgetBytes;
        const bool holds = point.bound.holdsFor >= kindOfPlan(*m_request.graph, plan);
        const TimeBound bound =
            holds ? point.bound : everyPlanBound(*m_request.graph, *m_request.costs, point.budgetBytes);
        plan.predicted.lowerBoundTimeUs = bound.timeUs;
        if (point.status != SolveStatus::Stopped) point.status = SolveStatus::Feasible;
        plan.origin.status = statusName(point.status);
        point.message = "A plan that was made for a smaller budget is the faster one here.";
        point.madeForBytes = below.madeForBytes;
        point.overhead = below.overhead;
        point.plan = std::make_shared<const Plan>(std::move(plan));
    }

    const SweepRequest &m_request;
    const SolveContext &m_context;
    const SweepListener &m_listener;
    const std::vector<std::int64_t> m_budgets; ///< descending
    Sweep &m_sweep;
    std::vector<TimeBound> m_bounds; ///< per budget
    double m_secondsPerPlan = 0;
    std::mutex m_oneAtATime;
    std::vector<int> m_done; ///< per entry
};

} // namespace

Expected<Sweep> sweep(const SweepRequest &request, const SolveContext &context, const SweepListener &listener)
{
    REMAT_ASSERT(request.graph && request.costs, "a request names its graph and its costs");
    if (const Expected<void> usable = checkPlannable(*request.graph, *request.costs); !usable)
        return tl::unexpected(usable.error());
    if (request.entries.empty()) return fail("A sweep needs at least one planner.");
    std::vector<std::int64_t> budgets = request.budgetBytes;
    std::sort(budgets.begin(), budgets.end(), std::greater<>());
    budgets.erase(std::unique(budgets.begin(), budgets.end()), budgets.end());
    if (budgets.empty() || budgets.back() <= 0) return fail("A sweep needs at least one budget, each above 0 bytes.");
    const Expected<Simulation> keepAll = simulate(*request.graph, *request.costs, keepAllPlan(*request.graph).steps);
    if (!keepAll) return fail("The graph cannot be computed in its own order: " + keepAll.error().message);

    Sweep result;
    result.keepAllPeakBytes = keepAll->peakBytes;
    result.keepAllTimeUs = keepAll->timeUs;
    Sweeper(request, context, listener, std::move(budgets), result).run();
    return result;
}

} // namespace remat
