// SPDX-License-Identifier: Apache-2.0
// The real window, driven as a person would: by mouse and keys.
#include "app/studio/base/text/memory_text.h"
#include "app/studio/base/widgets/message_strip.h"
#include "app/studio/shell/start_page/start_page.h"
#include "app/studio/shell/window/title_menu_bar.h"
#include "app/studio/shell/workspace/left_panel.h"
#include "app/studio/shell/workspace/workspace.h"
#include "app/studio/views/graph/graph_view.h"
#include "app/studio/views/memory/memory_view.h"
#include "app/studio/views/plan/plan_panel.h"
#include "app/studio/views/shared/verdict.h"
#include "gpu/runtime.h"
#include "tests/studio/window_test.h"
#include "tests/support/torch.h"
#include "tests/support/written.h"

#include <algorithm>

using namespace remat;
using namespace remat::studio;

class TestMainWindow : public QObject, fixture::InWindow
{
    Q_OBJECT

    template <class Widget = QAbstractButton>
    Widget *widget(const char *name)
    {
        return m_window->findChild<Widget *>(QString::fromLatin1(name));
    }

    void click(const char *name)
    {
        auto *button = widget(name);
        if (!button || !button->isEnabled()) QFAIL(name);
        QTest::mouseClick(button, Qt::LeftButton);
    }

    /// Opens a tiny sample by its chip on the start page.
    void openTiny(const char *name = "sample.tiny_gpt2")
    {
        if (!widget(name)) QFAIL("The samples are not installed.");
        const auto before = document().model();
        click(name);
        QTRY_VERIFY(document().model() != before);
        QTRY_VERIFY(m_window->idle());
    }

    void solve()
    {
        click("solveButton");
        QTRY_VERIFY(!m_window->session().solver.running());
        const SolveReport &report = m_window->session().solver.report();
        // On a busy machine its time is up before its work is done.
        QVERIFY2(report.state == SolveReport::State::Done || report.state == SolveReport::State::Stopped,
                 qPrintable(report.sentence));
    }

    void drop(const QString &path)
    {
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(path)});
        QDragEnterEvent enter(QPoint(500, 500), Qt::CopyAction, &data, Qt::LeftButton, {});
        QCoreApplication::sendEvent(m_window.get(), &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent event(QPointF(500, 500), Qt::CopyAction, &data, Qt::LeftButton, {});
        QCoreApplication::sendEvent(m_window.get(), &event);
    }

private Q_SLOTS:
    void init() { openFresh(); }

    void startsOnTheStartPage()
    {
        QVERIFY(widget<StartPage>("startPage")->isVisible());
        QVERIFY(widget<QDockWidget>("planDock")->isHidden());
        QVERIFY(!m_window->commands().action(command::kSolve)->isEnabled());
        QVERIFY(!m_window->commands().action(command::kSavePlan)->isEnabled());
        QVERIFY(m_window->commands().action(command::kOpen)->isEnabled());
        QCOMPARE(m_window->windowTitle(), QStringLiteral("Remat Studio"));
    }

    void everyCommandHasTextKeyAndTooltip()
    {
        QStringList keys;
        for (const Commands::Item &item : m_window->commands().items()) {
            QVERIFY2(!item.action->text().isEmpty(), qPrintable(item.action->objectName()));
            // The forms of a plan are chosen after "Export plan…", which has a key, or by name; updates by name, and
            // chunks in the menu of an op.
            const QString id = item.action->objectName();
            const bool rare = id.startsWith(QLatin1String("exportPlan.")) || id.startsWith(QLatin1String("updates.")) ||
                              id.startsWith(QLatin1String("chunk."));
            QVERIFY2(rare || !item.action->shortcuts().isEmpty(), qPrintable(item.action->text()));
            QVERIFY2(!item.action->toolTip().isEmpty(), qPrintable(item.action->text()));
            QVERIFY2(item.action->toolTip().contains(item.action->shortcut().toString(QKeySequence::NativeText)),
                     qPrintable(item.action->text()));
            for (const QKeySequence &key : item.action->shortcuts()) {
                QVERIFY2(!keys.contains(key.toString()),
                         qPrintable(item.action->text() + QLatin1Char(' ') + key.toString()));
                keys << key.toString();
            }
        }
    }

    void everyControlHasAName()
    {
        openTiny();
        for (const QAbstractButton *button : m_window->findChildren<QAbstractButton *>()) {
            if (!button->isVisibleTo(m_window.get())) continue;
            QVERIFY2(!button->accessibleName().isEmpty() || !button->text().isEmpty(),
                     qPrintable(QString::fromLatin1(button->metaObject()->className()) + QLatin1Char(' ') +
                                button->objectName()));
        }
        for (const QComboBox *box : m_window->findChildren<QComboBox *>())
            QVERIFY2(!box->accessibleName().isEmpty(), qPrintable(box->objectName()));
        for (const QAbstractSpinBox *box : m_window->findChildren<QAbstractSpinBox *>())
            QVERIFY2(!box->accessibleName().isEmpty(), qPrintable(box->objectName()));
    }

    void openExpandDragSolveSave()
    {
        openTiny();
        QVERIFY(widget<QDockWidget>("planDock")->isVisible());
        QVERIFY(m_window->windowTitle().startsWith(QStringLiteral("Tiny GPT-2")));

        // Expand a cluster by its chevron.
        GraphView *graph = m_window->workspace()->graph();
        const auto closed = [&] {
            for (const VisibleItem &item : graph->visibleItems())
                if (!item.chevron.isEmpty() && !graph->isExpanded(item.path) &&
                    graph->rect().contains(item.chevron.center().toPoint()))
                    return item;
            return VisibleItem{};
        };
        const VisibleItem item = closed();
        QVERIFY(!item.path.isEmpty());
        const QPoint chevron = graph->canvas()->mapFrom(graph, item.chevron.center().toPoint());
        QTest::mouseClick(graph->canvas(), Qt::LeftButton, {}, chevron);
        QTRY_VERIFY(graph->isExpanded(item.path));
        QTRY_VERIFY(!graph->layoutPending());

        // Drag the budget line.
        MemoryCanvas *canvas = m_window->workspace()->memory()->canvas();
        const std::int64_t before = document().budgetBytes();
        const auto lineY = [&](std::int64_t bytes) {
            return static_cast<int>(std::lround(canvas->layout().budgetY(bytes)));
        };
        const std::int64_t target = document().model()->keepAll->peakBytes * 7 / 10;
        const int x = canvas->width() / 2;
        QTest::mousePress(canvas, Qt::LeftButton, {}, QPoint(x, lineY(before)));
        QTest::mouseMove(canvas, QPoint(x, lineY(target)));
        QTest::mouseRelease(canvas, Qt::LeftButton, {}, QPoint(x, lineY(target)));
        QVERIFY(document().budgetBytes() != before);
        QVERIFY(std::abs(document().budgetBytes() - target) < document().model()->keepAll->peakBytes / 25);
        QTRY_COMPARE(widget<QLineEdit>("budgetField")->text(), memoryText(document().budgetBytes()));
        QTRY_VERIFY(m_window->idle());

        solve();
        const auto entry = document().currentPlan();
        QVERIFY(entry && !entry->quick);
        QVERIFY(verdictOf(*entry, 0).level == VerdictLevel::Ok);
        QVERIFY(entry->timeline->peakBytes <= document().budgetBytes());
        const QString badge = widget<VerdictBadge>("verdictBadge")->look().title;
        QVERIFY2(badge.startsWith(QStringLiteral("Solved")) || badge == QStringLiteral("Proven best"),
                 qPrintable(badge));
        QVERIFY(m_window->findChild<TitleMenuBar *>()->documentName().startsWith(QStringLiteral("Tiny GPT-2")));

        const QString path = m_folder.filePath(QStringLiteral("plan.json"));
        m_window->savePlanTo(path);
        QTRY_VERIFY(m_window->messages()->sentence().contains(path));
        const Graph &model = document().model()->graph();
        const auto plan = readPlan(path.toStdString(), model);
        QVERIFY2(plan.has_value(), plan ? "" : plan.error().message.c_str());
        const Verdict verdict = checkPlan(model, *document().model()->costs, *plan);
        QVERIFY2(verdict.ok, verdict.sentence.c_str());
        QCOMPARE(verdict.peakBytes, entry->timeline->peakBytes);
    }

    void theFieldMovesTheLine()
    {
        openTiny();
        auto *field = widget<QLineEdit>("budgetField");
        m_window->commands().action(command::kEditBudget)->trigger();
        QTRY_VERIFY(field->hasFocus());
        QTest::keyClicks(field, QStringLiteral("80%"));
        QTest::keyClick(field, Qt::Key_Return);
        QCOMPARE(document().budgetBytes(), (document().model()->keepAll->peakBytes * 8 + 5) / 10);
        m_window->commands().action(command::kGoToFloor)->trigger();
        QCOMPARE(document().budgetBytes(), document().model()->floor.bytes);
    }

    void stopEndsAtOnceAndKeepsWhatThereIs()
    {
        if (!widget("sample.gpt2")) QFAIL("The samples are not installed.");
        click("sample.gpt2");
        QTRY_VERIFY(document().model() && m_window->idle());
        document().setBudget(document().model()->keepAll->peakBytes / 2);
        click("solveButton");
        QTest::qWait(400);
        QVERIFY2(m_window->session().solver.running(), "The solve was over before it could be stopped.");
        QVERIFY(m_window->commands().action(command::kStop)->isEnabled());
        QTest::keyClick(m_window.get(), Qt::Key_Period, Qt::ControlModifier);
        QTRY_VERIFY(!m_window->session().solver.running());
        const SolveReport &report = m_window->session().solver.report();
        QVERIFY(report.state == SolveReport::State::Stopped || report.state == SolveReport::State::Done);
        if (const auto plan = document().currentPlan(); plan && !plan->quick)
            QVERIFY(plan->timeline->peakBytes <= document().budgetBytes());
        QVERIFY(m_window->commands().action(command::kSolve)->isEnabled());
    }

    void inputIsAnsweredWhileSolving()
    {
        if (!widget("sample.gpt2")) QFAIL("The samples are not installed.");
        click("sample.gpt2");
        QTRY_VERIFY(document().model() && m_window->idle());
        document().setBudget(document().model()->keepAll->peakBytes * 45 / 100);
        click("solveButton");
        // A window whose thread solves would answer once, at the end. How fast it answers is measured by
        // remat-window-benchmark.
        auto &solver = m_window->session().solver;
        int answers = 0;
        while (solver.running() && answers < 50) {
            const qint64 before = document().budgetBytes();
            document().setBudget(before - 1);
            QTest::qWait(10);
            QCOMPARE(document().budgetBytes(), before - 1);
            ++answers;
        }
        QCOMPARE(answers, 50);
        QVERIFY(solver.running());
        m_window->commands().action(command::kStop)->trigger();
    }

    void validationBringsTheBadge()
    {
        const RuntimeInfo runtime = runtimeInfo();
        if (!runtime.available) REMAT_NO_TORCH(runtime.sentence.c_str());
        openTiny();
        solve();
        click("validateButton");
        QVERIFY(m_window->session().runner.validating());
        QTRY_VERIFY(!m_window->session().runner.validating());
        QVERIFY2(m_window->messages()->sentence().isEmpty(), qPrintable(m_window->messages()->sentence()));
        const PlanVerdict verdict = verdictOf(*document().currentPlan(), document().budgetBytes());
        QVERIFY2(verdict.wasRun && verdict.level != VerdictLevel::Failed, verdict.sentence.c_str());
        const QString shown = widget<VerdictBadge>("verdictBadge")->look().sentence;
        QVERIFY2(shown.endsWith(QString::fromStdString(verdict.sentence)), qPrintable(shown));
    }

    void crashedRunCostsASentence()
    {
        // Whatever kills the process that LibTorch runs in, the window is not in it.
        if (!runtimeInfo().available) REMAT_NO_TORCH(runtimeInfo().sentence.c_str());
        QFile helper(m_folder.filePath(QStringLiteral("crashing-helper")));
        QVERIFY(helper.open(QIODevice::WriteOnly));
        helper.write("#!/bin/sh\nkill -SEGV $$\n");
        helper.close();
        QVERIFY(helper.setPermissions(QFile::ReadOwner | QFile::ExeOwner));
        openTiny();
        solve();
        qputenv("REMAT_RUN", helper.fileName().toUtf8());
        click("validateButton");
        QTRY_VERIFY(!m_window->session().runner.validating());
        qunsetenv("REMAT_RUN");
        QTRY_VERIFY2(m_window->messages()->sentence().contains(QStringLiteral("crashed")),
                     qPrintable(m_window->messages()->sentence()));
        QVERIFY(document().currentPlan() && !verdictOf(*document().currentPlan(), document().budgetBytes()).wasRun);
        // Nor is anything spoilt for the next run.
        click("validateButton");
        QTRY_VERIFY(!m_window->session().runner.validating());
        const PlanVerdict verdict = verdictOf(*document().currentPlan(), document().budgetBytes());
        QVERIFY2(verdict.wasRun && verdict.level != VerdictLevel::Failed, verdict.sentence.c_str());
    }

    void brokenFileLeavesTheModelOpen()
    {
        openTiny();
        const auto before = document().model();
        const QString broken = test::written(m_folder.filePath(QStringLiteral("broken.json")),
                                             "{\"format\": \"remat-graph/1\", \"ops\": [");
        drop(broken);
        QTRY_VERIFY(m_window->messages()->isVisible());
        QVERIFY2(m_window->messages()->sentence().contains(QStringLiteral("broken.json")),
                 qPrintable(m_window->messages()->sentence()));
        QCOMPARE(document().model(), before);
        QTest::mouseClick(m_window->messages()->findChild<QAbstractButton *>(QStringLiteral("messageClose")),
                          Qt::LeftButton);
        QVERIFY(!m_window->messages()->isVisible());
    }

    void droppedGraphOpens()
    {
        drop(fixture::writeChain(m_folder, 10));
        QTRY_VERIFY(document().model());
        QCOMPARE(document().model()->graph().name, std::string("chain"));
        QVERIFY(!m_window->commands().action(command::kValidate)->isEnabled()); // nothing to run
    }

    void selectionIsOneInAllViews()
    {
        openTiny();
        GraphView *graph = m_window->workspace()->graph();
        ClusterTreeView *tree = m_window->workspace()->leftPanel()->tree();
        const OpId op(document().model()->graph().ops.size() / 3);
        document().selectOp(op);
        const auto selected = [&] {
            const auto items = graph->visibleItems();
            return std::any_of(items.begin(), items.end(), [](const VisibleItem &item) { return item.selected; });
        };
        QTRY_VERIFY(selected());
        QVERIFY(tree->currentIndex().isValid());
        auto *model = qobject_cast<ClusterTreeModel *>(tree->model());
        QCOMPARE(model->clusterAt(tree->currentIndex()), document().model()->open->modules.clusterOf[op.index()]);
        QVERIFY(!widget<QLabel>("status.selection")->text().isEmpty());

        // And from the tree into the graph.
        QSignalSpy chosen(graph, &GraphView::clusterSelected);
        tree->setCurrentIndex(model->indexOf(document().model()->open->modules.root()));
        const QModelIndex child = model->index(0, 0, model->index(0, 0));
        tree->setCurrentIndex(child);
        QTRY_VERIFY(chosen.count() > 0);
    }

    void panelsCloseAndLayoutComesBack()
    {
        openTiny();
        auto *plan = widget<QDockWidget>("planDock");
        m_window->commands().action(command::kPlanPanel)->trigger();
        QVERIFY(plan->isHidden());
        m_window->commands().action(command::kStartPage)->trigger();
        QVERIFY(widget<StartPage>("startPage")->isVisible());
        m_window->commands().action(command::kStartPage)->trigger();
        QVERIFY(plan->isHidden());
        QVERIFY(widget<QDockWidget>("memoryDock")->isVisible());
        m_window->commands().action(command::kResetLayout)->trigger();
        QVERIFY(plan->isVisible());
        m_window->resize(1280, 800);
        QTRY_VERIFY(widget<QDockWidget>("leftDock")->isHidden());
        m_window->resize(1600, 1000);
        QTRY_VERIFY(widget<QDockWidget>("leftDock")->isVisible());
    }

    void focusGoesRoundThePanels()
    {
        openTiny();
        m_window->activateWindow();
        std::vector<const QWidget *> visited;
        for (int i = 0; i < 4; ++i) {
            m_window->commands().action(command::kNextPanel)->trigger();
            QTest::qWait(5);
            visited.push_back(QApplication::focusWidget());
        }
        std::sort(visited.begin(), visited.end());
        QCOMPARE(std::unique(visited.begin(), visited.end()) - visited.begin(), 4);
    }

    void keysReachTheirCommands()
    {
        openTiny();
        for (QWidget *focus : {static_cast<QWidget *>(m_window->workspace()->graph()->canvas()),
                               static_cast<QWidget *>(m_window->workspace()->leftPanel()->tree())}) {
            focus->setFocus();
            QSignalSpy fit(m_window->commands().action(command::kFit), &QAction::triggered);
            QTest::keyClick(focus, Qt::Key_F);
            QCOMPARE(fit.count(), 1);
        }
        QSignalSpy solved(m_window->commands().action(command::kSolve), &QAction::triggered);
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_R, Qt::ControlModifier);
        QCOMPARE(solved.count(), 1);
        QTRY_VERIFY(!m_window->session().solver.running());
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_F1);
        const auto *keys = m_window->findChild<QDialog *>(QStringLiteral("keysWindow"));
        QVERIFY(keys && keys->isVisible());
    }

    void themesChangeWithoutRestart()
    {
        openTiny();
        const auto corner = [this] { return m_window->grab().toImage().pixelColor(5, 60); };
        m_window->commands().find(QStringLiteral("theme.dark"))->trigger();
        QCOMPARE(corner(), Theme::color(Token::Window, Scheme::Dark));
        m_window->commands().find(QStringLiteral("theme.light"))->trigger();
        QCOMPARE(corner(), Theme::color(Token::Window, Scheme::Light));
    }

    void theStartPageLeadsBack()
    {
        openChain(12);
        command("startPage")->trigger();
        auto *back = m_window->findChild<QAbstractButton *>(QStringLiteral("backButton"));
        QVERIFY(back->isVisible());
        QCOMPARE(back->text(), QStringLiteral("Back to chain"));
        // What the status bar says of a model is of one that is seen.
        QVERIFY(!m_window->findChild<QLabel *>(QStringLiteral("status.graph"))->isVisible());
        QTest::keyClick(m_window->focusWidget(), Qt::Key_Escape);
        QVERIFY(m_window->workspace()->graph()->isVisible());
        QVERIFY(m_window->findChild<QLabel *>(QStringLiteral("status.graph"))->isVisible());
        command("startPage")->trigger();
        QTest::mouseClick(back, Qt::LeftButton);
        QVERIFY(m_window->workspace()->graph()->isVisible());
    }

    void theNewcomersPlanIsSolvedInSight()
    {
        openChain(12);
        m_window->workspace()->showView(QStringLiteral("decisions"));
        command("startPage")->trigger();
        QTest::mouseClick(m_window->findChild<QAbstractButton *>(QStringLiteral("help.firstPlan")), Qt::LeftButton);
        QTRY_VERIFY(m_window->session().loader.modelTitle() == QStringLiteral("GPT-2 small"));
        QTRY_VERIFY(m_window->session().solver.running());
        QVERIFY(m_window->workspace()->planPanel()->isVisible());
        QCOMPARE(document().budgetBytes(), document().model()->keepAll->peakBytes / 2);
        command("stop")->trigger();
        QTRY_VERIFY(!m_window->session().solver.running());
    }
};

QTEST_MAIN(TestMainWindow)
#include "tst_main_window.moc"
