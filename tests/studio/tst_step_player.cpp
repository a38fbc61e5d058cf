// The step player, in the real window.
#include "core/base/expected.h"

#include "app/studio/base/widgets/segmented_control.h"
#include "app/studio/shell/features/step_player.h"
#include "app/studio/shell/features/step_story.h"
#include "tests/studio/window_test.h"

#include <QAbstractButton>
#include <QSlider>

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
    void initTestCase() { Theme::instance().apply(); }

    void init()
    {
        QSettings().clear();
        openWindow();
        openChain(12);
        document().addPlan(fixture::solvedEntry(*document().model(), "chen-sqrt",
                                                document().model()->keepAll->peakBytes * 6 / 10,
                                                document().nextPlanId()));
    }
    void cleanup() { m_window.reset(); }

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

    void storiesSayWhenAndWhatWasDropped()
    {
        const CostedModel &model = *document().model();
        const PlanEntry &plan = *document().currentPlan();
        const MemoryTimeline &line = *plan.timeline;
        const OpLabels labels(model.graph());
        int again = 0, frees = 0;
        for (std::size_t i = 0; i < line.op.size(); ++i) {
            const QString story = stepStory(model, plan, labels, i);
            QCOMPARE(story.contains(QStringLiteral("again: it was dropped at step ")), line.recompute[i] != 0);
            again += line.recompute[i];
            if (line.recompute[i] != 0) {
                // In a chain f_i is read by f_(i+1) when a segment is run again, or by its own backward op.
                const OpId op = line.op[i];
                const OpId next = i + 1 < line.op.size() ? line.op[i + 1] : OpId();
                const auto &reads = model.graph().op(next).inputs;
                QVERIFY(std::find(reads.begin(), reads.end(), model.graph().op(op).outputs.front()) != reads.end());
                QVERIFY2(story.contains(labels.op(model.graph(), next) + QStringLiteral(" reads it next.")),
                         qPrintable(story));
                QVERIFY2(story.contains(QStringLiteral("Kept, it would have held 1.00 MiB for ")), qPrintable(story));
            }
            const auto next = static_cast<std::size_t>(line.step[i]) + 1;
            const bool freesNow = next < plan.plan->steps.size() && plan.plan->steps[next].kind == StepKind::Free;
            QCOMPARE(story.contains(QStringLiteral("Then frees ")), freesNow);
            frees += freesNow;
            QCOMPARE(story.contains(QStringLiteral("This is the peak.")), i == line.peakSample);
        }
        QVERIFY(again > 0 && frees > 0);
    }
};

QTEST_MAIN(TestStepPlayer)
#include "tst_step_player.moc"
