// SPDX-License-Identifier: Apache-2.0
#include "app/studio/work/lessons/lesson_progress.h"

#include "app/studio/base/text/text.h"
#include "app/studio/work/lessons/lesson_run.h"
#include "app/studio/work/puzzles/puzzle_tries.h"
#include "core/base/version.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <array>

namespace remat::studio {

namespace {

QString kindName(LessonStepKind kind)
{
    static const std::array names = {"read", "predict", "task", "question"};
    return QLatin1String(names[static_cast<std::size_t>(kind)]);
}

template <class Write>
void eachBegun(const std::vector<Lesson> &lessons, Write write)
{
    for (const Lesson &lesson : lessons) {
        const std::vector<LessonStepState> states = LessonRun::kept(lesson);
        for (std::size_t i = 0; i < states.size(); ++i)
            if (states[i] != LessonStepState()) write(lesson, i, states[i]);
    }
}

} // namespace

QByteArray progressCsv(const std::vector<Lesson> &lessons, const std::vector<Puzzle> &puzzles)
{
    QByteArray csv = "lesson,step,kind,done,tries,hints,right\n";
    eachBegun(lessons, [&csv](const Lesson &lesson, std::size_t i, const LessonStepState &state) {
        const LessonStep &step = lesson.steps[i];
        const QString right =
            state.chosen < 0 ? QString() : QString::number(state.chosen == step.question.answer ? 1 : 0);
        csv += QStringLiteral("%1,%2,%3,%4,%5,%6,%7\n")
                   .arg(toQString(lesson.name))
                   .arg(i + 1)
                   .arg(kindName(step.kind))
                   .arg(state.done ? 1 : 0)
                   .arg(state.tries)
                   .arg(state.hints)
                   .arg(right)
                   .toUtf8();
    });
    return csv + triesCsv(puzzles);
}

QByteArray progressJson(const std::vector<Lesson> &lessons, const std::vector<Puzzle> &puzzles)
{
    QJsonArray steps;
    eachBegun(lessons, [&steps](const Lesson &lesson, std::size_t i, const LessonStepState &state) {
        const LessonStep &step = lesson.steps[i];
        QJsonObject row = {{QStringLiteral("lesson"), toQString(lesson.name)},
                           {QStringLiteral("step"), static_cast<int>(i) + 1},
                           {QStringLiteral("kind"), kindName(step.kind)},
                           {QStringLiteral("done"), state.done},
                           {QStringLiteral("tries"), state.tries},
                           {QStringLiteral("hints"), state.hints}};
        if (state.chosen >= 0) row[QStringLiteral("right")] = state.chosen == step.question.answer;
        steps.append(row);
    });
    return QJsonDocument(QJsonObject{{QStringLiteral("format"), QStringLiteral("remat-progress/1")},
                                     {QStringLiteral("written_by"), toQString(writtenBy())},
                                     {QStringLiteral("steps"), steps},
                                     {QStringLiteral("puzzles"), triesJson(puzzles)}})
        .toJson();
}

} // namespace remat::studio
