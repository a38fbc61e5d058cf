// SPDX-License-Identifier: Apache-2.0
#include "core/teaching/lessons/lesson_json.h"

#include "core/base/file.h"
#include "core/base/resources.h"
#include "core/base/text.h"
#include "core/io/graph_header.h"
#include "core/io/json_lines.h"
#include "core/io/written_by_hand.h"
#include "core/teaching/lessons/lesson_texts.h"

#include <algorithm>

namespace remat {

namespace {

constexpr const char *kFormat = "remat-lesson/1";
constexpr std::int64_t kMostBytes = 8 << 20;
constexpr std::size_t kMostChoices = 6;

std::vector<std::string> texts(const JsonCursor &object, const char *key)
{
    std::vector<std::string> list;
    if (const JsonCursor all = object.find(key))
        for (const JsonCursor &each : all.items())
            list.push_back(each.text());
    return list;
}

/// A text, or a list of texts that are its paragraphs.
std::string paragraphs(const JsonCursor &object, const char *key)
{
    if (!object[key].isArray()) return filledText(object, key);
    std::string text;
    for (const JsonCursor &each : object[key].items())
        text += (text.empty() ? "" : "\n\n") + each.text();
    return text;
}

std::vector<std::pair<std::string, std::string>> options(const JsonCursor &object)
{
    std::vector<std::pair<std::string, std::string>> list;
    if (const JsonCursor set = object.find("options"))
        for (const auto &[key, value] : set.members())
            list.emplace_back(key, value.text());
    return list;
}

LessonLights readLights(const JsonCursor &cursor)
{
    onlyMembers(cursor, {"select", "cursor", "view"});
    return {cursor.textOr("select", ""), cursor.textOr("cursor", ""), cursor.textOr("view", "")};
}

LessonQuestion readQuestion(const JsonCursor &cursor)
{
    onlyMembers(cursor, {"text", "choices", "answer", "because", "lights"});
    LessonQuestion question;
    question.text = filledText(cursor, "text");
    question.choices = texts(cursor, "choices");
    if ((question.choices.size() < 2 || question.choices.size() > kMostChoices) && !cursor.failed())
        cursor["choices"].fail("must be a list of two to six texts.");
    if (!cursor.find("answer") && !cursor.failed())
        cursor.fail("has no \"answer\": say which choice is right, counted from 0.");
    question.answer =
        static_cast<int>(cursor["answer"].integer(0, static_cast<std::int64_t>(question.choices.size()) - 1));
    question.because = filledText(cursor, "because");
    if (const JsonCursor lights = cursor.find("lights")) question.lights = readLights(lights);
    return question;
}

LessonCondition readCondition(const JsonCursor &cursor)
{
    onlyMembers(cursor, {"budget_at_most", "budget_at_least", "peak_at_most", "peak_at_least", "overhead_at_most",
                         "planner", "selected", "selected_at_peak", "cursor_at", "keep", "recompute", "never", "view"});
    LessonCondition done;
    done.budgetAtMost = cursor.textOr("budget_at_most", "");
    done.budgetAtLeast = cursor.textOr("budget_at_least", "");
    done.peakAtMost = cursor.textOr("peak_at_most", "");
    done.peakAtLeast = cursor.textOr("peak_at_least", "");
    done.overheadAtMost = cursor.numberOr("overhead_at_most", -1, 0);
    done.planner = cursor.textOr("planner", "");
    done.selected = cursor.textOr("selected", "");
    done.selectedAtPeak = cursor.booleanOr("selected_at_peak", false);
    done.cursorAt = cursor.textOr("cursor_at", "");
    done.keep = texts(cursor, "keep");
    done.recompute = texts(cursor, "recompute");
    done.never = texts(cursor, "never");
    done.view = cursor.textOr("view", "");
    if (done == LessonCondition() && !cursor.failed()) cursor.fail("asks for nothing.");
    return done;
}

LessonTask readTask(const JsonCursor &cursor)
{
    onlyMembers(cursor, {"text", "done", "hints", "solution"});
    LessonTask task;
    task.text = filledText(cursor, "text");
    task.done = readCondition(cursor["done"]);
    task.hints = texts(cursor, "hints");
    task.solution = texts(cursor, "solution");
    if (task.hints.empty() && !cursor.failed()) cursor.fail("has no hints: give one or more, each more concrete.");
    return task;
}

LessonScene readScene(const JsonCursor &cursor)
{
    onlyMembers(cursor, {"model", "budget", "planner", "options", "views", "select", "cursor", "clear_pins", "player",
                         "cut", "story"});
    LessonScene scene;
    scene.model = cursor.textOr("model", "");
    scene.budget = cursor.textOr("budget", "");
    scene.planner = cursor.textOr("planner", "");
    scene.options = options(cursor);
    scene.views = texts(cursor, "views");
    scene.select = cursor.textOr("select", "");
    scene.cursor = cursor.textOr("cursor", "");
    scene.clearPins = cursor.booleanOr("clear_pins", false);
    scene.player = cursor.booleanOr("player", false);
    scene.cut = cursor.booleanOr("cut", false);
    scene.story = cursor.textOr("story", "");
    return scene;
}

LessonStep readStep(const JsonCursor &cursor)
{
    onlyMembers(cursor, {"title", "text", "scene", "predict", "task", "question"});
    LessonStep step;
    step.title = filledText(cursor, "title");
    step.text = paragraphs(cursor, "text");
    if (const JsonCursor scene = cursor.find("scene")) step.scene = readScene(scene);
    int acts = 0;
    if (const JsonCursor predict = cursor.find("predict")) {
        step.kind = LessonStepKind::Predict;
        step.question = readQuestion(predict);
        ++acts;
    }
    if (const JsonCursor task = cursor.find("task")) {
        step.kind = LessonStepKind::Task;
        step.task = readTask(task);
        ++acts;
    }
    if (const JsonCursor question = cursor.find("question")) {
        step.kind = LessonStepKind::Question;
        step.question = readQuestion(question);
        ++acts;
    }
    if (acts > 1) cursor.fail("asks for more than one act: make a step of each.");
    return step;
}

LessonFigure readFigure(const std::string &name, const JsonCursor &cursor)
{
    onlyMembers(cursor, {"shown", "of", "model", "budget", "planner", "options"});
    LessonFigure figure;
    figure.name = name;
    figure.shown = filledText(cursor, "shown");
    figure.of = filledText(cursor, "of");
    const auto known = [&figure](const char *each) { return figure.of == each; };
    if (!cursor.failed() && std::none_of(std::begin(kLessonFigures), std::end(kLessonFigures), known)) {
        std::string list;
        for (const char *each : kLessonFigures)
            list += (list.empty() ? "" : ", ") + std::string(each);
        cursor["of"].fail("is {}. It must be one of: {}.", quotedName(figure.of), list);
    }
    figure.model = cursor.textOr("model", "");
    figure.budget = cursor.textOr("budget", "");
    figure.planner = cursor.textOr("planner", "");
    figure.options = options(cursor);
    return figure;
}

Lesson readRoot(const JsonCursor &root)
{
    checkFormat(root, kFormat, "a lesson");
    onlyMembers(root, {"format", "written_by", "title", "goal", "remember", "number", "minutes", "words", "figures",
                       "steps", "recall"});
    Lesson lesson;
    lesson.title = filledText(root, "title");
    lesson.goal = filledText(root, "goal");
    lesson.remember = filledText(root, "remember");
    lesson.number = static_cast<int>(root.integerOr("number", 0, 0, 1000));
    lesson.minutes = static_cast<int>(root.integerOr("minutes", 5, 1, 90));
    if (const JsonCursor figures = root.find("figures"))
        for (const auto &[name, figure] : figures.members())
            lesson.figures.push_back(readFigure(name, figure));
    if (const JsonCursor words = root.find("words"))
        for (const JsonCursor &each : words.items()) {
            onlyMembers(each, {"word", "means", "step", "everyday"});
            lesson.words.push_back({filledText(each, "word"), filledText(each, "means"),
                                    static_cast<int>(each.integerOr("step", 1, 1, 1000)) - 1,
                                    each.booleanOr("everyday", false)});
        }
    for (const JsonCursor &step : root["steps"].items()) {
        lesson.steps.push_back(readStep(step));
        if (root.failed()) break;
    }
    if (lesson.steps.empty() && !root.failed()) root["steps"].fail("is empty.");
    if (!root.failed() && lesson.steps.front().scene.model.empty())
        root["steps"].items().front().fail("has no scene with a \"model\": the first step says what is opened.");
    if (const JsonCursor recall = root.find("recall"))
        for (const JsonCursor &each : recall.items()) {
            LessonStep step;
            step.kind = LessonStepKind::Question;
            step.question = readQuestion(each);
            step.recall = true;
            lesson.steps.push_back(std::move(step));
        }
    return lesson;
}

} // namespace

Expected<Lesson> parseLesson(std::string_view text, const std::filesystem::path &path)
{
    const std::string title = path.filename().string();
    auto document = JsonDocument::parse(text, title);
    if (!document) return tl::unexpected(document.error());
    Lesson lesson = readRoot(document->root());
    if (document->failed()) {
        const int line = lineOfPath(text, document->failedPath());
        const std::string sentence = document->failure().value().message;
        const bool placed = line > 0 && sentence.compare(0, title.size() + 2, printable(title) + ": ") == 0;
        if (!placed) return document->failure();
        return fail("{}, line {}{}", printable(title), line, sentence.substr(title.size()));
    }
    lesson.path = path;
    lesson.name = path.stem().string();
    lesson.source = text;
    return lesson;
}

Expected<Lesson> readLesson(const std::filesystem::path &path, const std::string &language)
{
    auto text = readFile(path, kMostBytes);
    if (!text) return tl::unexpected(text.error());
    auto lesson = parseLesson(*text, path);
    if (lesson) translateLesson(*lesson, language);
    return lesson;
}

std::vector<Lesson> readLessons(const std::string &language)
{
    std::vector<Lesson> lessons;
    std::error_code error;
    for (const auto &entry : std::filesystem::directory_iterator(resourceDir() / "lessons", error)) {
        if (entry.path().extension() != ".json") continue;
        if (auto lesson = readLesson(entry.path(), language)) lessons.push_back(std::move(*lesson));
    }
    std::sort(lessons.begin(), lessons.end(), [](const Lesson &a, const Lesson &b) {
        return std::pair(a.number, a.name) < std::pair(b.number, b.name);
    });
    return lessons;
}

} // namespace remat
