// SPDX-License-Identifier: Apache-2.0
#include "core/teaching/lessons/lesson_check.h"

#include "core/base/budget.h"
#include "core/base/memory_units.h"
#include "core/base/nearest.h"
#include "core/base/text.h"
#include "core/base/units.h"
#include "core/io/json_lines.h"
#include "core/teaching/lessons/lesson_task.h"
#include "core/teaching/lessons/lesson_texts.h"

#include <algorithm>
#include <fmt/core.h>
#include <map>
#include <set>

namespace remat {

namespace {

enum class Place { Center, Below, Right };

/// The window's views by their ids, and where they stand; one is seen in each place.
const std::map<std::string, Place> &places()
{
    static const std::map<std::string, Place> all = {
        {"graph", Place::Center},   {"curve", Place::Center}, {"matrix", Place::Center},   {"compare", Place::Center},
        {"memory", Place::Below},   {"lanes", Place::Below},  {"addresses", Place::Below}, {"results", Place::Below},
        {"solves", Place::Below},   {"plan", Place::Right},   {"summary", Place::Right},   {"explain", Place::Right},
        {"decisions", Place::Right}};
    return all;
}

/// Whether a text has the word between two stars, with an ending of some letters (`**slots**`) or without.
bool explains(const std::string &text, const std::string &word)
{
    constexpr std::size_t kEnding = 2;
    for (std::size_t at = text.find("**" + word); at != std::string::npos; at = text.find("**" + word, at + 1)) {
        const std::size_t end = at + 2 + word.size();
        const std::size_t stars = text.find("**", end);
        if (stars != std::string::npos && stars <= end + kEnding) return true;
    }
    return false;
}

/// Words that the step they name does not explain.
void unexplained(const Lesson &lesson, std::vector<TextMistake> &mistakes)
{
    for (std::size_t i = 0; i < lesson.words.size(); ++i) {
        const LessonWord &word = lesson.words[i];
        const std::string field = fmt::format("words[{}]", i);
        const auto say = [&](const std::string &where, const std::string &sentence) {
            mistakes.push_back({lineOfPath(lesson.source, where), where, sentence});
        };
        const auto step = static_cast<std::size_t>(word.step);
        if (step >= taughtSteps(lesson))
            say(field + ".step", fmt::format("The lesson has {} steps.", taughtSteps(lesson)));
        else if (!explains(lesson.steps[step].text, word.word) &&
                 !explains(lesson.steps[step].question.because, word.word))
            say(field + ".word", fmt::format("Step {} does not explain **{}**: write it between two stars there.",
                                             word.step + 1, shortened(printable(word.word))));
    }
}

class Checker
{
public:
    Checker(const Lesson &lesson, const LessonModels &models, const LessonPlans &plans)
        : m_lesson(lesson), m_models(models), m_plans(plans)
    {
    }

    std::vector<TextMistake> run()
    {
        for (std::size_t i = 0; i < m_lesson.steps.size(); ++i)
            checkStep(i);
        checkTexts();
        unexplained(m_lesson, m_mistakes);
        return std::move(m_mistakes);
    }

private:
    void say(const std::string &field, const std::string &sentence)
    {
        m_mistakes.push_back({lineOfPath(m_lesson.source, field), field, sentence});
    }

    std::shared_ptr<const CostedModel> model(const std::string &name, const std::string &field)
    {
        const auto known = m_opened.find(name);
        if (known != m_opened.end()) return known->second;
        auto opened = m_models(name);
        if (!opened)
            say(field, fmt::format("The model {} cannot be opened: {}", quotedName(name), opened.error().message));
        return m_opened[name] = opened ? *opened : nullptr;
    }

    void checkStep(std::size_t index)
    {
        const LessonStep &step = m_lesson.steps[index];
        const std::string field = fieldOfStep(m_lesson, index);
        const LessonScene scene = sceneAt(m_lesson, index);
        const auto opened = model(scene.model, field + ".scene.model");
        if (!opened) return;
        checkScene(*opened, step.scene, field + ".scene");
        const char *act = step.kind == LessonStepKind::Predict ? ".predict.lights" : ".question.lights";
        checkLights(*opened, step.question.lights, step.recall ? field + ".lights" : field + act);
        if (step.kind != LessonStepKind::Task) return;
        const std::size_t before = m_mistakes.size();
        checkCondition(*opened, step.task.done, field + ".task.done");
        if (m_mistakes.size() == before) checkNotDone(opened, scene, step.task, field + ".task.done");
    }

    void checkNotDone(const std::shared_ptr<const CostedModel> &opened, const LessonScene &scene,
                      const LessonTask &task, const std::string &field)
    {
        LessonSituation now;
        now.model = opened.get();
        if (const auto bytes = parseBudget(scene.budget, opened->keepAll->peakBytes)) now.budgetBytes = *bytes;
        std::shared_ptr<const PlanEntry> entry;
        if (!scene.budget.empty()) {
            auto plan = m_plans(opened, scene);
            if (!plan) {
                say(field, "The plan of the scene cannot be made: " + plan.error().message);
                return;
            }
            entry = *plan;
        }
        now.plan = entry.get();
        now.views = scene.views;
        const Graph &graph = opened->graph();
        now.selection = {opNamed(graph, scene.select), storageNamed(graph, scene.select)};
        now.cursorUs = cursorOf(*opened, entry.get(), scene.cursor);
        if (isDone(task.done, now))
            say(field, "The task is done already when the step is opened: ask for something that the scene is not.");
    }

    static double cursorOf(const CostedModel &model, const PlanEntry *plan, const std::string &name)
    {
        const MemoryTimeline &line = plan ? *plan->timeline : *model.keepAll;
        for (std::size_t i = 0; i < line.op.size(); ++i)
            if (name == "peak" ? i == line.peakSample : model.graph().op(line.op[i]).name == name)
                return (line.startUs[i] + line.endUs[i]) / 2;
        return -1;
    }

    void checkBudget(const CostedModel &opened, const std::string &text, const std::string &field)
    {
        if (text.empty()) return;
        const auto bytes = parseBudget(text, opened.keepAll->peakBytes);
        // Ops of a trace may be made smaller in chunks.
        const bool cannotBeCut = !opened.open->asRead().program;
        if (!bytes)
            say(field, bytes.error().message);
        else if (*bytes < opened.floor.bytes && cannotBeCut)
            say(field, fmt::format("No plan keeps {}: op {} alone needs {}.", formatBytes(*bytes),
                                   quotedName(opened.floor.op ? opened.graph().op(opened.floor.op).name : ""),
                                   formatMemory(opened.floor.bytes)));
    }

    /// What a name may be of.
    struct NameOf {
        bool ops = false, storages = false;
    };

    void checkName(const CostedModel &opened, const std::string &name, const std::string &field, NameOf of)
    {
        const auto [ops, storages] = of;
        const Graph &graph = opened.graph();
        if (name.empty() || (ops && opNamed(graph, name)) || (storages && storageNamed(graph, name))) return;
        std::vector<std::string> known;
        for (std::size_t i = 0; ops && i < graph.ops.size(); ++i)
            known.push_back(graph.ops[i].name);
        for (std::size_t i = 0; storages && i < graph.storages.size(); ++i)
            known.push_back(graph.storages[i].name);
        say(field, fmt::format("The graph {} has no {}{}. Did you mean {}?", quotedName(graph.name),
                               ops ? (storages ? "op or storage " : "op ") : "storage ", quotedName(name),
                               quotedName(nearestName(known, name))));
    }

    void checkView(const std::string &view, const std::string &field)
    {
        if (view.empty() || places().contains(view)) return;
        std::vector<std::string> known;
        for (const auto &[id, place] : places())
            known.push_back(id);
        say(field, fmt::format("There is no view {}. Did you mean {}?", quotedName(view),
                               quotedName(nearestName(known, view))));
    }

    /// What is selected, and where the cursor goes.
    void checkShown(const CostedModel &opened, const std::string &select, const std::string &cursor,
                    const std::string &field)
    {
        checkName(opened, select, field + ".select", {.ops = true, .storages = true});
        if (cursor != "peak") checkName(opened, cursor, field + ".cursor", {.ops = true});
    }

    void checkScene(const CostedModel &opened, const LessonScene &scene, const std::string &field)
    {
        checkBudget(opened, scene.budget, field + ".budget");
        checkShown(opened, scene.select, scene.cursor, field);
        for (std::size_t i = 0; i < scene.views.size(); ++i)
            checkView(scene.views[i], fmt::format("{}.views[{}]", field, i));
        std::set<Place> taken;
        for (const std::string &view : scene.views)
            if (const auto known = places().find(view); known != places().end() && !taken.insert(known->second).second)
                say(field + ".views",
                    fmt::format("Another view stands where {} does: one of them is seen.", quotedName(view)));
        if (!scene.planner.empty() && scene.budget.empty())
            say(field + ".planner", "A scene that solves needs a budget, too.");
    }

    void checkLights(const CostedModel &opened, const LessonLights &lights, const std::string &field)
    {
        checkShown(opened, lights.select, lights.cursor, field);
        checkView(lights.view, field + ".view");
    }

    void checkCondition(const CostedModel &opened, const LessonCondition &done, const std::string &field)
    {
        checkBudget(opened, done.budgetAtMost, field + ".budget_at_most");
        checkBudget(opened, done.peakAtMost, field + ".peak_at_most");
        checkName(opened, done.selected, field + ".selected", {.ops = true, .storages = true});
        if (done.cursorAt != "peak") checkName(opened, done.cursorAt, field + ".cursor_at", {.ops = true});
        const auto names = [&](const std::vector<std::string> &list, const char *key, bool ops) {
            for (std::size_t i = 0; i < list.size(); ++i)
                checkName(opened, list[i], fmt::format("{}.{}[{}]", field, key, i), {.ops = ops, .storages = !ops});
        };
        names(done.keep, "keep", false);
        names(done.recompute, "recompute", true);
        names(done.never, "never", true);
        checkView(done.view, field + ".view");
    }

    /// Notes which figures a text uses, and says so of names that are none.
    void checkFigureNames(const std::string &text, const std::string &field)
    {
        std::size_t at = 0;
        while ((at = text.find('{', at)) != std::string::npos) {
            const std::size_t close = text.find('}', at);
            if (close == std::string::npos) {
                say(field, "A brace is opened and not closed.");
                return;
            }
            const std::string name = text.substr(at + 1, close - at - 1);
            const bool known = std::any_of(m_lesson.figures.begin(), m_lesson.figures.end(),
                                           [&name](const LessonFigure &figure) { return figure.name == name; });
            if (!known) say(field, fmt::format("There is no figure {}.", quotedName(name)));
            m_used.insert(name);
            at = close;
        }
    }

    void checkTexts()
    {
        Lesson lesson = m_lesson;
        eachText(lesson, [this](const std::string &field, std::string &text) { checkFigureNames(text, field); });
        for (const LessonFigure &figure : m_lesson.figures)
            if (!m_used.contains(figure.name))
                say("figures." + figure.name, fmt::format("No text uses the figure {}.", quotedName(figure.name)));
    }

    const Lesson &m_lesson;
    const LessonModels &m_models;
    const LessonPlans &m_plans;
    std::map<std::string, std::shared_ptr<const CostedModel>> m_opened;
    std::set<std::string> m_used;
    std::vector<TextMistake> m_mistakes;
};

} // namespace

std::vector<TextMistake> lessonMistakes(const Lesson &lesson, const LessonModels &models, const LessonPlans &plans)
{
    return Checker(lesson, models, plans).run();
}

std::vector<TextMistake> lessonTextMistakes(const Lesson &lesson, const TranslatedTexts &texts)
{
    Lesson other = lesson;
    const TextWalk walk = [&other](const TextVisitor &visit) { eachText(other, visit); };
    std::vector<TextMistake> mistakes = translationMistakes(walk, texts);
    translate(walk, texts);
    unexplained(other, mistakes);
    return mistakes;
}

} // namespace remat
