// SPDX-License-Identifier: Apache-2.0
// Mistakes of a lesson that its reader cannot see: names that the graph does not have, tasks that ask for nothing.
#pragma once

#include "core/base/expected.h"
#include "core/model/open_model.h"
#include "core/model/plan_entry.h"
#include "core/teaching/lessons/lesson.h"
#include "core/teaching/lessons/texts.h"

#include <functional>
#include <memory>

namespace remat {

/// Opens the model of a scene, under its own costs or those of the device `reference`.
using LessonModels = std::function<Expected<std::shared_ptr<const CostedModel>>(const std::string &model)>;

/// The state that the program is in when the step is opened: its budget, pins, selection and cursor; the plan too where
/// `plan` makes one.
using LessonPlans = std::function<Expected<std::shared_ptr<const PlanEntry>>(
    const std::shared_ptr<const CostedModel> &model, const LessonScene &scene)>;

/// Every mistake, in the order of the file: names of ops, storages and views that there are not; two views in one
/// place; budgets that cannot be read or that no plan keeps; tasks that are done before anybody has done something;
/// figures that no text uses, and names in texts without a figure; words that no step explains.
std::vector<TextMistake> lessonMistakes(const Lesson &lesson, const LessonModels &models, const LessonPlans &plans);

/// What is wrong with one translation of the lesson; lines and fields are those of the translation, but of words that
/// no translated step explains those of the lesson.
std::vector<TextMistake> lessonTextMistakes(const Lesson &lesson, const TranslatedTexts &texts);

} // namespace remat
