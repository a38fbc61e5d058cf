// SPDX-License-Identifier: Apache-2.0
// The step player, in the real window.
#include "app/studio/base/widgets/segmented_control.h"
#include "app/studio/shell/features/step_player.h"
#include "app/studio/shell/features/step_story.h"
#include "app/studio/shell/workspace/workspace.h"
#include "app/studio/views/graph/graph_marks.h"
#include "app/studio/views/graph/graph_view.h"
#include "app/studio/views/memory/memory_canvas.h"
#include "core/teaching/explain/step_story.h"
#include "tests/studio/window_test.h"

#include <set>

using namespace remat;
using namespace remat::studio;

class TestStepPlayer : public QObject, fixture::InWindow
{
    Q_OBJECT

    StepPlayer *player() { return m_window->findChild<StepPlayer *>(); }
    Replay &replay() { return m_window->session().replay; }
    void click(const char *name)
    {
        auto *button = m_window->findChild<QAbstractButton *>(QLatin1String(name));
        QVERIFY(button && button->isVisible());
        QTest::mouseClick(button, Qt::LeftButton);
    }

private Q_SLOTS:
    void init()
    {
        openFresh();
        openChain(12);
        document().addPlan(fixture::solvedEntry(*document().model(), "chen-sqrt",
                                                document().model()->keepAll->peakBytes * 6 / 10,
                                                document().nextPlanId()));
    }

    void learningShowsItAndPlanningDoesNot()
    {
        QVERIFY(player()->strip()->isHidden());
        command("preset.learn")->trigger();
        QVERIFY(player()->strip()->isVisible());
        command("preset.plan")->trigger();
        QVERIFY(player()->strip()->isHidden());
        command("stepPlayer")->trigger();
        QVERIFY(player()->strip()->isVisible());
        command("preset.compare")->trigger();
        command("preset.plan")->trigger();
        QVERIFY(player()->strip()->isVisible());
    }

    void stepsMoveTheCursor()
    {
        command("stepPlayer")->trigger();
        const MemoryTimeline &line = *document().currentPlan()->timeline;
        click("strip.stepForward");
        QCOMPARE(replay().sample(), 0);
        click("strip.stepForward");
        QCOMPARE(replay().sample(), 1);
        QVERIFY(document().cursorUs() > line.startUs[1] && document().cursorUs() < line.endUs[1]);
        QVERIFY2(player()->story().startsWith(QStringLiteral("Computes ")), qPrintable(player()->story()));
        click("strip.stepBack");
        QCOMPARE(replay().sample(), 0);
        auto *slider = m_window->findChild<QSlider *>(QStringLiteral("stepSlider"));
        slider->setValue(7);
        QCOMPARE(replay().sample(), 7);
        replay().go(100000);
        QCOMPARE(replay().sample(), std::int64_t(line.op.size()) - 1);
        // While it rests it follows the cursor of other views.
        document().setCursor((line.startUs[3] + line.endUs[3]) / 2);
        QCOMPARE(replay().sample(), 3);
    }

    void playingGoesOnByItselfAndEnds()
    {
        command("stepPlayer")->trigger();
        m_window->findChild<SegmentedControl *>(QStringLiteral("stepSpeed"))->setCurrent(2);
        click("strip.stepPlay");
        QVERIFY(replay().playing());
        QTRY_VERIFY(replay().sample() >= 3);
        document().setCursor(-1); // the mouse left some view
        const auto at = replay().sample();
        QTRY_VERIFY(replay().sample() > at);
        click("strip.stepPlay");
        QVERIFY(!replay().playing());
        replay().go(std::int64_t(document().currentPlan()->timeline->op.size()) - 3);
        command("stepPlay")->trigger();
        QTRY_VERIFY(!replay().playing());
        QCOMPARE(replay().sample(), std::int64_t(document().currentPlan()->timeline->op.size()) - 1);
        document().removePlan(document().currentPlan()->id);
        while (!document().plans().empty())
            document().removePlan(document().plans().front()->id);
        QVERIFY(!command("stepPlay")->isEnabled());
        QVERIFY(player()->story().contains(QStringLiteral("No plan yet")));
    }

    void jumpsGoToTheNext()
    {
        command("stepPlayer")->trigger();
        const PlanEntry &plan = *document().currentPlan();
        const MemoryTimeline &line = *plan.timeline;
        std::int64_t at = -1;
        int again = 0;
        for (std::size_t i = 0; i < line.op.size(); ++i) {
            if (line.recompute[i] == 0) continue;
            click("strip.stepNextAgain");
            QCOMPARE(replay().sample(), std::int64_t(i));
            at = std::int64_t(i);
            ++again;
        }
        QVERIFY(again > 1);
        click("strip.stepNextAgain"); // there is none after the last
        QCOMPARE(replay().sample(), at);
        command("stepLastAgain")->trigger();
        QCOMPARE(replay().sample(), nextGoal(line, plan.plan->steps, StepGoal::Recomputation, at, -1));
        click("strip.stepNextFree");
        const auto after = static_cast<std::size_t>(line.step[static_cast<std::size_t>(replay().sample())]) + 1;
        QVERIFY(plan.plan->steps[after].kind == StepKind::Free);
        const auto before = replay().sample();
        command("stepLastFree")->trigger();
        QVERIFY(replay().sample() < before);
        click("strip.stepPeak");
        QCOMPARE(replay().sample(), std::int64_t(line.peakSample));
        QVERIFY(player()->story().endsWith(QStringLiteral("This is the peak.")));
        replay().go(std::int64_t(line.op.size()) - 1); // found from behind, too
        QTest::keyClick(m_window.get(), Qt::Key_P, Qt::AltModifier | Qt::ShiftModifier);
        QCOMPARE(replay().sample(), std::int64_t(line.peakSample));
    }

    void aLoopGoesRoundAndRound()
    {
        command("stepPlayer")->trigger();
        auto *slider = m_window->findChild<QSlider *>(QStringLiteral("stepSlider"));
        QVERIFY(!command("stepLoopEnd")->isEnabled());
        replay().go(4);
        click("strip.stepLoopFrom");
        QCOMPARE(replay().loop(), (Replay::Loop{4, std::int64_t(document().currentPlan()->timeline->op.size()) - 1}));
        replay().go(7);
        click("strip.stepLoopTo");
        QCOMPARE(replay().loop(), (Replay::Loop{4, 7}));
        QVERIFY2(slider->accessibleDescription().contains(QStringLiteral("from computation 4 to 7")),
                 qPrintable(slider->accessibleDescription()));
        replay().go(20); // outside: playing begins where the loop does
        replay().setStepsPerSecond(10);
        replay().play();
        QCOMPARE(replay().sample(), 4);
        QList<std::int64_t> seen;
        for (int i = 0; i < 9; ++i) {
            replay().advance(0.1001);
            seen << replay().sample();
        }
        QCOMPARE(seen, (QList<std::int64_t>{5, 6, 7, 4, 5, 6, 7, 4, 5}));
        QVERIFY(replay().playing());
        replay().pause();
        replay().go(2);
        click("strip.stepLoopTo"); // before its start: one computation
        QCOMPARE(replay().loop(), (Replay::Loop{2, 2}));
        click("strip.stepLoopEnd");
        QVERIFY(!replay().loop() && slider->accessibleDescription().isEmpty());
    }

    /// Graph, memory over time and what is held show the same computation, at every step.
    void allViewsMoveTogether()
    {
        command("stepPlayer")->trigger();
        const CostedModel &model = *document().model();
        const MemoryTimeline &line = *document().currentPlan()->timeline;
        GraphView &graph = *m_window->workspace()->graph();
        graph.expandAll();
        QTRY_VERIFY(m_window->idle());
        auto *canvas = m_window->findChild<MemoryCanvas *>();
        QVERIFY(canvas && canvas->isVisible());
        for (std::size_t i = 0; i < line.op.size(); ++i) {
            click("strip.stepForward");
            QCOMPARE(replay().sample(), std::int64_t(i));
            QCOMPARE(canvas->scene().readoutSample(), i);
            QCOMPARE(readoutOf(canvas->scene()).bytes, bytesText(line.totalBytes[i], Rounding::Up));
            // What is held there is outlined in the graph, the op that runs with it.
            const GraphScene &scene = graph.scene();
            std::set<int> held;
            for (const LiveRange &range : aliveAt(model.graph(), line, i)) {
                const OpId maker = model.graph().storage(range.storage).producer;
                const int item = itemOf(scene, maker);
                if (item >= 0 && scene.picture.item(item).shape != ItemShape::Frame) held.insert(item);
            }
            QCOMPARE(scene.marks.live, std::vector<int>(held.begin(), held.end()));
            const int running = itemOf(scene, line.op[i]);
            QVERIFY(running < 0 || scene.picture.item(running).shape == ItemShape::Frame || held.count(running) == 1);
        }
    }

    void storiesSayWhatAndWhy()
    {
        const CostedModel &model = *document().model();
        const PlanEntry &plan = *document().currentPlan();
        const MemoryTimeline &line = *plan.timeline;
        const OpLabels labels(model.graph());
        int again = 0, frees = 0;
        for (std::size_t i = 0; i < line.op.size(); ++i) {
            const QString story = stepStory(model, plan, labels, i);
            QCOMPARE(story.startsWith(QStringLiteral("Computed again because ")), line.recompute[i] != 0);
            again += line.recompute[i];
            if (line.recompute[i] != 0) {
                // In a chain f_i is read by f_(i+1) when a segment is run again, or by its own backward op.
                const OpId op = line.op[i];
                const OpId next = i + 1 < line.op.size() ? line.op[i + 1] : OpId();
                const auto &reads = model.graph().op(next).inputs;
                QVERIFY(std::find(reads.begin(), reads.end(), model.graph().op(op).outputs.front()) != reads.end());
                QVERIFY2(
                    story.contains(QStringLiteral("because %1 reads %2 next; kept, it would have cost 1.00 MiB over ")
                                       .arg(labels.op(model.graph(), next), labels.op(model.graph(), op))),
                    qPrintable(story));
            } else {
                QVERIFY2(story.startsWith(QStringLiteral("Computes ")), qPrintable(story));
            }
            const auto next = static_cast<std::size_t>(line.step[i]) + 1;
            const bool freesNow = next < plan.plan->steps.size() && plan.plan->steps[next].kind == StepKind::Free;
            QCOMPARE(story.contains(QStringLiteral(" Frees ")), freesNow);
            frees += freesNow;
            QCOMPARE(story.contains(QStringLiteral("This is the peak.")), i == line.peakSample);
        }
        QVERIFY(again > 0 && frees > 0);
    }

    void aClickOnTheStepSliderJumps()
    {
        command("preset.learn")->trigger();
        QTRY_VERIFY(m_window->idle() && document().currentPlan());
        auto *slider = m_window->findChild<QSlider *>(QStringLiteral("stepSlider"));
        QTRY_VERIFY(slider && slider->isVisible() && slider->maximum() > 10);
        QTest::mouseClick(slider, Qt::LeftButton, {}, QPoint(slider->width() * 3 / 4, slider->height() / 2));
        const double share = static_cast<double>(slider->value()) / slider->maximum();
        QVERIFY2(std::abs(share - 0.75) < 0.08, qPrintable(QString::number(share)));
    }
};

QTEST_MAIN(TestStepPlayer)
#include "tst_step_player.moc"
