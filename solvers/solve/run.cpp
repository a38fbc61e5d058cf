// SPDX-License-Identifier: Apache-2.0
#include "core/base/memory_units.h"
#include "core/base/units.h"
#include "core/bounds/plan_bound.h"
#include "core/plan/simulator.h"
#include "solvers/bounds/sharp_bound.h"
#include "solvers/solve/late_reads.h"
#include "solvers/solve/steer/solve_around.h"
#include "solvers/tools/may_copy.h"
#include "solvers/tools/plan_filler.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <fmt/core.h>
#include <memory>
#include <mutex>

namespace remat {

namespace {

constexpr const char *kParameters = "parameters";

std::string workingSetSentence(const SolveRequest &request, const PeakBound &bound)
{
    const std::string need = formatMemory(bound.bytes);
    return fmt::format("No plan fits {}: {}", formatMemory(request.budgetBytes, bound.bytes),
                       bound.op ? fmt::format("op {} alone needs {}.", request.graph->op(bound.op).name, need)
                                : fmt::format("the outputs alone need {}.", need));
}

/// Share of the time for the bounds before a solve, and at least so many seconds; on graphs where they take longer they
/// come out lower.
constexpr double kBoundShare = 0.15, kBoundSeconds = 0.25;

/// Share of the time limit, and at most so many seconds: for the bound of a plan that was found at the last moment.
constexpr double kLastShare = 0.05, kLastSeconds = 1;

/// Programs for a sharper bound are worth it where a plan is this far above the quick one, as a share of the added
/// time, on graphs up to this size, for as long as the solve took and no longer than so many seconds. They decide about
/// no plan, so the clock may end them.
constexpr double kSharpGap = 0.001;
constexpr std::size_t kSharpOps = 2000;
constexpr double kSharpSeconds = 1;

/// The bound at the tight places of a plan in the graph's order, where that may be more than the quick one; else that.
TimeBound sharpened(const SolveRequest &request, const SolveContext &context, const std::vector<Step> &steps,
                    const TimeBound &quick, double solveSeconds)
{
    const Graph &graph = *request.graph;
    if (graph.ops.size() > kSharpOps || context.shouldStop()) return quick;
    Plan plan;
    plan.steps = steps;
    plan.budgetBytes = request.budgetBytes;
    const Expected<Simulation> simulation = simulate(graph, *request.costs, steps);
    if (!simulation || kindOfPlan(graph, plan) != HoldsFor::GivenOrder) return quick;
    const double addedUs = simulation->timeUs - (quick.timeUs - quick.extraUs);
    if (addedUs - quick.extraUs <= kSharpGap * addedUs) return quick;
    const Deadline soon(std::min({context.deadline.secondsLeft(), kSharpSeconds, solveSeconds}));
    const BoundProblem problem{graph, *request.costs, request.budgetBytes, &plan, context.stop, soon};
    const TimeBound sharp = sharpBound(problem).best;
    return sharp.extraUs > quick.extraUs ? sharp : quick;
}

SolveOutcome stoppedWith(const std::shared_ptr<const Plan> &plan, const TimeUp &early, std::int64_t budgetBytes)
{
    SolveOutcome outcome;
    outcome.status = SolveStatus::Stopped;
    if (plan) {
        outcome.plan.emplace().steps = plan->steps;
        outcome.message = kTimeWasUp;
    } else {
        outcome.message = early.sentence.empty() ? fmt::format("The solve ended before a plan within {} was found.",
                                                               formatMemory(budgetBytes))
                                                 : early.sentence;
    }
    return outcome;
}

/// Hands on what a planner tells while it works, from any of its threads: plans only when they are better than the one
/// before, filled in and checked.
class ProgressRelay
{
public:
    ProgressRelay(const SolveContext &context, const PlanFiller &filler) : m_context(context), m_filler(filler) {}

    void operator()(const SolveProgress &progress)
    {
        const std::lock_guard lock(m_oneAtATime);
        if (!m_context.progress) {
            if (progress.incumbent) m_last = progress.incumbent;
            return;
        }
        SolveProgress told = progress;
        told.elapsedSeconds = m_filler.seconds();
        if (told.incumbent) {
            const auto plan = std::make_shared<Plan>(*told.incumbent);
            const bool good = m_filler.fillAndCheck(*plan, "feasible", PlanFiller::Bounds::Quick).has_value() &&
                              (m_bestUs < 0 || plan->predicted.timeUs < m_bestUs);
            if (good) m_bestUs = plan->predicted.timeUs;
            told.incumbent = good ? plan : nullptr;
            if (good) m_last = plan;
        }
        m_context.progress(told);
    }

    /// The best plan so far, and the newest where nobody listens; may be null. Not checked then.
    const std::shared_ptr<const Plan> &last() const { return m_last; }

private:
    const SolveContext &m_context;
    const PlanFiller &m_filler;
    std::mutex m_oneAtATime;
    double m_bestUs = -1;
    std::shared_ptr<const Plan> m_last;
};

} // namespace

StopCheck SolveContext::stopCheck(double share, double leastSeconds) const
{
    const double seconds = std::max(share * deadline.secondsLeft(), leastSeconds);
    const Deadline until = std::isfinite(seconds) ? Deadline(seconds) : Deadline();
    return [token = stop, until] { return (token && token->stopRequested()) || until.passed(); };
}

Deadline SolveContext::timeToImprove() const
{
    const double limit = deadline.totalSeconds();
    if (!std::isfinite(limit)) return {};
    return Deadline(std::max(0.0, deadline.secondsLeft() - std::min(kLastShare * limit, kLastSeconds)));
}

Expected<void> checkPlannable(const Graph &graph, const CostTable &costs)
{
    if (graph.ops.empty()) return fail("The graph has no ops, so there is nothing to plan.");
    if (costs.timeUs.size() != graph.ops.size() || costs.workspaceBytes.size() != graph.ops.size())
        return fail("The costs are of another graph: they have {} ops, the graph has {}.",
                    formatCount(std::int64_t(costs.timeUs.size())), formatCount(std::int64_t(graph.ops.size())));
    return {};
}

OptionTable<ParameterOptions> parametersOption()
{
    return flagOption(
        &ParameterOptions::planned, kParameters, "Plan parameters",
        "Parameters count into dynamic memory and may leave the device. Peak and budget then include them, "
        "and percent refer to the keep-all peak with them.");
}

bool plansParameters(const OptionSet &options)
{
    return options.has(kParameters) && parametersOption().read(options).planned;
}

Expected<SolveOutcome> solve(const Planner &planner, const SolveRequest &asked, const SolveContext &context)
{
    REMAT_ASSERT(asked.graph && asked.costs, "a request names its graph and its costs");
    const PlanFiller::Clock::time_point start = PlanFiller::Clock::now();
    SolveRequest request = asked;
    std::optional<Graph> derived;
    if (plansParameters(request.options) && !request.graph->parametersPlanned)
        request.graph = &derived.emplace(withPlannedParameters(*request.graph));
    else if (request.graph->parametersPlanned && !plansParameters(request.options))
        return fail("The planner {} keeps parameters resident. Take one with the option \"parameters\", "
                    "such as offload-greedy.",
                    planner.info.name);
    const Graph &graph = *request.graph;
    const CostTable &costs = *request.costs;
    const bool onHost = std::any_of(graph.ops.begin(), graph.ops.end(), [](const Op &op) { return op.onHost; });
    const bool copies = mayCopy(planner, graph);
    if (onHost && !copies)
        return fail("The planner {} copies nothing to host memory, where updates of this graph run. Take "
                    "one that does, such as offload-greedy.",
                    planner.info.name);
    SolveRequest toPlan = request;
    const std::optional<Graph> readOnce = withLateReadsOnce(graph);
    if (readOnce) toPlan.graph = &*readOnce;
    if (const Expected<void> usable = checkPlannable(graph, costs); !usable) return tl::unexpected(usable.error());
    if (request.budgetBytes <= 0) return fail("The budget must be more than 0 bytes.");

    if (const PeakBound floor = workingSetBound(graph, costs); floor.bytes > request.budgetBytes) {
        SolveOutcome outcome;
        outcome.message = workingSetSentence(request, floor);
        outcome.smallestPeakBytes = floor.bytes;
        return outcome;
    }
    const Expected<Simulation> keepAll = simulate(graph, costs, keepAllPlan(graph).steps);
    if (!keepAll) return fail("The graph cannot be computed in its own order: " + keepAll.error().message);
    TimeBound bound = everyPlanBound(graph, costs, request.budgetBytes);
    const PlanFiller filler{planner, request, context, keepAll->peakBytes, keepAll->timeUs, bound, start};
    const auto findBound = [&] {
        // What holds for plans without offloads says nothing of the others.
        if (!copies)
            bound = request.bound ? *request.bound
                                  : bestTimeBound(graph, costs, request.budgetBytes,
                                                  context.stopCheck(kBoundShare, kBoundSeconds));
    };
    if (!request.pins.empty()) {
        Expected<SolveOutcome> steered = steer::solveAround(planner, toPlan, context, filler);
        if (!steered || !steered->plan) return steered;
        findBound();
        return filler.finish(std::move(*steered));
    }

    ProgressRelay told(context, filler);
    SolveContext listening = context;
    listening.progress = [&told](const SolveProgress &progress) { told(progress); };

    Expected<SolveOutcome> outcome = SolveOutcome{};
    try {
        std::optional<Plan> first;
        if (planner.firstPlan) first = planner.firstPlan(toPlan, context);
        if (first && context.progress) {
            SolveProgress progress;
            progress.activity = "first plan";
            progress.incumbent = std::make_shared<Plan>(*first);
            told(progress);
        }
        findBound();
        listening.boundTimeUs = bound.timeUs;
        try {
            outcome = planner.plan(toPlan, listening);
        } catch (const TimeUp &early) {
            outcome = stoppedWith(told.last(), early, request.budgetBytes);
        }
        if (outcome && !outcome->plan && first)
            outcome = SolveOutcome{
                SolveStatus::Stopped, true, first, 0, {}, {}, context.deadline.passed() ? kTimeWasUp : "", 0};
    } catch (const std::exception &error) {
        return fail("The planner {} failed: {}", planner.info.name, error.what());
    }
    if (!outcome) return outcome;
    if (outcome->bound && outcome->bound->extraUs > bound.extraUs)
        bound = *outcome->bound;
    else if (outcome->plan && planner.info.usesTime && !copies)
        bound = sharpened(request, context, outcome->plan->steps, bound, filler.seconds());
    outcome->boundTimeUs = bound.timeUs;
    if (!outcome->plan) return outcome;
    return filler.finish(std::move(*outcome));
}

} // namespace remat
