// SPDX-License-Identifier: Apache-2.0
#include "core/model/plan_entry.h"

#include "core/bounds/plan_bound.h"
#include "core/plan/plan_verdict.h"

namespace remat {

namespace {

void setBound(const CostedModel &model, Plan &plan, const TimeBound &bound)
{
    const auto any = anyOrderBoundForPlan(model.graph(), *model.costs, plan);
    plan.predicted.anyOrderBoundTimeUs = any ? any->timeUs : 0;
    plan.predicted.lowerBoundTimeUs = bound.timeUs;
    plan.predicted.lowerBoundMethod = bound.method;
    plan.predicted.lowerBoundCut = bound.cut;
}

} // namespace

Expected<std::shared_ptr<const PlanEntry>> makePlanEntry(const CostedModel &model, std::shared_ptr<const Plan> plan,
                                                         int id, const std::string &title, bool quick)
{
    auto timeline = planTimeline(model.graph(), *model.costs, *plan);
    if (!timeline) return tl::unexpected(timeline.error());
    auto entry = std::make_shared<PlanEntry>();
    entry->id = id;
    entry->title = title;
    entry->quick = quick;
    entry->recomputedOps.assign(model.graph().ops.size(), 0);
    for (std::size_t i = 0; i < timeline->op.size(); ++i)
        if (timeline->recompute[i] != 0) entry->recomputedOps[timeline->op[i].index()] = 1;
    entry->timeline = std::make_shared<const MemoryTimeline>(std::move(*timeline));
    if (plan->parametersPlanned) {
        const Graph paged = withPlannedParameters(model.graph());
        if (auto keepAll = buildTimeline(paged, *model.costs, keepAllPlan(paged).steps))
            entry->pagedKeepAll = std::make_shared<const MemoryTimeline>(std::move(*keepAll));
    }
    entry->plan = std::move(plan);
    entry->kind = kindOfPlan(model.graph(), *entry->plan);
    entry->check = checkPlan(model.graph(), *model.costs, *entry->plan);
    entry->runIsOfThisPlan = !entry->plan->validated || recordBelongs(*entry->plan->validated, *entry->plan);
    return entry;
}

Expected<std::shared_ptr<const PlanEntry>> recostPlanEntry(const CostedModel &model, const PlanEntry &entry)
{
    auto plan = std::make_shared<Plan>(*entry.plan);
    const auto timeline = planTimeline(model.graph(), *model.costs, *plan);
    if (!timeline) return tl::unexpected(timeline.error());
    plan->costSource = model.costs->source;
    plan->validated.reset();
    plan->predicted.peakBytes = timeline->peakBytes;
    plan->predicted.timeUs = timeline->timeUs;
    plan->predicted.keepAllPeakBytes = model.keepAllPeakBytes;
    plan->predicted.keepAllTimeUs = model.keepAllTimeUs;
    setBound(model, *plan, boundForPlan(model.graph(), *model.costs, *plan));
    return makePlanEntry(model, plan, entry.id, entry.title, entry.quick);
}

std::shared_ptr<const PlanEntry> provenPlanEntry(const CostedModel &model, const PlanEntry &entry)
{
    const TimeBound bound = boundForPlan(model.graph(), *model.costs, *entry.plan);
    if (bound.timeUs <= entry.plan->predicted.lowerBoundTimeUs) return nullptr;
    auto plan = std::make_shared<Plan>(*entry.plan);
    setBound(model, *plan, bound);
    auto proven = std::make_shared<PlanEntry>(entry);
    proven->plan = std::move(plan);
    return proven;
}

} // namespace remat
