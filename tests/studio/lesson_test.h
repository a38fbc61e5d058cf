// SPDX-License-Identifier: Apache-2.0
// A lesson in the real window, for the tests that walk one.
#pragma once

#include "app/studio/shell/lessons/lesson_panel.h"
#include "app/studio/shell/lessons/lessons.h"
#include "tests/studio/by_hand.h"

namespace remat::studio::fixture {

/// The lesson's name and step, for messages.
inline QString stepName(const LessonRun &run)
{
    return QStringLiteral("%1:%2").arg(QString::fromStdString(run.lesson().name)).arg(run.step() + 1);
}

struct InLesson : ByHand {
    LessonRun &run() { return m_window->lessons().run(); }
    LessonPanel *panel() { return m_window->lessons().panel(); }

    void clickInPanel(const QString &name)
    {
        click(panel()->findChild<QAbstractButton *>(name));
        QVERIFY2(!QTest::currentTestFailed(), qPrintable(name + stepName(run())));
    }
};

} // namespace remat::studio::fixture
