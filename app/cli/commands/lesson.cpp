// SPDX-License-Identifier: Apache-2.0
// remat lesson check: mistakes of a lesson.
#include "app/cli/command.h"
#include "app/cli/output.h"

#include "core/base/text.h"
#include "core/io/json_lines.h"
#include "core/teaching/lessons/lesson_check.h"
#include "core/teaching/lessons/lesson_json.h"
#include "core/teaching/lessons/texts.h"
#include "solvers/uses/lesson_plans.h"

#include <fmt/core.h>
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
void checkFigures(const Lesson &lesson, LessonStage &stage, std::vector<TextMistake> &mistakes)
{
    for (const LessonFigure &figure : lesson.figures) {
        const std::string field = "figures." + figure.name;
        const auto computed = stage.figure(figure);
        if (computed && *computed == figure.shown) continue;
        mistakes.push_back({lineOfPath(lesson.source, field + ".shown"), field,
                            computed
                                ? fmt::format("It says {}, and is {}.", quotedName(figure.shown), quotedName(*computed))
                                : "It cannot be computed: " + computed.error().message});
    }
}

/// The mistakes of one file, the lesson or a translation of it.
struct FileMistakes {
    std::string file;
    std::vector<TextMistake> mistakes;
};

Expected<std::vector<FileMistakes>> mistakesOf(const Lesson &lesson)
{
    std::vector<FileMistakes> files;
    LessonStage stage(lesson);
    std::vector<TextMistake> mistakes = lessonMistakes(
        lesson, [&stage](const std::string &name) { return stage.model(name); }, planOfScene);
    checkFigures(lesson, stage, mistakes);
    const std::string name = lesson.path.filename().string();
    files.push_back({name, std::move(mistakes)});
    for (const std::string &language : textLanguages(lesson.path)) {
        const auto texts = readTexts(textsPath(lesson.path, language));
        if (!texts) return tl::unexpected(texts.error());
        files.push_back({fmt::format("{}/{}", language, name), lessonTextMistakes(lesson, *texts)});
    }
    for (FileMistakes &each : files)
        std::stable_sort(each.mistakes.begin(), each.mistakes.end(),
                         [](const TextMistake &a, const TextMistake &b) { return a.line < b.line; });
    return files;
}

int runCheck(const LessonFlags &flags)
{
    const auto lesson = readLesson(flags.file);
    if (!lesson) return badInput(lesson.error());
    const auto files = mistakesOf(*lesson);
    if (!files) return badInput(files.error());
    const bool good =
        std::all_of(files->begin(), files->end(), [](const FileMistakes &each) { return each.mistakes.empty(); });
    nlohmann::json list = nlohmann::json::array();
    for (const FileMistakes &each : *files)
        for (const TextMistake &mistake : each.mistakes) {
            list.push_back({{"file", each.file},
                            {"line", mistake.line},
                            {"field", mistake.field},
                            {"sentence", mistake.sentence}});
            if (!flags.json)
                say(stdout, "%s, line %d: %s: %s\n", printable(each.file).c_str(), mistake.line,
                    printable(mistake.field).c_str(), printable(mistake.sentence).c_str());
        }
    if (flags.json)
        printJson({{"ok", good}, {"steps", lesson->steps.size()}, {"mistakes", list}});
    else if (good)
        say(stdout, "%s: %zu steps, %zu figures as the planners say them, %zu translations, no mistakes.\n",
            printable(files->front().file).c_str(), lesson->steps.size(), lesson->figures.size(), files->size() - 1);
    return good ? kDone : kNo;
}

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

} // namespace

const Command &command::lesson()
{
    static const Command command = {.order = 150, .add = addLesson};
    return command;
}

} // namespace remat::cli
