// SPDX-License-Identifier: Apache-2.0
#include "core/teaching/lessons/lesson_texts.h"

#include <fmt/core.h>

namespace remat {

namespace {

std::string item(const std::string &list, std::size_t index)
{
    return fmt::format("{}[{}]", list, index);
}

void eachOf(LessonQuestion &question, const std::string &field, const TextVisitor &visit)
{
    visit(field + ".text", question.text);
    for (std::size_t i = 0; i < question.choices.size(); ++i)
        visit(item(field + ".choices", i), question.choices[i]);
    visit(field + ".because", question.because);
}

void eachOf(LessonStep &step, const std::string &field, const TextVisitor &visit)
{
    if (step.recall) {
        eachOf(step.question, field, visit);
        return;
    }
    visit(field + ".title", step.title);
    visit(field + ".text", step.text);
    if (step.kind == LessonStepKind::Predict) eachOf(step.question, field + ".predict", visit);
    if (step.kind == LessonStepKind::Question) eachOf(step.question, field + ".question", visit);
    if (step.kind != LessonStepKind::Task) return;
    visit(field + ".task.text", step.task.text);
    for (std::size_t i = 0; i < step.task.hints.size(); ++i)
        visit(item(field + ".task.hints", i), step.task.hints[i]);
}

} // namespace

void eachText(Lesson &lesson, const TextVisitor &visit)
{
    visit("title", lesson.title);
    visit("goal", lesson.goal);
    visit("remember", lesson.remember);
    for (std::size_t i = 0; i < lesson.words.size(); ++i) {
        visit(item("words", i) + ".word", lesson.words[i].word);
        visit(item("words", i) + ".means", lesson.words[i].means);
    }
    for (std::size_t i = 0; i < lesson.steps.size(); ++i)
        eachOf(lesson.steps[i], fieldOfStep(lesson, i), visit);
}

void translateLesson(Lesson &lesson, const std::string &language)
{
    if (language.empty() || language == "en") return;
    const auto texts = readTexts(textsPath(lesson.path, language));
    if (texts) translate([&lesson](const TextVisitor &visit) { eachText(lesson, visit); }, *texts);
}

} // namespace remat
