// SPDX-License-Identifier: Apache-2.0
// What a lesson's scenes and figures are, computed: models opened, plans made by the planners that it names.
#pragma once

#include "core/model/open_model.h"
#include "core/model/plan_entry.h"
#include "core/teaching/lessons/lesson.h"

#include <map>

namespace remat {

/// The models of one lesson, each opened once, with the costs that the lesson's figures are of: those of the graph,
/// or of the device `reference` for traces.
class LessonStage
{
public:
    explicit LessonStage(const Lesson &lesson) : m_lesson(lesson) {}

    Expected<std::shared_ptr<const CostedModel>> model(const std::string &name);
    /// The figure as the texts say it: `600 MiB`, `12.5 %`.
    Expected<std::string> figure(const LessonFigure &figure);

private:
    const Lesson &m_lesson;
    std::map<std::string, std::shared_ptr<const CostedModel>> m_models;
};

/// The plan that the window shows when the scene is opened: of its planner, or the quick one for its budget.
Expected<std::shared_ptr<const PlanEntry>> planOfScene(const std::shared_ptr<const CostedModel> &model,
                                                       const LessonScene &scene);

} // namespace remat
