// SPDX-License-Identifier: Apache-2.0
// What is shown belongs to what is selected: a plan that is loaded brings its budget, and what is of another says so.
#include "app/studio/base/widgets/empty_state.h"
#include "app/studio/base/widgets/message_strip.h"
#include "app/studio/shell/workspace/workspace.h"
#include "app/studio/views/compare/compare_view.h"
#include "app/studio/views/curve/curve_view.h"
#include "app/studio/views/memory/memory_view.h"
#include "app/studio/work/jobs/quick_planner.h"
#include "tests/studio/window_test.h"
#include "tests/support/written.h"

using namespace remat;
using namespace remat::studio;

class TestOnePlan : public QObject, fixture::InWindow
{
    Q_OBJECT

    QString textOf(const char *name)
    {
        auto *label = m_window->findChild<QLabel *>(QString::fromLatin1(name));
        return label && label->isVisible() ? label->text() : QString();
    }
    void solveAt(std::int64_t budget)
    {
        document().moveBudget(budget);
        QTRY_VERIFY(m_window->idle());
        m_window->solve();
        QTRY_VERIFY(m_window->session().solver.report().ended() && m_window->idle());
    }
    CurveCanvas *curve() { return m_window->workspace()->curve()->canvas(); }
    void clickPointOf(int planId)
    {
        const CurvePoint *point = curve()->scene().find(planId);
        QVERIFY(point);
        const QPointF at = layOutCurve(curve()->scene(), curve()->size()).place(point->peakBytes, point->overhead);
        QTest::mouseClick(curve(), Qt::LeftButton, {}, at.toPoint());
    }

private Q_SLOTS:
    void init()
    {
        openFresh();
        openChain(12);
    }

    void aPlanBringsItsBudget()
    {
        const std::int64_t peak = document().model()->keepAll->peakBytes;
        solveAt(peak / 2);
        const int half = document().currentPlan()->id;
        solveAt(peak * 3 / 4);
        QVERIFY(document().currentPlan()->id != half);
        command("showCurve")->trigger();
        QTRY_VERIFY(m_window->idle());
        clickPointOf(half);
        QCOMPARE(document().currentPlan()->id, half);
        // Budget line, room and the solve that is told of are of this plan.
        QCOMPARE(document().budgetBytes(), document().currentPlan()->plan->budgetBytes);
        QCOMPARE(document().budgetBytes(), peak / 2);
        QCOMPARE(m_window->session().solver.report().budgetBytes, peak / 2);
        QVERIFY(!textOf("solveDetail").contains(QStringLiteral("another plan")));
        // One step back brings both back.
        command("undo")->trigger();
        QCOMPARE(document().budgetBytes(), peak * 3 / 4);
        QVERIFY(document().currentPlan()->id != half);
    }

    void aSolveOfAnotherPlanSaysSo()
    {
        const std::int64_t peak = document().model()->keepAll->peakBytes;
        solveAt(peak / 2);
        document().moveBudget(peak * 7 / 10);
        QTRY_VERIFY(m_window->idle() && document().currentPlan()->quick);
        QVERIFY2(textOf("solveDetail").contains(QStringLiteral("another plan")), qPrintable(textOf("solveDetail")));
    }

    void whatMoreMemoryBuysIsAtLeastAQuickPlan()
    {
        const std::int64_t peak = document().model()->keepAll->peakBytes;
        document().moveBudget(peak / 2);
        QTRY_VERIFY(document().currentPlan() && m_window->idle());
        command("showCurve")->trigger();
        const auto &steps = [this]() -> const std::vector<MemoryStep> & {
            return m_window->workspace()->curve()->more()->steps();
        };
        QTRY_VERIFY(steps().size() >= 2 && steps()[1].overhead && *steps()[1].change < 0);
        for (const MemoryStep &step : steps()) {
            const QuickPlan quick = makeQuickPlan(*document().model(), step.budgetBytes, {}, 0, 0, StopToken());
            QVERIFY(quick.entry && step.overhead);
            const double known = quick.entry->timeline->timeUs / document().model()->keepAllTimeUs - 1;
            QVERIFY2(*step.overhead <= known + 1e-9, "no worse than the quick plan of that budget");
        }
    }

    void noEmptyStateOverAPlan()
    {
        // A model that opens while another tab is in front, and the timeline is shown only then.
        m_window.reset();
        QSettings().clear();
        openWindow();
        openChain(8);
        ViewArea *bottom = m_window->workspace()->area(Workspace::Area::Bottom);
        for (const QString &front : bottom->ids()) {
            bottom->show(front);
            m_window->openFile(fixture::writeChain(m_folder, 9 + static_cast<int>(bottom->ids().indexOf(front))));
            QTRY_VERIFY(m_window->idle() && document().currentPlan());
            for (const QString &id : bottom->ids()) {
                bottom->show(id);
                QTest::qWait(10);
                for (EmptyState *empty : bottom->view(id)->findChildren<EmptyState *>())
                    QVERIFY2(!empty->isVisible(), qPrintable(front + QStringLiteral(", then ") + id));
            }
        }
    }

    void whatIsMissingFollowsFromTheDocument_data()
    {
        QTest::addColumn<int>("seed");
        for (int seed = 1; seed <= 4; ++seed)
            QTest::addRow("seed %d", seed) << seed;
    }
    /// However a person got there: models open, close and come back while this or that view is seen.
    void whatIsMissingFollowsFromTheDocument()
    {
        QFETCH(int, seed);
        QRandomGenerator dice(static_cast<quint32>(seed));
        Workspace *workspace = m_window->workspace();
        QStringList done;
        const auto act = [&](int what) {
            const auto trigger = [&](const char *id) {
                if (QAction *action = command(id); action && action->isEnabled()) action->trigger();
                done << QString::fromLatin1(id);
            };
            const auto place = [&](Workspace::Area area) {
                const QStringList ids = workspace->area(area)->ids();
                workspace->showView(ids[dice.bounded(ids.size())]);
                done << workspace->area(area)->current();
            };
            switch (what) {
            case 0:
                return place(Workspace::Area::Bottom);
            case 1:
                return place(Workspace::Area::Center);
            case 2:
                m_window->openFile(fixture::writeChain(m_folder, 8 + static_cast<int>(dice.bounded(5))));
                done << QStringLiteral("open");
                return;
            case 3:
                return trigger("closeModel");
            case 4:
                return trigger("reopenClosed");
            case 5:
                return trigger("nextModel");
            case 6:
                return trigger("memoryPanel");
            case 7:
                return trigger(std::array{"preset.plan", "preset.compare", "preset.learn"}[dice.bounded(3)]);
            case 8:
                return trigger("removePlan");
            case 9:
                return trigger(dice.bounded(2) == 0 ? "undo" : "redo");
            case 10:
                return trigger("startPage");
            case 11:
                document().moveBudget(
                    dice.bounded(2) == 0 || !document().model() ? 1 : document().model()->keepAll->peakBytes * 7 / 10);
                done << QStringLiteral("budget");
                return;
            default:
                return trigger("solve");
            }
        };
        for (int i = 0; i < 120; ++i) {
            act(static_cast<int>(dice.bounded(13)));
            if (dice.bounded(3) > 0) QTRY_VERIFY(m_window->idle());
            QCoreApplication::processEvents();
            const auto model = document().model();
            for (PlanView *view : m_window->findChildren<PlanView *>()) {
                const auto *empty = view->findChild<EmptyState *>({}, Qt::FindDirectChildrenOnly);
                if (!model) continue;
                bool missing = !document().currentPlan();
                if (qobject_cast<MemoryView *>(view))
                    missing = missing && document().budgetBytes() >= model->floor.bytes;
                else if (qobject_cast<CurveView *>(view))
                    missing = false;
                else if (qobject_cast<CompareView *>(view))
                    missing = document().compared().size() < 2;
                QVERIFY2(empty->isHidden() != missing,
                         qPrintable(view->objectName() + QStringLiteral(" after ") + done.join(QStringLiteral(", "))));
            }
        }
    }

    void aRestoredSolveKeepsChartAndReason()
    {
        const std::int64_t peak = document().model()->keepAll->peakBytes;
        solveAt(peak / 2);
        const std::size_t samples = m_window->session().solver.report().samples.size();
        const double gap = m_window->session().solver.report().progress.gap;
        QVERIFY(samples > 0);
        document().moveBudget(document().model()->floor.bytes - 1);
        QTRY_VERIFY(m_window->idle());
        m_window->solve();
        QTRY_VERIFY(m_window->session().solver.report().state == SolveReport::State::Infeasible);
        const QString why = m_window->session().solver.report().sentence;
        const QString path = m_folder.filePath(QStringLiteral("kept.remat"));
        m_window->saveSessionTo(path);
        QTRY_VERIFY(QFileInfo::exists(path) && m_window->idle());
        m_window.reset();
        openWindow();
        m_window->openFile(path);
        QTRY_VERIFY(document().model() && m_window->idle());
        const auto &jobs = m_window->session().solver.jobs();
        QCOMPARE(jobs.size(), std::size_t(2));
        QCOMPARE(jobs[0]->report().samples.size(), samples);
        QCOMPARE(jobs[0]->report().progress.gap, gap);
        QCOMPARE(jobs[1]->report().sentence, why);
        QVERIFY(jobs[1]->report().bindingOp);
    }

    void openTakesCosts()
    {
        const auto model = document().model();
        QString times;
        for (const Op &op : model->graph().ops)
            times += QStringLiteral("%1\"%2\": 100")
                         .arg(times.isEmpty() ? QString() : QStringLiteral(", "), toQString(op.name));
        const QString path = test::written(
            m_folder.filePath(QStringLiteral("costs.json")),
            QStringLiteral("{\"bytes\": {}, \"time_us\": {%1}, \"workspace_bytes\": {}}").arg(times).toUtf8());
        m_window->openFile(path);
        QTRY_VERIFY(m_window->idle() && m_window->session().loader.costChoice().profile);
        QCOMPARE(document().model()->costs->time(OpId(0)), 100.0);
        QCOMPARE(document().model()->open, model->open);
    }

    void costsWithoutAModelSayWhatToDo()
    {
        m_window.reset();
        openWindow();
        const QString path = test::written(m_folder.filePath(QStringLiteral("alone.json")), "{\"time_us\": {}}");
        m_window->openFile(path);
        auto *text = m_window->messages()->findChild<QLabel *>(QStringLiteral("messageText"));
        QVERIFY(text->isVisible() && text->text().contains(QStringLiteral("Open that model first")));
    }
};

QTEST_MAIN(TestOnePlan)
#include "tst_one_plan.moc"
