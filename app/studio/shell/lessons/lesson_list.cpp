// SPDX-License-Identifier: Apache-2.0
#include "app/studio/shell/lessons/lesson_list.h"

#include "app/studio/base/text/text.h"
#include "app/studio/base/widgets/building_blocks.h"
#include "app/studio/shell/start_page/start_rows.h"
#include "app/studio/work/lessons/lesson_run.h"

#include <QHBoxLayout>

namespace remat::studio {

namespace {

QString iconOf(double walked)
{
    if (walked >= 1) return QStringLiteral("circle-check");
    return walked > 0 ? QStringLiteral("play") : QStringLiteral("circle");
}

} // namespace

LessonList::LessonList(const std::vector<Lesson> &lessons, QWidget *parent) : QDialog(parent)
{
    setObjectName(QStringLiteral("lessonListWindow"));
    setWindowTitle(tr("Lessons"));
    resize(620, 720);
    QVBoxLayout *column = beginListWindow(
        this, tr("Learn rematerialization"),
        tr("Each lesson runs in this window, on real graphs and real planners. It asks what you expect before it shows "
           "what is so."));
    auto *rows = new CardScroll(this);
    for (std::size_t i = 0; i < lessons.size(); ++i) {
        const Lesson &lesson = lessons[i];
        const QString title = tr("%1. %2").arg(lesson.number).arg(toQString(lesson.title));
        const double walked = LessonRun::walked(lesson);
        const QString text = walked >= 1 ? tr("Walked to its end. %1").arg(toQString(lesson.remember))
                                         : tr("%1 minutes. %2").arg(lesson.minutes).arg(toQString(lesson.goal));
        auto *row = new HelpRow(iconOf(walked), title, text, i == 0);
        row->setObjectName(QStringLiteral("lesson.") + toQString(lesson.name));
        connect(row, &QAbstractButton::clicked, this, [this, path = toQString(lesson.path.string())] {
            Q_EMIT wanted(path);
            close();
        });
        rows->add(row);
        if (walked < 1 && !focusWidget()) row->setFocus(); // the next to learn
    }
    auto *stories = new HelpRow(QStringLiteral("lightbulb"), tr("How planners think"),
                                tr("Rotor, Checkmate, the search and DTR at work, frame by frame"), lessons.empty());
    stories->setObjectName(QStringLiteral("lessonStories"));
    connect(stories, &QAbstractButton::clicked, this, [this] {
        Q_EMIT storiesWanted();
        close();
    });
    rows->add(stories);
    column->addWidget(rows, 1);
    column->addSpacing(8);
    auto *foot = new QHBoxLayout;
    foot->addStretch(1);
    const auto add = [&](const char *name, const QString &text, const char *icon, auto signal) {
        auto *button = new StudioButton(text, QLatin1String(icon), ButtonKind::Plain, this);
        button->setObjectName(QLatin1String(name));
        button->setFixedHeight(32);
        connect(button, &QAbstractButton::clicked, this, signal);
        foot->addWidget(button);
    };
    add("lessonLecturers", tr("For lecturers"), "monitor", &LessonList::classPageWanted);
    add("lessonPuzzles", tr("Puzzles"), "target", &LessonList::puzzlesWanted);
    add("lessonGlossary", tr("Glossary"), "search", &LessonList::glossaryWanted);
    add("lessonProgress", tr("Save progress…"), "file-output", &LessonList::progressWanted);
    column->addLayout(foot);
}

} // namespace remat::studio
