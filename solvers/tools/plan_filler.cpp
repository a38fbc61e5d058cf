// SPDX-License-Identifier: Apache-2.0
#include "solvers/tools/plan_filler.h"

#include "core/bounds/plan_bound.h"
#include "core/plan/checker.h"
#include "core/plan/simulator.h"

#include <algorithm>
#include <fmt/core.h>

namespace remat {

namespace {

/// Share of the whole time, and no more than so many seconds.
constexpr double kLateShare = 0.05, kMostLateSeconds = 0.3;

template <class Ids, class Name>
void noteNames(std::map<std::string, std::string> &options, const char *key, const Ids &ids, const Name &name)
{
    std::string names;
    for (const auto id : ids)
        names += (names.empty() ? "" : ", ") + name(id);
    if (!names.empty()) options[key] = std::move(names);
}

/// The plan file says how it was made, decisions by hand included.
std::map<std::string, std::string> noted(const SolveRequest &request)
{
    std::map<std::string, std::string> options = request.options.changed();
    const auto opName = [&](OpId op) { return request.graph->op(op).name; };
    noteNames(options, "keep", request.pins.keep, [&](StorageId s) { return request.graph->storage(s).name; });
    noteNames(options, "recompute", request.pins.recompute, opName);
    noteNames(options, "never", request.pins.never, opName);
    return options;
}

} // namespace

Expected<void> PlanFiller::fillAndCheck(Plan &plan, const char *status, Bounds bounds, const TimeBound *own) const
{
    plan.budgetBytes = request.budgetBytes;
    plan.origin = {planner.info.name, noted(request), seconds(), status};
    plan.costSource = request.costs->source;
    plan.parametersPlanned = request.graph->parametersPlanned;
    const Expected<Simulation> simulation = simulate(*request.graph, *request.costs, plan.steps);
    if (!simulation) return fail(broken(simulation.error().message));
    const TimeBound holds = boundOf(plan, bounds, own);
    plan.predicted = {simulation->peakBytes, simulation->timeUs, keepAllPeakBytes, keepAllTimeUs,
                      holds.timeUs,          holds.method,       holds.cut,        anyOrderUs(plan, bounds)};
    const Verdict verdict = checkPlan(*request.graph, *request.costs, plan);
    if (!verdict.ok) return fail(broken(verdict.sentence));
    if (const auto violated = pinsViolated(*request.graph, plan.steps, request.pins))
        return fail(
            "The planner {} made a plan that does not follow the decisions made by hand, so it is not shown: {}",
            planner.info.name, *violated);
    return {};
}

Expected<SolveOutcome> PlanFiller::finish(SolveOutcome outcome) const
{
    // With decisions made by hand the planner had another graph, so what it proved is of that.
    const TimeBound *own = outcome.ownBound && request.pins.empty() ? &*outcome.ownBound : nullptr;
    if (const Expected<void> good = fillAndCheck(*outcome.plan, statusName(outcome.status), Bounds::Own, own); !good)
        return tl::unexpected(good.error());
    const Prediction &predicted = outcome.plan->predicted;
    outcome.boundTimeUs = predicted.lowerBoundTimeUs;
    if (outcome.leastTime && predicted.timeUs - predicted.lowerBoundTimeUs < kOptimalShare * keepAllTimeUs)
        outcome.status = SolveStatus::Optimal;
    outcome.plan->origin.status = statusName(outcome.status);
    return outcome;
}

TimeBound PlanFiller::boundOf(const Plan &plan, Bounds bounds, const TimeBound *own) const
{
    const HoldsFor kind = kindOfPlan(*request.graph, plan);
    if (bound.holdsFor >= kind) return bound;
    if (bounds == Bounds::Quick) return everyPlanBound(*request.graph, *request.costs, request.budgetBytes);
    TimeBound quick = boundForPlan(*request.graph, *request.costs, plan, context.stopCheck(1, lateSeconds()));
    return own && kind == HoldsFor::AnyOrder && own->timeUs > quick.timeUs ? *own : quick;
}

double PlanFiller::anyOrderUs(const Plan &plan, Bounds bounds) const
{
    if (bounds == Bounds::Quick) return 0;
    const auto any = anyOrderBoundForPlan(*request.graph, *request.costs, plan, context.stopCheck(1, lateSeconds()));
    return any ? any->timeUs : 0;
}

double PlanFiller::lateSeconds() const
{
    return std::min(kMostLateSeconds, kLateShare * context.deadline.totalSeconds());
}

std::string PlanFiller::broken(const std::string &why) const
{
    return fmt::format("The planner {} made a plan that breaks the rules, so it is not shown: {}", planner.info.name,
                       why);
}

} // namespace remat
