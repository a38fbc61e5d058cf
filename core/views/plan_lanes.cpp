// SPDX-License-Identifier: Apache-2.0
#include "core/views/plan_lanes.h"

#include "core/plan/measured.h"
#include "core/plan/simulator.h"

#include <algorithm>

namespace remat {

double PlanLanes::busyUs(Lane lane) const
{
    double busy = 0;
    for (const LaneEvent &event : of(lane))
        busy += event.toUs - event.fromUs;
    return busy;
}

double PlanLanes::waitUs() const
{
    double waited = 0;
    for (const Span &wait : waits)
        waited += wait.to - wait.from;
    return waited;
}

Lane laneOf(const Graph &graph, const MemoryTimeline &timeline, std::size_t sample)
{
    if (graph.op(timeline.op[sample]).onHost) return Lane::Host;
    return timeline.recompute[sample] ? Lane::Recompute : Lane::Compute;
}

PlanLanes planLanes(const CostedModel &model, const MemoryTimeline &timeline, const Plan *plan)
{
    PlanLanes lanes;
    lanes.timeUs = timeline.timeUs;
    double before = 0;
    for (std::size_t i = 0; i < timeline.op.size(); ++i) {
        const Lane lane = laneOf(model.graph(), timeline, i);
        if (lane == Lane::Host) continue; // the simulator says when it runs
        lanes.events[static_cast<std::size_t>(lane)].push_back(
            {timeline.startUs[i], timeline.endUs[i], timeline.step[i], timeline.op[i], {}});
        if (timeline.startUs[i] > before) lanes.waits.push_back({before, timeline.startUs[i]});
        before = timeline.endUs[i];
    }
    const auto beside = [&](const Step &step) {
        return step.kind == StepKind::Offload || step.kind == StepKind::Prefetch ||
               (step.kind == StepKind::Compute && model.graph().op(step.op).onHost);
    };
    const Plan keepAll = plan ? Plan() : keepAllPlan(model.graph());
    if (!plan) plan = &keepAll;
    if (std::none_of(plan->steps.begin(), plan->steps.end(), beside)) return lanes;
    const Expected<Simulation> simulation = simulatePlan(model.graph(), *model.costs, *plan);
    if (!simulation) return lanes; // the entry's own sentence says what is wrong with the plan
    for (std::size_t i = 0; i < plan->steps.size(); ++i) {
        const Step &step = plan->steps[i];
        if (!beside(step)) continue;
        const Lane lane = step.kind == StepKind::Compute   ? Lane::Host
                          : step.kind == StepKind::Offload ? Lane::CopyOut
                                                           : Lane::CopyIn;
        lanes.events[static_cast<std::size_t>(lane)].push_back({simulation->steps[i].startUs,
                                                                simulation->steps[i].endUs,
                                                                static_cast<std::int32_t>(i), step.op, step.storage});
    }
    return lanes;
}

PlanLanes measuredLanes(const Graph &graph, const MemoryTimeline &timeline, const Plan &plan)
{
    PlanLanes lanes;
    const std::vector<StepMeasurement> *measured = measuredSteps(plan);
    if (!measured) return lanes;
    double longestUs = 0;
    for (const StepMeasurement &step : *measured)
        longestUs = std::max(longestUs, step.endUs);
    if (longestUs <= 0) return lanes;
    lanes.timeUs = timeline.timeUs;
    const double scale = timeline.timeUs / longestUs;
    const auto add = [&](Lane lane, std::int32_t step, OpId op, StorageId storage) {
        const StepMeasurement &took = (*measured)[static_cast<std::size_t>(step)];
        lanes.events[static_cast<std::size_t>(lane)].push_back(
            {took.startUs * scale, took.endUs * scale, step, op, storage});
    };
    for (std::size_t i = 0; i < timeline.op.size(); ++i)
        add(laneOf(graph, timeline, i), timeline.step[i], timeline.op[i], {});
    for (std::size_t i = 0; i < plan.steps.size(); ++i) {
        const Step &step = plan.steps[i];
        if (step.kind == StepKind::Offload) add(Lane::CopyOut, static_cast<std::int32_t>(i), {}, step.storage);
        if (step.kind == StepKind::Prefetch) add(Lane::CopyIn, static_cast<std::int32_t>(i), {}, step.storage);
    }
    return lanes;
}

StorageId waitedFor(const PlanLanes &lanes, const Span &wait)
{
    for (const Lane lane : {Lane::CopyIn, Lane::CopyOut}) {
        const std::vector<LaneEvent> &events = lanes.of(lane);
        const auto found = std::lower_bound(events.begin(), events.end(), wait.to,
                                            [](const LaneEvent &event, double time) { return event.toUs < time; });
        if (found != events.end() && found->toUs == wait.to) return found->storage;
    }
    return {};
}

std::vector<CriticalStretch> criticalPath(const PlanLanes &lanes)
{
    struct Event {
        double fromUs, toUs;
        std::int32_t step;
        Lane lane;
    };
    std::vector<Event> events; // by end, and by step where several end together
    for (std::size_t lane = 0; lane < kLaneCount; ++lane)
        for (const LaneEvent &event : lanes.events[lane])
            events.push_back(
                {event.fromUs, event.toUs, event.step,
                 lane == static_cast<std::size_t>(Lane::Recompute) ? Lane::Compute : static_cast<Lane>(lane)});
    std::sort(events.begin(), events.end(),
              [](const Event &a, const Event &b) { return std::pair(a.toUs, a.step) < std::pair(b.toUs, b.step); });
    std::vector<CriticalStretch> path;
    if (events.empty()) return path;

    // What begins at a moment waited for what ended there: the engine's own event before it, else any other.
    const Event *current = &events.back();
    while (current) {
        if (!path.empty() && path.back().lane == current->lane && path.back().time.from == current->toUs)
            path.back().time.from = current->fromUs;
        else if (current->toUs > current->fromUs)
            path.push_back({current->lane, {current->fromUs, current->toUs}});
        auto candidate = std::upper_bound(events.begin(), events.end(), current->fromUs,
                                          [](double time, const Event &event) { return time < event.toUs; });
        const Event *next = nullptr;
        while (candidate != events.begin()) {
            --candidate;
            if (candidate->toUs < current->fromUs) break;
            if (candidate->step >= current->step) continue;
            if (!next || (candidate->lane == current->lane && next->lane != current->lane)) next = &*candidate;
        }
        current = next;
    }
    std::reverse(path.begin(), path.end());
    return path;
}

} // namespace remat
