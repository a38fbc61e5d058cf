// remat lesson check: mistakes of a lesson.
#include "app/cli/command.h"
#include "app/cli/output.h"

#include "core/base/text.h"
#include "core/io/json_lines.h"
#include "core/lessons/lesson_check.h"
#include "core/lessons/lesson_json.h"
#include "solvers/lessons/lesson_plans.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>

namespace remat::cli {

namespace {

struct LessonFlags {
    std::string file;
    bool json = false;
};

/// Figures whose text is not what the planners say.
void checkFigures(const Lesson &lesson, LessonStage &stage, std::vector<LessonMistake> &mistakes)
{
    for (const LessonFigure &figure : lesson.figures) {
        const std::string field = "figures." + figure.name;
        const auto computed = stage.figure(figure);
        if (computed && *computed == figure.shown) continue;
        mistakes.push_back({lineOfPath(lesson.source, field + ".shown"), field,
                            computed ? "It says " + quotedName(figure.shown) + ", and is " + quotedName(*computed) + "."
                                     : "It cannot be computed: " + computed.error().message});
    }
}

int runCheck(const LessonFlags &flags)
{
    const auto lesson = readLesson(flags.file);
    if (!lesson) return badInput(lesson.error());
    LessonStage stage(*lesson);
    std::vector<LessonMistake> mistakes = lessonMistakes(
        *lesson, [&stage](const std::string &name) { return stage.model(name); }, planOfScene);
    checkFigures(*lesson, stage, mistakes);
    std::stable_sort(mistakes.begin(), mistakes.end(),
                     [](const LessonMistake &a, const LessonMistake &b) { return a.line < b.line; });
    if (flags.json) {
        nlohmann::json list = nlohmann::json::array();
        for (const LessonMistake &mistake : mistakes)
            list.push_back({{"line", mistake.line}, {"field", mistake.field}, {"sentence", mistake.sentence}});
        printJson({{"ok", mistakes.empty()}, {"steps", lesson->steps.size()}, {"mistakes", list}});
    } else {
        const std::string name = printable(lesson->path.filename().string());
        for (const LessonMistake &mistake : mistakes)
            say(stdout, "%s, line %d: %s: %s\n", name.c_str(), mistake.line, printable(mistake.field).c_str(),
                printable(mistake.sentence).c_str());
        if (mistakes.empty())
            say(stdout, "%s: %zu steps, %zu figures as the planners say them, no mistakes.\n", name.c_str(),
                lesson->steps.size(), lesson->figures.size());
    }
    return mistakes.empty() ? kDone : kNo;
}

} // namespace

void addLesson(CLI::App &app, Action &action)
{
    auto flags = std::make_shared<LessonFlags>();
    CLI::App *lesson = app.add_subcommand("lesson", "for those who write lessons");
    lesson->require_subcommand(1);
    CLI::App *check = lesson->add_subcommand("check", "mistakes of a lesson, with line and field");
    check->add_option("FILE", flags->file, "a lesson (remat-lesson/1)")->required();
    check->add_flag("--json", flags->json, "print one JSON object");
    check->callback([flags, &action] { action = [flags] { return runCheck(*flags); }; });
}

} // namespace remat::cli
