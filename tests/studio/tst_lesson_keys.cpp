// SPDX-License-Identifier: Apache-2.0
// Lessons without a mouse: one walked by keys only, and what a screen reader says of everything in their panels.
#include "app/studio/base/widgets/building_blocks.h"
#include "app/studio/shell/lessons/choice_row.h"
#include "app/studio/shell/lessons/class_page.h"
#include "app/studio/shell/lessons/glossary.h"
#include "app/studio/shell/lessons/lesson_list.h"
#include "app/studio/shell/lessons/lesson_panel.h"
#include "app/studio/shell/lessons/lessons.h"
#include "app/studio/shell/lessons/word_card.h"
#include "core/base/resources.h"
#include "core/teaching/lessons/lesson_json.h"
#include "tests/studio/window_test.h"

using namespace remat;
using namespace remat::studio;

class TestLessonKeys : public QObject, fixture::InWindow
{
    Q_OBJECT

    LessonRun &run() { return m_window->lessons().run(); }
    LessonPanel *panel() { return m_window->lessons().panel(); }
    void settle() { QTRY_VERIFY(m_window->idle()); }

    static QWidget *focused()
    {
        QWidget *widget = QApplication::focusWidget();
        if (!widget) qFatal("Nothing has the keyboard.");
        return widget;
    }
    static void press(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) { QTest::keyClick(focused(), key, modifiers); }
    void toLesson() { press(Qt::Key_L, Qt::AltModifier | Qt::ShiftModifier); }

    /// Goes on with Tab until a widget of that name has the keyboard.
    static void tabTo(const QString &name)
    {
        for (int i = 0; i < 200 && focused()->objectName() != name; ++i)
            press(Qt::Key_Tab);
        QCOMPARE(focused()->objectName(), name);
    }

    void next()
    {
        const int before = run().step();
        toLesson();
        tabTo(QStringLiteral("lessonNext"));
        press(Qt::Key_Space);
        if (run().running()) QCOMPARE(run().step(), before + 1);
        settle();
    }
    void choose(int choice)
    {
        toLesson();
        press(static_cast<Qt::Key>(Qt::Key_1 + choice));
    }
    void budget(const QString &text)
    {
        tabTo(QStringLiteral("budgetField"));
        press(Qt::Key_A, Qt::ControlModifier);
        QTest::keyClicks(focused(), text);
        press(Qt::Key_Return);
        settle();
    }

    /// Widgets that keys reach and that say nothing to a screen reader.
    static QStringList nameless(const QWidget &root)
    {
        QStringList list;
        for (QWidget *widget : root.findChildren<QWidget *>()) {
            if (!widget->isVisible() || !widget->isEnabled() || !(widget->focusPolicy() & Qt::TabFocus)) continue;
            if (qobject_cast<QAbstractScrollArea *>(widget->parentWidget())) continue; // a viewport speaks as its area
            const QAccessibleInterface *said = QAccessible::queryAccessibleInterface(widget);
            if (!said || said->text(QAccessible::Name).trimmed().isEmpty())
                list << QStringLiteral("%1 %2").arg(QLatin1String(widget->metaObject()->className()),
                                                    widget->objectName());
        }
        return list;
    }

private Q_SLOTS:
    void init()
    {
        openFresh({1280, 800});
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    }

    void aLessonIsWalkedByKeysOnly()
    {
        QTest::keyClick(m_window.get(), Qt::Key_L, Qt::ControlModifier | Qt::ShiftModifier);
        auto *list = m_window->findChild<LessonList *>();
        QVERIFY(list);
        QApplication::setActiveWindow(list);
        QVERIFY(list->isAncestorOf(focused()));
        tabTo(QStringLiteral("lesson.again"));
        press(Qt::Key_Return);
        settle();
        QVERIFY(run().running());
        QApplication::setActiveWindow(m_window.get());
        QTRY_VERIFY(QApplication::focusWidget());
        next();
        choose(1); // 600 MiB
        QVERIFY(run().state().done);
        next();
        press(Qt::Key_H, Qt::AltModifier | Qt::ShiftModifier);
        QCOMPARE(run().state().hints, 1);
        press(Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier); // the palette finds ops
        QTest::keyClicks(focused(), QStringLiteral("layer3"));
        QTRY_VERIFY(m_window->idle());
        press(Qt::Key_Return);
        QTRY_VERIFY(document().selection().op);
        QTest::keyClick(m_window.get(), Qt::Key_R);
        QTRY_VERIFY(run().state().done);
        next();
        choose(1);
        next();
        QTest::keyClick(m_window.get(), Qt::Key_Z, Qt::ControlModifier); // the decision is taken back
        budget(QStringLiteral("400 MiB"));
        QTRY_VERIFY(run().state().done);
        next();
        choose(1);
        next();
        budget(QStringLiteral("300 MiB"));
        tabTo(QStringLiteral("planner"));
        const auto *planner = qobject_cast<QComboBox *>(focused());
        QVERIFY(planner);
        press(Qt::Key_Home);
        const auto chosen = [planner] { return planner->currentData().toString() == QStringLiteral("checkmate"); };
        for (int i = 0; i < planner->count() && !chosen(); ++i)
            press(Qt::Key_Down);
        QVERIFY2(chosen(), qPrintable(planner->currentText()));
        QTest::keyClick(m_window.get(), Qt::Key_R, Qt::ControlModifier);
        QTRY_VERIFY(run().state().done);
        next();
        while (run().running()) {
            if (run().current().kind == LessonStepKind::Question) {
                choose(run().current().question.answer);
                QVERIFY(run().state().done);
            }
            next();
            if (QTest::currentTestFailed()) return;
        }
        QCOMPARE(LessonRun::walked(*readLesson(resourceDir() / "lessons" / "again.json")), 1.0);
    }

    void everythingThatKeysReachHasAName()
    {
        QVERIFY(m_window->openLesson(QStringLiteral("again"), 1));
        settle();
        while (true) { // every kind of step, before and after the answer
            QVERIFY2(nameless(*panel()).isEmpty(), qPrintable(nameless(*panel()).join(QLatin1Char('\n'))));
            const LessonStep &step = run().current();
            if (!step.question.choices.empty()) run().choose(step.question.answer);
            for (std::size_t i = 0; i < step.task.hints.size(); ++i)
                run().hint();
            QVERIFY2(nameless(*panel()).isEmpty(), qPrintable(nameless(*panel()).join(QLatin1Char('\n'))));
            if (run().isLast()) break;
            run().next();
            settle();
        }
        m_window->lessons().showList();
        m_window->lessons().showGlossary();
        m_window->lessons().showClassPage();
        panel()->setFocus();
        command("glossary.here")->trigger();
        for (const QWidget *window : {static_cast<QWidget *>(m_window->findChild<LessonList *>()),
                                      static_cast<QWidget *>(m_window->findChild<Glossary *>()),
                                      static_cast<QWidget *>(m_window->findChild<ClassPage *>()),
                                      static_cast<QWidget *>(m_window->findChild<WordCard *>())}) {
            QVERIFY(window && window->isVisible());
            QVERIFY2(nameless(*window).isEmpty(), qPrintable(nameless(*window).join(QLatin1Char('\n'))));
        }
    }
};

QTEST_MAIN(TestLessonKeys)
#include "tst_lesson_keys.moc"
