// SPDX-License-Identifier: Apache-2.0
#include "solvers/uses/record.h"

#include "core/base/units.h"
#include "core/plan/simulator.h"

#include <fmt/core.h>

namespace remat {

std::vector<std::string> tellingPlanners()
{
    std::vector<std::string> names;
    for (const Planner *planner : planners())
        if (planner->info.tells) names.push_back(planner->info.name);
    return names;
}

namespace {

/// Why there can be no story; empty when there can be one.
std::string refusal(const Planner &planner, const SolveRequest &request)
{
    const PlannerInfo &info = planner.info;
    if (!info.tells) {
        std::string names;
        for (const std::string &name : tellingPlanners())
            names += (names.empty() ? "" : ", ") + name;
        return fmt::format("The planner {} does not tell how it plans. These do: {}.", info.name, names);
    }
    const auto ops = static_cast<std::int64_t>(request.graph->ops.size());
    if (ops > kMostStoryOps)
        return fmt::format("A story is told of graphs with up to {} ops, and {} has {}. Take a small graph, such as "
                           "those of the lessons (resources/lessons/graphs).",
                           formatCount(kMostStoryOps), request.graph->name, formatCount(ops));
    if (!request.pins.empty())
        return "A story is told of what a planner decides alone. Take back decisions made by hand.";
    return {};
}

} // namespace

Expected<Recorded> solveAndRecord(const Planner &planner, const SolveRequest &request, const SolveContext &context)
{
    if (const std::string why = refusal(planner, request); !why.empty()) return fail(why);
    if (const auto keepAll = simulate(*request.graph, *request.costs, keepAllPlan(*request.graph).steps);
        keepAll && keepAll->peakBytes <= request.budgetBytes)
        return fail("There is nothing to tell: keep-all fits {}. Lower the budget.", formatBytes(request.budgetBytes));
    Recorded recorded;
    Story &story = recorded.story;
    story.title = fmt::format("How {} planned {}", planner.info.title, request.graph->name);
    story.planner = planner.info.name;
    story.graphName = request.graph->name;
    story.fingerprint = request.graph->fingerprint;
    story.ops = static_cast<std::int64_t>(request.graph->ops.size());
    story.budgetBytes = request.budgetBytes;
    SolveContext telling = context;
    telling.story = &story;
    auto outcome = solve(planner, request, telling);
    if (!outcome) return tl::unexpected(outcome.error());
    if (story.frames.empty())
        return fail(outcome->message.empty() ? planner.info.title + " had nothing to decide." : outcome->message);
    recorded.outcome = std::move(*outcome);
    return recorded;
}

} // namespace remat
