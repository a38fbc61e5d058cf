// SPDX-License-Identifier: Apache-2.0
#include "core/teaching/lessons/lesson.h"

#include "core/base/resources.h"

#include <algorithm>
#include <fmt/core.h>

namespace remat {

namespace fs = std::filesystem;

std::size_t taughtSteps(const Lesson &lesson)
{
    const auto recall = [](const LessonStep &step) { return step.recall; };
    return static_cast<std::size_t>(std::find_if(lesson.steps.begin(), lesson.steps.end(), recall) -
                                    lesson.steps.begin());
}

std::string fieldOfStep(const Lesson &lesson, std::size_t step)
{
    const std::size_t taught = taughtSteps(lesson);
    return step < taught ? fmt::format("steps[{}]", step) : fmt::format("recall[{}]", step - taught);
}

LessonScene sceneAt(const Lesson &lesson, std::size_t step)
{
    LessonScene all;
    for (std::size_t i = 0; i <= step && i < lesson.steps.size(); ++i) {
        const LessonScene &scene = lesson.steps[i].scene;
        const bool anotherModel = !scene.model.empty() && scene.model != all.model;
        if (anotherModel) all = {};
        if (!scene.model.empty()) all.model = scene.model;
        if (!scene.budget.empty()) {
            all.budget = scene.budget;
            all.planner.clear(); // a plan of before was made for another budget
            all.options.clear();
        }
        if (!scene.planner.empty()) {
            all.planner = scene.planner;
            all.options = scene.options;
        }
        if (!scene.views.empty()) all.views = scene.views;
        all.select = scene.select;
        all.cursor = scene.cursor;
        all.player = scene.player;
        all.cut = scene.cut;
        all.story = scene.story;
    }
    all.clearPins = true;
    return all;
}

std::string withFigures(const Lesson &lesson, const std::string &text)
{
    std::string result;
    std::size_t at = 0;
    while (at < text.size()) {
        const std::size_t open = text.find('{', at);
        const std::size_t close = open == std::string::npos ? open : text.find('}', open);
        if (close == std::string::npos) break;
        const std::string name = text.substr(open + 1, close - open - 1);
        const auto figure = std::find_if(lesson.figures.begin(), lesson.figures.end(),
                                         [&name](const LessonFigure &each) { return each.name == name; });
        result += text.substr(at, open - at);
        result += figure == lesson.figures.end() ? text.substr(open, close + 1 - open) : figure->shown;
        at = close + 1;
    }
    return result + text.substr(at);
}

fs::path lessonModelPath(const Lesson &lesson, const std::string &model)
{
    std::error_code error;
    const fs::path beside = lesson.path.parent_path();
    const bool isName = model.find('/') == std::string::npos && model.find('.') == std::string::npos;
    if (!isName) return beside / model;
    for (const fs::path &path :
         {resourceDir() / "samples" / (model + ".pt2"), resourceDir() / "lessons" / "graphs" / (model + ".json")})
        if (fs::exists(path, error)) return path;
    return beside / (model + ".json");
}

} // namespace remat
