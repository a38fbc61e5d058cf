// SPDX-License-Identifier: Apache-2.0
// The panel of a lesson: what the step says, what it asks for, and the way on.
#pragma once

#include "app/studio/shell/lessons/choice_row.h"
#include "app/studio/work/lessons/lesson_run.h"

#include <QWidget>

#include <vector>

class QLabel;
class QScrollArea;
class QVBoxLayout;

namespace remat::studio {

class LessonProgress;
class StudioButton;
class TokenLabel;

/// GUI thread only. The keys 1 to 6 choose while it has the keyboard.
class LessonPanel : public QWidget
{
    Q_OBJECT
public:
    explicit LessonPanel(LessonRun &run, QWidget *parent = nullptr);

    QString shownText() const; ///< text of the step, plain

Q_SIGNALS:
    void listWanted();

protected:
    void keyPressEvent(QKeyEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    QWidget *makeHeader();
    QWidget *makeFooter();
    void showStep();
    void buildStep();
    void showAct();
    void showQuestion(const LessonStep &step, const LessonStepState &state);
    void showTask(const LessonStep &step, const LessonStepState &state);
    QLabel *addText(const QString &html, const QString &name);
    QString html(const std::string &text) const;
    QString titleOf(const LessonStep &step) const;

    LessonRun &m_run;
    TokenLabel *m_title;
    TokenLabel *m_count;
    LessonProgress *m_progress;
    QScrollArea *m_scroll;
    QWidget *m_body = nullptr;
    QVBoxLayout *m_column = nullptr;
    std::vector<ChoiceRow *> m_choices;
    QWidget *m_answer = nullptr; ///< what a question says once it is answered
    QLabel *m_answerText = nullptr;
    QWidget *m_task = nullptr;
    QLabel *m_hints = nullptr;
    StudioButton *m_hint = nullptr;
    StudioButton *m_back;
    StudioButton *m_skip; ///< in place of the next while something is to be done
    StudioButton *m_next;
    const LessonStep *m_built = nullptr; ///< whose widgets stand in the body
};

} // namespace remat::studio
