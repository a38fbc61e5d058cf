// SPDX-License-Identifier: Apache-2.0
// Lessons in the real window: each is walked to its end as a student would, with clicks, keys and real planners.
#include "app/studio/shell/lessons/lesson_list.h"
#include "app/studio/shell/stories/story_window.h"
#include "app/studio/shell/workspace/left_panel.h"
#include "app/studio/shell/workspace/view_area.h"
#include "app/studio/shell/workspace/workspace.h"
#include "app/studio/views/memory/memory_view.h"
#include "app/studio/views/plans/plans_table.h"
#include "core/teaching/lessons/lesson_json.h"
#include "core/teaching/lessons/lesson_task.h"
#include "tests/studio/lesson_test.h"
#include "tests/support/sampled.h"

using namespace remat;
using namespace remat::studio;

class TestLessons : public QObject, fixture::InLesson
{
    Q_OBJECT

    std::vector<Lesson> m_lessons;

    /// One step of a task's solution, by mouse and keys. `kept` is the planner whose plan an earlier walk has made: it
    /// is clicked in the list of plans where it is there, instead of being solved for once more.
    void doByHand(const std::string &step, const std::string &kept)
    {
        const auto equals = step.find('=');
        const QString name = QString::fromStdString(step.substr(0, equals));
        const QString value = equals == std::string::npos ? QString() : QString::fromStdString(step.substr(equals + 1));
        if (name == QLatin1String("budget"))
            typeBudget(value);
        else if (name == QLatin1String("planner"))
            choosePlanner(value);
        else if (name == QLatin1String("select"))
            selectOp(value);
        else if (name != QLatin1String("solve"))
            pressKeysOf(name);
        else if (!clickKept(kept))
            solveToTheEnd();
    }

    /// False when there is no plan of this planner for the budget: it has to be solved for.
    bool clickKept(const std::string &planner)
    {
        for (const auto &entry : document().plans()) {
            const Plan &plan = *entry->plan;
            if (entry->quick || plan.origin.solver != planner || plan.budgetBytes != document().budgetBytes()) continue;
            if (!m_window->workspace()->leftDock()->isVisible()) pressKeysOf(command::kLeftPanel);
            PlansTable *table = m_window->workspace()->leftPanel()->plans();
            clickRow(table, qobject_cast<PlansModel *>(table->model())->rowOf(entry->id));
            return true;
        }
        return false;
    }

    /// What a label says, with spaces where a figure and its unit are kept on one line.
    static QString plain(const QLabel &label) { return label.text().replace(QChar(QChar::Nbsp), QLatin1Char(' ')); }

    void answer()
    {
        const LessonStep &step = run().current();
        const int right = step.question.answer;
        const int wrong = right == 0 ? 1 : 0;
        clickInPanel(QStringLiteral("lessonChoice.%1").arg(wrong + 1));
        auto *said = panel()->findChild<QLabel *>(QStringLiteral("lessonAnswer"));
        QVERIFY(said->isVisible());
        QTRY_VERIFY2(said->height() >= said->heightForWidth(said->width()),
                     qPrintable(fixture::stepName(run()))); // whole
        const QString why = QString::fromStdString(withFigures(run().lesson(), step.question.because)).left(12);
        if (step.kind == LessonStepKind::Predict) {
            QVERIFY(run().state().done);
            QVERIFY2(plain(*said).contains(why.toHtmlEscaped()), qPrintable(said->text()));
            whatItNamesIsLit(step.question.lights);
            return;
        }
        QVERIFY(!run().state().done); // and nothing is given away
        QVERIFY2(!plain(*said).contains(why.toHtmlEscaped()), qPrintable(said->text()));
        panel()->setFocus();
        QTest::keyClick(panel(), static_cast<Qt::Key>(Qt::Key_1 + right));
        QVERIFY(run().state().done);
        QCOMPARE(run().state().tries, 2);
        QVERIFY2(plain(*said).contains(why.toHtmlEscaped()), qPrintable(said->text()));
        // Why it is so stands in sight, whole or as much of it as there is room for.
        QTRY_VERIFY2(said->visibleRegion().boundingRect().height() >=
                         std::min(said->height(), panel()->findChild<QScrollArea *>()->viewport()->height()) - 1,
                     qPrintable(fixture::stepName(run())));
        whatItNamesIsLit(step.question.lights);
    }

    void whatItNamesIsLit(const LessonLights &lights)
    {
        const Document &shown = document();
        if (const OpId op = opNamed(shown.model()->graph(), lights.select))
            QVERIFY2(shown.selection().op == op, lights.select.c_str());
        if (lights.cursor == "peak") {
            const auto line = shown.timeline();
            QVERIFY(shown.cursorUs() >= line->startUs[line->peakSample] &&
                    shown.cursorUs() <= line->endUs[line->peakSample]);
        }
        if (lights.view.empty()) return;
        const auto *frame = m_window->findChild<QWidget *>(QStringLiteral("litFrame"));
        QVERIFY2(frame && frame->isVisible(), lights.view.c_str());
        QCOMPARE(static_cast<ViewArea *>(frame->parentWidget())->current(), QString::fromStdString(lights.view));
    }

    void doTask()
    {
        settle();
        const LessonTask task = run().current().task;
        QVERIFY2(!run().state().done,
                 qPrintable(fixture::stepName(run()) + QStringLiteral(" is done before anything was done")));
        for (std::size_t i = 0; i < task.hints.size(); ++i)
            clickInPanel(QStringLiteral("lessonHint"));
        QVERIFY(!panel()->findChild<QAbstractButton *>(QStringLiteral("lessonHint"))->isVisible());
        QVERIFY2(!task.solution.empty(), qPrintable(fixture::stepName(run())));
        for (const std::string &step : task.solution) {
            doByHand(step, task.done.planner);
            QVERIFY2(!QTest::currentTestFailed(), qPrintable(fixture::stepName(run()) + QString::fromStdString(step)));
        }
        QTRY_VERIFY2_WITH_TIMEOUT(run().state().done, qPrintable(fixture::stepName(run())), kPatience);
    }

    /// What is in front is what the step has asked for.
    void verifyViews()
    {
        const auto views = sceneAt(run().lesson(), static_cast<std::size_t>(run().step())).views;
        for (const std::string &view : views) {
            const QString id = QString::fromStdString(view);
            bool inFront = false;
            for (const auto area :
                 {Workspace::Area::Center, Workspace::Area::Second, Workspace::Area::Bottom, Workspace::Area::Right})
                inFront |= m_window->workspace()->area(area)->current() == id &&
                           m_window->workspace()->area(area)->isVisible();
            QVERIFY2(inFront, qPrintable(fixture::stepName(run()) + id));
        }
    }

    /// The story is beside the panel, not over it, and answers to keys.
    void watch()
    {
        auto *story = m_window->findChild<StoryWindow *>();
        QTRY_VERIFY2_WITH_TIMEOUT((story = m_window->findChild<StoryWindow *>()) != nullptr,
                                  qPrintable(fixture::stepName(run())), kPatience);
        QCOMPARE(story->story().planner, run().current().scene.story);
        const QRect beside(panel()->mapToGlobal(QPoint(0, 0)), panel()->size());
        QVERIFY2(!story->geometry().intersects(beside), qPrintable(fixture::stepName(run())));
        QTest::keyClick(story, Qt::Key_End);
        QCOMPARE(story->frame(), static_cast<int>(story->story().frames.size()) - 1);
    }

    /// To the end, as a student would.
    void walk(const QString &name)
    {
        QVERIFY(m_window->openLesson(name, 0));
        while (run().running()) {
            settle();
            QVERIFY(panel()->isVisible());
            verifyViews();
            if (!run().current().scene.story.empty()) watch();
            const LessonStepKind kind = run().current().kind;
            if (kind == LessonStepKind::Predict || kind == LessonStepKind::Question) answer();
            if (kind == LessonStepKind::Task) doTask();
            if (QTest::currentTestFailed()) return;
            const int at = run().step();
            const bool last = run().isLast();
            const QPointer<StoryWindow> story = m_window->findChild<StoryWindow *>();
            clickInPanel(QStringLiteral("lessonNext"));
            QCOMPARE(run().running(), !last);
            if (!last) QCOMPARE(run().step(), at + 1);
            QVERIFY(!story || !story->isVisible()); // it goes with its step
        }
    }

private Q_SLOTS:
    void initTestCase()
    {
        m_lessons = readLessons();
        QVERIFY(!m_lessons.empty());
    }
    void init() { QSettings().clear(); }
    void cleanup()
    {
        m_window.reset();
        Theme::instance().setScheme(Scheme::Light);
    }

    void everyLessonIsWalkedToItsEnd_data()
    {
        QTest::addColumn<QString>("name");
        std::size_t row = 0;
        for (const Lesson &lesson : m_lessons)
            if (test::isSampled(row++)) QTest::addRow("%s", lesson.name.c_str()) << QString::fromStdString(lesson.name);
    }

    /// In both sizes and both themes, in one window: its model stays open, as it does for a student who walks again.
    void everyLessonIsWalkedToItsEnd()
    {
        QFETCH(QString, name);
        const auto lesson = std::find_if(m_lessons.begin(), m_lessons.end(),
                                         [&](const Lesson &each) { return QString::fromStdString(each.name) == name; });
        openWindow({1280, 800});
        for (const QSize size : {QSize(1280, 800), QSize(1920, 1080)})
            for (const Scheme scheme : {Scheme::Light, Scheme::Dark}) {
                QSettings().clear(); // nothing is walked yet
                Theme::instance().setScheme(scheme);
                m_window->resize(size);
                walk(name);
                const auto where = QStringLiteral("%1, %2, %3").arg(name).arg(size.width()).arg(int(scheme));
                QVERIFY2(!QTest::currentTestFailed(), qPrintable(where));
                QCOMPARE(m_window->size(), size);
                QCOMPARE(LessonRun::walked(*lesson), 1.0);
                QVERIFY(!panel()->isVisible());
                auto *list = m_window->findChild<LessonList *>(); // where the next one is chosen
                QVERIFY(list);
                delete list;
                QCOMPARE(m_window->workspace()->preset().id, QStringLiteral("plan"));
            }
    }

    void whatWasWrongComesBackInTheNextLesson()
    {
        openWindow({1280, 800});
        const auto steps = [this](const char *name) {
            return std::find_if(m_lessons.begin(), m_lessons.end(),
                                [&](const Lesson &each) { return each.name == name; })
                ->steps.size();
        };
        const auto first = static_cast<int>(steps("again")) - 2; // the first of the three at its end, from 1
        QVERIFY(m_window->openLesson(QStringLiteral("again"), first));
        settle();
        QVERIFY(run().current().recall);
        const std::string asked = run().current().question.text;
        answer(); // wrong first, then right
        command("lesson.next")->trigger();
        const int right = run().current().question.answer;
        clickInPanel(QStringLiteral("lessonChoice.%1").arg(right + 1));
        command("lesson.end")->trigger();

        QVERIFY(m_window->openLesson(QStringLiteral("sqrt"), 1));
        settle();
        QCOMPARE(run().lesson().steps.size(), steps("sqrt") + 1); // only the one that was wrong
        run().go(static_cast<int>(steps("sqrt")));
        settle();
        QCOMPARE(run().current().question.text, asked);
        QCOMPARE(run().comesFrom(), QStringLiteral("Keep or compute again"));
        QVERIFY(panel()->findChild<QLabel *>(QStringLiteral("lessonStepTitle"))->text().contains(run().comesFrom()));
        answer(); // wrong once more
        clickInPanel(QStringLiteral("lessonNext"));
        QVERIFY(!run().running());

        QVERIFY(m_window->openLesson(QStringLiteral("revolve"), 1));
        QCOMPARE(run().lesson().steps.size(), steps("revolve") + 1);
        run().go(static_cast<int>(steps("revolve")));
        settle();
        clickInPanel(QStringLiteral("lessonChoice.%1").arg(run().current().question.answer + 1));
        command("lesson.end")->trigger();
        QVERIFY(m_window->openLesson(QStringLiteral("rotor"), 1)); // right at once: it is learnt
        QCOMPARE(run().lesson().steps.size(), steps("rotor"));
        settle();
    }

    /// The lesson on bounds draws its cut once it has asked, and says what the panel's bound says.
    void theCutIsDrawn()
    {
        openWindow({1280, 800});
        MemoryCanvas *canvas = m_window->workspace()->memory()->canvas();
        QVERIFY(m_window->openLesson(QStringLiteral("bound"), 4));
        settle();
        QVERIFY(!canvas->cut().cut);
        QVERIFY(m_window->openLesson(QStringLiteral("bound"), 5));
        settle();
        QTRY_VERIFY_WITH_TIMEOUT(canvas->cut().cut, kPatience);
        const CutSums cut = canvas->cut();
        QVERIFY(cut.heldBytes <= document().budgetBytes() && cut.heldBytes > document().budgetBytes() * 9 / 10);
        QVERIFY(cut.paidBytes > 0 && cut.paidUs > 0);
        QVERIFY(cut.paidUs <= document().boundTimeUs(*document().currentPlan()) - document().model()->keepAllTimeUs +
                                  document().model()->keepAllTimeUs * 1e-3);
        const QImage drawn = canvas->grab().toImage();
        command("lesson.end")->trigger();
        QVERIFY(!canvas->cut().cut);
        QVERIFY(canvas->grab().toImage() != drawn);
    }

    /// "Look away from the lower half": there is nothing to look away from.
    void theAnswerIsNotOnScreenBefore()
    {
        openWindow({1280, 800});
        QVERIFY(m_window->openLesson(QStringLiteral("memory"), 3));
        settle();
        QVERIFY(!m_window->workspace()->bottomDock()->isVisible());
        answer();
        QVERIFY(m_window->workspace()->bottomDock()->isVisible());
    }

    void viewsThatAreNotNeededComeBackAfterwards()
    {
        openWindow({1600, 1000});
        openChain(6);
        const auto shown = [this] {
            QStringList docks;
            for (const QDockWidget *dock : m_window->findChildren<QDockWidget *>())
                if (!dock->isHidden()) docks << dock->objectName();
            docks.sort();
            return docks;
        };
        const QStringList before = shown();
        QVERIFY(before.size() >= 3);
        QVERIFY(m_window->openLesson(QStringLiteral("again"), 1)); // graph and memory
        settle();
        QTRY_COMPARE(shown().size(), 2);
        QVERIFY(shown().contains(QStringLiteral("lessonDock")));
        QVERIFY(!m_window->workspace()->rightDock()->isVisible());
        command("lesson.end")->trigger();
        QTRY_COMPARE(shown(), before);
    }

    void aStepIsOpenedByItself()
    {
        openWindow({1280, 800});
        QVERIFY(m_window->openLesson(QStringLiteral("sqrt"), 3));
        settle();
        QCOMPARE(run().step(), 2);
        QVERIFY(document().model());
        QCOMPARE(document().model()->graph().name, std::string("chain16"));
        QTRY_VERIFY(document().currentPlan() && document().currentPlan()->plan->origin.solver == "chen-sqrt");
        QCOMPARE(document().currentPlan()->plan->origin.options.at("segments"), std::string("2"));
        // Back is the state of the step before, forward again the same.
        clickInPanel(QStringLiteral("lessonBack"));
        settle();
        QCOMPARE(run().step(), 1);
        QTRY_COMPARE(document().currentPlan()->timeline->peakBytes, document().model()->keepAll->peakBytes);
        command("lesson.next")->trigger();
        QCOMPARE(run().step(), 2);
    }

    void aLessonGoesOnWhereItWasLeft()
    {
        openWindow({1280, 800});
        QVERIFY(m_window->openLesson(QStringLiteral("again"), 2));
        settle();
        clickInPanel(QStringLiteral("lessonChoice.2"));
        QVERIFY(run().state().done);
        clickInPanel(QStringLiteral("lessonClose"));
        QVERIFY(!run().running());
        QVERIFY(!panel()->isVisible());
        QVERIFY(m_window->openLesson(QStringLiteral("again"), 0));
        settle();
        QCOMPARE(run().step(), 1);
        QCOMPARE(run().state().chosen, 1);
        QVERIFY(!panel()->findChild<ChoiceRow *>(QStringLiteral("lessonChoice.2"))->isEnabled());
        // The start page has no panel; back at the model it is there again.
        m_window->showStartPage();
        QVERIFY(!panel()->isVisible());
        m_window->showWorkspace();
        QVERIFY(panel()->isVisible());
        command("lesson.end")->trigger();
        QVERIFY(!command("lesson.next")->isEnabled());
    }
};

QTEST_MAIN(TestLessons)
#include "tst_lessons.moc"
