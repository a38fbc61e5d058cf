// SPDX-License-Identifier: Apache-2.0
#include "solvers/uses/lesson_plans.h"

#include "core/base/budget.h"
#include "core/base/memory_units.h"
#include "core/base/text.h"
#include "core/base/units.h"
#include "core/bounds/bounds.h"
#include "solvers/interface/solver.h"

namespace remat {

namespace {

constexpr double kMostSeconds = 30; ///< limit for a solve; small graphs take moments

Expected<std::shared_ptr<const PlanEntry>> solved(const CostedModel &model, const std::string &name,
                                                  const std::map<std::string, std::string> &options,
                                                  const std::string &budget, bool quick)
{
    const auto planner = findPlanner(name);
    if (!planner) return tl::unexpected(planner.error());
    const auto bytes = parseBudget(budget.empty() ? "100%" : budget, model.keepAll->peakBytes);
    if (!bytes) return tl::unexpected(bytes.error());
    auto set = makeOptions((*planner)->info.options, options);
    if (!set) return tl::unexpected(set.error());
    SolveRequest request;
    request.graph = &model.graph();
    request.costs = model.costs.get();
    const Model &opened = *model.open->model;
    if (opened.program) request.program = &*opened.program;
    request.budgetBytes = *bytes;
    request.options = std::move(*set);
    SolveContext context;
    context.deadline = Deadline(kMostSeconds);
    auto outcome = solve(**planner, request, context);
    if (!outcome) return tl::unexpected(outcome.error());
    if (!outcome->plan) return fail(outcome->message);
    return makePlanEntry(model, std::make_shared<const Plan>(std::move(*outcome->plan)), 1, name, quick);
}

std::map<std::string, std::string> asMap(const std::vector<std::pair<std::string, std::string>> &options)
{
    return {options.begin(), options.end()};
}

int recomputations(const MemoryTimeline &line)
{
    int count = 0;
    for (const std::uint8_t again : line.recompute)
        count += again;
    return count;
}

Expected<std::string> boundFigure(const CostedModel &model, const LessonFigure &figure)
{
    const auto bytes = parseBudget(figure.budget, model.keepAll->peakBytes);
    if (!bytes) return tl::unexpected(bytes.error());
    const TimeBound bound = bestTimeBound(model.graph(), *model.costs, *bytes);
    if (figure.of == "bound time") return formatTimeUs(bound.extraUs);
    return formatShare(bound.extraUs / model.keepAllTimeUs, Rounding::Down);
}

std::string graphFigure(const CostedModel &model, const LessonFigure &figure)
{
    const Graph &graph = model.graph();
    if (figure.of == "floor") return formatMemory(model.floor.bytes);
    if (figure.of == "ops") return formatCount(static_cast<std::int64_t>(graph.ops.size()));
    std::int64_t bytes = 0;
    for (const Storage &storage : graph.storages)
        if (storage.kind == StorageKind::Parameter) bytes += storage.bytes;
    return formatBytes(bytes);
}

} // namespace

Expected<std::shared_ptr<const CostedModel>> LessonStage::model(const std::string &name)
{
    if (const auto known = m_models.find(name); known != m_models.end()) return known->second;
    const auto device = findDevice("reference");
    if (!device) return tl::unexpected(device.error());
    auto open = openModel(lessonModelPath(m_lesson, name), *device);
    if (!open) return tl::unexpected(open.error());
    auto costed = costModel(std::move(*open), CostChoice{*device, nullptr, {}});
    if (costed) m_models[name] = *costed;
    return costed;
}

Expected<std::string> LessonStage::figure(const LessonFigure &figure)
{
    const auto opened = model(figure.model.empty() ? m_lesson.steps.front().scene.model : figure.model);
    if (!opened) return tl::unexpected(opened.error());
    const CostedModel &costed = **opened;
    if (figure.of == "floor" || figure.of == "ops" || figure.of == "parameters") return graphFigure(costed, figure);
    if (figure.of == "bound" || figure.of == "bound time") return boundFigure(costed, figure);
    const MemoryTimeline *line = costed.keepAll.get();
    std::shared_ptr<const PlanEntry> entry;
    if (!figure.planner.empty()) {
        auto made = solved(costed, figure.planner, asMap(figure.options), figure.budget, false);
        if (!made) return tl::unexpected(made.error());
        entry = *made;
        line = entry->timeline.get();
    }
    if (figure.of == "peak") return formatMemory(line->peakBytes);
    if (figure.of == "peak share")
        return formatMemoryShare(static_cast<double>(line->peakBytes) / static_cast<double>(costed.keepAll->peakBytes));
    if (figure.of == "time") return formatTimeUs(line->timeUs);
    if (figure.of == "extra time") return formatTimeUs(line->timeUs - costed.keepAllTimeUs);
    if (figure.of == "overhead") return formatShare(line->timeUs / costed.keepAllTimeUs - 1);
    if (figure.of == "recomputations") return formatCount(recomputations(*line));
    return fail("There is no figure of {}.", quotedName(figure.of));
}

Expected<std::shared_ptr<const PlanEntry>> planOfScene(const std::shared_ptr<const CostedModel> &model,
                                                       const LessonScene &scene)
{
    if (!scene.story.empty()) {
        const auto teller = findPlanner(scene.story);
        if (!teller) return tl::unexpected(teller.error());
        if (!(*teller)->info.tells) return fail("The planner {} does not tell how it plans.", scene.story);
    }
    if (!scene.planner.empty()) return solved(*model, scene.planner, asMap(scene.options), scene.budget, false);
    const auto bytes = parseBudget(scene.budget, model->keepAll->peakBytes);
    if (bytes && *bytes >= model->keepAll->peakBytes) return solved(*model, "keep-all", {}, scene.budget, true);
    return solved(*model, "search", {{"moves", "0"}}, scene.budget, true);
}

} // namespace remat
