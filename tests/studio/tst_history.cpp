// SPDX-License-Identifier: Apache-2.0
// Undo and redo in the real window.
#include "app/studio/shell/features/history_feature.h"
#include "app/studio/shell/features/history_popup.h"
#include "app/studio/shell/workspace/workspace.h"
#include "app/studio/views/graph/graph_view.h"
#include "app/studio/views/memory/memory_view.h"
#include "tests/studio/window_test.h"

#include <cmath>
#include <random>

using namespace remat;
using namespace remat::studio;

class TestHistory : public QObject, fixture::InWindow
{
    Q_OBJECT

    QUndoStack &stack() { return *m_window->findChild<HistoryFeature *>()->history().stack(); }
    void trigger(const char *id) { command(id)->trigger(); }
    std::int64_t peak() { return document().model()->keepAll->peakBytes; }

    /// Everything that undo promises, as text.
    QString picture()
    {
        Session &session = m_window->session();
        QString text = QString::number(document().budgetBytes());
        for (const auto &plan : document().plans())
            text += QStringLiteral(" plan %1").arg(plan->id);
        text += QStringLiteral(" current %1").arg(document().currentPlan() ? document().currentPlan()->id : 0);
        for (const int id : document().compared())
            text += QStringLiteral(" compared %1").arg(id);
        for (const StorageId storage : document().pins().keep)
            text += QStringLiteral(" keep %1").arg(storage.index());
        return text + QString::fromUtf8(QJsonDocument(session.viewStates.save(ViewStates::Use::Undo)).toJson());
    }

    void addPlan(const char *planner, int percent)
    {
        document().addPlan(
            fixture::solvedEntry(*document().model(), planner, peak() * percent / 100, document().nextPlanId()));
    }

private Q_SLOTS:
    void init()
    {
        openFresh();
        m_window->openFile(fixture::writeChain(m_folder, 12));
        QTRY_VERIFY(document().model());
        QTRY_VERIFY(m_window->idle());
        QTest::qWait(300); // what the views settled on is where undo ends
        QCOMPARE(stack().count(), 0);
    }

    /// A text that was entered is a budget, and undo takes that back, also while the field has the keyboard.
    void theBudgetFieldLetsUndoThrough()
    {
        const std::int64_t before = document().budgetBytes();
        trigger("editBudget");
        auto *field = qobject_cast<QLineEdit *>(QApplication::focusWidget());
        QVERIFY(field);
        field->selectAll();
        QTest::keyClicks(field, QStringLiteral("75%"));
        QTest::keyClick(field, Qt::Key_Return);
        QTRY_VERIFY(m_window->idle() && document().budgetBytes() != before);
        field->setFocus();
        QTest::keyClick(field, Qt::Key_Z, Qt::ControlModifier);
        QTRY_COMPARE(document().budgetBytes(), before);
    }

    void aDragOfTheBudgetIsOneEntry()
    {
        MemoryCanvas *canvas = m_window->workspace()->memory()->canvas();
        const std::int64_t before = document().budgetBytes();
        const auto planBefore = document().currentPlan();
        const auto y = [&](std::int64_t bytes) {
            return static_cast<int>(std::lround(canvas->layout().budgetY(bytes)));
        };
        const int x = canvas->width() / 2;
        QTest::mousePress(canvas, Qt::LeftButton, {}, QPoint(x, y(before)));
        for (int percent = 70; percent <= 90; percent += 2) {
            QTest::mouseMove(canvas, QPoint(x, y(peak() * percent / 100)));
            QTest::qWait(20);
        }
        QTest::qWait(1100); // a rest in the middle of a drag does not make two of it
        QTest::mouseMove(canvas, QPoint(x, y(peak() * 95 / 100)));
        QTest::mouseRelease(canvas, Qt::LeftButton, {}, QPoint(x, y(peak() * 95 / 100)));
        QTRY_VERIFY(m_window->idle());
        const std::int64_t after = document().budgetBytes();
        const auto planAfter = document().currentPlan();
        QVERIFY(after != before && planAfter != planBefore);
        QCOMPARE(stack().count(), 1);
        QVERIFY2(stack().undoText().startsWith(QStringLiteral("Budget ")), qPrintable(stack().undoText()));

        QTest::keyClick(m_window.get(), Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(document().budgetBytes(), before);
        QCOMPARE(document().currentPlan(), planBefore);
        QTest::keyClick(m_window.get(), Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(document().budgetBytes(), after);
        QCOMPARE(document().currentPlan(), planAfter);
        QTest::keyClick(m_window.get(), Qt::Key_Z, Qt::ControlModifier);
        QTest::keyClick(m_window.get(), Qt::Key_Y, Qt::ControlModifier);
        QCOMPARE(document().budgetBytes(), after);
        QTest::qWait(100);
        QCOMPARE(stack().count(), 1);
    }

    void aSolveIsOneEntry()
    {
        const QString before = picture();
        m_window->solve();
        QTRY_VERIFY(m_window->idle());
        QCOMPARE(stack().count(), 1);
        QVERIFY2(stack().undoText().startsWith(QStringLiteral("Solve at ")), qPrintable(stack().undoText()));
        const auto solved = document().currentPlan();
        QVERIFY(!solved->quick);
        trigger("undo");
        QCOMPARE(picture(), before);
        trigger("redo");
        QCOMPARE(document().currentPlan(), solved);
    }

    void aVerdictIsNotTakenBack()
    {
        addPlan("chen-sqrt", 60);
        const int id = document().currentPlan()->id;
        document().setBudget(peak() / 2);
        auto proven = std::make_shared<PlanEntry>(*document().currentPlan());
        proven->check = Verdict{true, -1, "proven again", 0, 0};
        document().replacePlan(proven);
        trigger("undo");
        QCOMPARE(document().currentPlan()->id, id);
        QCOMPARE(document().currentPlan()->check->sentence, std::string("proven again"));
    }

    void plansPinsAndComparisonComeBack()
    {
        addPlan("chen-sqrt", 60);
        addPlan("keep-all", 100);
        QCOMPARE(stack().count(), 2);
        const int keepAll = document().currentPlan()->id;
        const int chen = document().plans().front()->id;
        document().setCompared({chen, keepAll});
        QVERIFY(stack().undoText().startsWith(QStringLiteral("Compare ")));
        m_window->commands().action(command::kRemovePlan)->trigger();
        QVERIFY2(stack().undoText().startsWith(QStringLiteral("Remove plan ")), qPrintable(stack().undoText()));
        QCOMPARE(document().compared(), std::vector<int>{chen});
        trigger("undo");
        QCOMPARE(document().currentPlan()->id, keepAll);
        QCOMPARE(document().compared(), (std::vector<int>{chen, keepAll}));
        document().setCurrentPlan(chen);
        QVERIFY(stack().undoText().startsWith(QStringLiteral("Show plan ")));
        Pins pins;
        pins.keep = {document().model()->graph().op(OpId(2)).outputs.front()};
        document().setPins(pins);
        QVERIFY2(stack().undoText().startsWith(QStringLiteral("Keep a3")), qPrintable(stack().undoText()));
        trigger("undo");
        QVERIFY(document().pins().empty());
        trigger("undo");
        QCOMPARE(document().currentPlan()->id, keepAll);
    }

    void settingsComeBack()
    {
        auto *limit = m_window->findChild<QSpinBox *>(QStringLiteral("timeLimit"));
        const int before = limit->value();
        limit->setValue(77);
        QCOMPARE(stack().count(), 1);
        trigger("undo");
        QCOMPARE(limit->value(), before);
        trigger("redo");
        QCOMPARE(limit->value(), 77);
    }

    /// Looking around, after an undo, too, takes nothing from the history; Back goes where one looked before.
    void whatIsLookedAtIsNoStep()
    {
        document().setBudget(peak() * 3 / 4);
        QTRY_VERIFY(m_window->idle());
        trigger("undo");
        QVERIFY(stack().canRedo());
        GraphView *graph = m_window->workspace()->graph();
        const auto open = [&] {
            for (const VisibleItem &item : graph->visibleItems())
                if (!item.chevron.isEmpty() && graph->isExpanded(item.path) &&
                    graph->rect().contains(item.chevron.center().toPoint()))
                    return item;
            return VisibleItem();
        }();
        QVERIFY(!open.path.isEmpty());
        QTest::mouseClick(graph->canvas(), Qt::LeftButton, {},
                          graph->canvas()->mapFrom(graph, open.chevron.center().toPoint()));
        QVERIFY(!graph->isExpanded(open.path));
        graph->rail()->colourChoice().setCurrentIndex(1);
        TimeWindow &time = document().time();
        time.setKind(time.kind() == AxisKind::Time ? AxisKind::Steps : AxisKind::Time);
        time.zoom(time.view().length / 2, 0.5);
        QTest::qWait(1100); // what is left sooner is no place to go back to
        m_window->workspace()->showView(QStringLiteral("lanes"));
        QCOMPARE(stack().count(), 1);
        trigger("redo");
        QCOMPARE(document().budgetBytes(), peak() * 3 / 4);
        QVERIFY(!graph->isExpanded(open.path) && !time.view().all());
        QCOMPARE(m_window->workspace()->area(Workspace::Area::Bottom)->current(), QStringLiteral("lanes"));
        QTest::keyClick(m_window.get(), Qt::Key_Left, Qt::AltModifier);
        QCOMPARE(m_window->workspace()->area(Workspace::Area::Bottom)->current(), QStringLiteral("memory"));
        QCOMPARE(document().budgetBytes(), peak() * 3 / 4);
    }

    void undoLeavesTheSightAlone()
    {
        GraphCanvas *canvas = m_window->workspace()->graph()->canvas();
        canvas->zoomAround({100, 100}, 0.9);
        const double first = canvas->scale();
        document().setBudget(peak() / 2);
        QTest::qWait(300);
        trigger("undo");
        QCOMPARE(canvas->scale(), first);
        canvas->zoomAround({100, 100}, 0.8);
        const double second = canvas->scale();
        trigger("redo");
        QCOMPARE(canvas->scale(), second);
    }

    void theListJumps()
    {
        for (int percent = 95; percent > 70; percent -= 5) {
            addPlan("chen-sqrt", percent);
        }
        QCOMPARE(stack().count(), 5);
        auto *button = m_window->findChild<QToolButton *>(QStringLiteral("tool.history"));
        QVERIFY(button && button->isVisible());
        QTest::mouseClick(button, Qt::LeftButton);
        auto *popup = m_window->findChild<HistoryPopup *>();
        QVERIFY(popup && popup->isVisible());
        QCOMPARE(popup->list()->model()->rowCount(), 6);
        const QModelIndex row = popup->list()->model()->index(2, 0); // after the second plan
        QTest::mouseClick(popup->list()->viewport(), Qt::LeftButton, {}, popup->list()->visualRect(row).center());
        QCOMPARE(stack().index(), 2);
        const auto &plans = document().plans();
        QCOMPARE(std::count_if(plans.begin(), plans.end(), [](const auto &plan) { return !plan->quick; }), 2);
        if (qEnvironmentVariableIsSet("REMAT_LOOK")) popup->grab().save(QStringLiteral("history.png"));
        popup->close();
    }

    void anotherModelForgetsTheHistory()
    {
        document().setBudget(peak() / 2);
        QVERIFY(stack().canUndo());
        m_window->openFile(fixture::writeChain(m_folder, 7));
        QTRY_COMPARE(document().model()->graph().ops.size(), std::size_t(15));
        QVERIFY(!stack().canUndo());
        QVERIFY(!m_window->commands().find(QStringLiteral("undo"))->isEnabled());
    }

    void otherCostsComeBackToo()
    {
        if (m_window->session().loader.devices().size() < 2) QFAIL("There is only one device.");
        addPlan("chen-sqrt", 70);
        const auto before = document().model();
        const auto planBefore = document().currentPlan();
        const std::string device = m_window->session().loader.costChoice().device.name;
        m_window->session().loader.useDevice(QString::fromStdString(m_window->session().loader.devices()[1].name));
        QTRY_VERIFY(document().model() != before);
        QTRY_VERIFY(m_window->idle());
        QVERIFY2(stack().undoText().startsWith(QStringLiteral("Costs of ")), qPrintable(stack().undoText()));
        const auto planAfter = document().currentPlan();
        QVERIFY(planAfter != planBefore);
        trigger("undo");
        QCOMPARE(document().model(), before);
        QCOMPARE(document().currentPlan(), planBefore);
        QCOMPARE(m_window->session().loader.costChoice().device.name, device);
        trigger("redo");
        QCOMPARE(document().currentPlan(), planAfter);
    }

    void backAndForwardChangeOnlyTheView()
    {
        document().selectOp(OpId(2));
        QTest::qWait(1050);
        document().setBudget(peak() / 2);
        QTRY_VERIFY(m_window->idle());
        document().selectOp(OpId(5));
        QTest::keyClick(m_window.get(), Qt::Key_Left, Qt::AltModifier);
        QCOMPARE(document().selection().op, OpId(2));
        QCOMPARE(document().budgetBytes(), peak() / 2);
        QTest::keyClick(m_window.get(), Qt::Key_Right, Qt::AltModifier);
        QCOMPARE(document().selection().op, OpId(5));
        QVERIFY(!m_window->commands().find(QStringLiteral("viewForward"))->isEnabled());
    }

    void anyWalkCanBeTakenBackAndMadeAgain()
    {
        std::mt19937 random(7);
        GraphView *graph = m_window->workspace()->graph();
        auto *limit = m_window->findChild<QSpinBox *>(QStringLiteral("timeLimit"));
        QStringList pictures = {picture()};
        const auto paths = graph->visibleItems();
        for (int i = 0; i < 190; ++i) {
            const int kind = static_cast<int>(random() % 8);
            const int number = static_cast<int>(random() % 100);
            const QString path = paths[random() % paths.size()].path;
            const int count = stack().index();
            if (kind == 0) document().setBudget(peak() * (30 + number % 70) / 100);
            if (kind == 1) addPlan("chen-sqrt", 60 + number % 40);
            if (kind == 2 && document().plans().size() > 2)
                document().removePlan(document().plans()[number % document().plans().size()]->id);
            if (kind == 3) {
                graph->isExpanded(path) ? graph->collapse(path) : graph->expand(path);
                Q_EMIT graph->stateTouched(path);
            }
            if (kind == 4) limit->setValue(1 + number);
            if (kind == 5 && !document().plans().empty())
                document().setCompared({document().plans()[number % document().plans().size()]->id});
            if (kind == 6 && !document().plans().empty())
                document().setCurrentPlan(document().plans()[number % document().plans().size()]->id);
            if (kind == 7) document().setPins({{StorageId(static_cast<std::size_t>(number % 20 + 1))}, {}, {}});
            QCoreApplication::processEvents();
            if (stack().index() > count)
                pictures << picture();
            else
                pictures.back() = picture(); // went into the entry before
        }
        QVERIFY2(stack().count() > 100, qPrintable(QString::number(stack().count())));
        for (int i = 0; stack().canUndo(); ++i) {
            QCOMPARE(picture(), pictures[pictures.size() - 1 - i]);
            trigger("undo");
        }
        while (stack().canRedo())
            trigger("redo");
        QCOMPARE(picture(), pictures.back());
    }

    void onlyTheLastTwoHundredAreKept()
    {
        for (int i = 0; i < History::kMost + 20; ++i)
            document().setPins({{StorageId(static_cast<std::size_t>(i % 20 + 1))}, {}, {}});
        QCOMPARE(stack().count(), History::kMost);
        while (stack().canUndo())
            stack().undo();
        QCOMPARE(document().pins().keep.front(), StorageId(std::size_t(20)));
    }
};

QTEST_MAIN(TestHistory)
#include "tst_history.moc"
