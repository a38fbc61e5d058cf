// SPDX-License-Identifier: Apache-2.0
// A model opened with the updates of an optimizer in its step: beside the one without, planned, and shown.
#include "app/studio/base/widgets/message_strip.h"
#include "app/studio/shell/workspace/workspace.h"
#include "app/studio/views/lanes/lanes_scene.h"
#include "app/studio/views/memory/memory_view.h"
#include "app/studio/work/pages/model_pages.h"
#include "core/plan/simulator.h"
#include "gpu/runtime.h"
#include "tests/studio/window_test.h"
#include "tests/support/torch.h"

using namespace remat;
using namespace remat::studio;

class TestStepUpdates : public QObject, fixture::InWindow
{
    Q_OBJECT

    const Graph &graph() { return document().model()->graph(); }
    bool holds(const char *optimizer, bool onHost)
    {
        const auto model = document().model();
        return model && m_window->idle() && model->open->updates.optimizer == optimizer &&
               model->open->updates.onHost == onHost;
    }
    void choose(const char *id)
    {
        QVERIFY2(command(id) && command(id)->isEnabled(), id);
        command(id)->trigger();
    }
    /// A plan that moves weights, as the window keeps it.
    void addPagedPlan()
    {
        const Expected<const Planner *> planner = findPlanner("offload-greedy-star");
        QVERIFY(planner);
        SolveRequest request;
        request.graph = &graph();
        request.costs = document().model()->costs.get();
        request.options = *makeOptions((*planner)->info.options, {{"parameters", "on"}});
        const Graph planned = withPlannedParameters(graph());
        const auto all = simulate(planned, *request.costs, keepAllPlan(planned).steps);
        QVERIFY(all);
        Expected<SolveOutcome> outcome = tl::unexpected(Error{"not solved"});
        for (int percent = 60; percent < 100 && (!outcome || !outcome->plan); percent += 10) {
            request.budgetBytes = all->peakBytes * percent / 100;
            outcome = solve(**planner, request, {});
        }
        QVERIFY2(outcome && outcome->plan, "no plan");
        auto entry = makePlanEntry(*document().model(), std::make_shared<const Plan>(*outcome->plan),
                                   document().nextPlanId(), "Greedy*", false);
        QVERIFY2(entry, entry ? "" : entry.error().message.c_str());
        document().addPlan(*entry);
    }
    std::int64_t simulatedKeepAll(const Graph &of)
    {
        const auto simulated = simulate(of, *document().model()->costs, keepAllPlan(of).steps);
        return simulated ? simulated->peakBytes : 0;
    }
    bool legendHas(Category category)
    {
        const std::vector<Category> legend = m_window->workspace()->memory()->canvas()->scene().legend();
        return std::find(legend.begin(), legend.end(), category) != legend.end();
    }
    std::vector<Lane> lanes()
    {
        const LanesScene scene(document().model(), document().currentPlan(), document().time().axes(), AxisKind::Time);
        std::vector<Lane> found;
        for (const LaneRow &row : scene.rows())
            found.push_back(row.lane);
        return found;
    }
    /// For people, in REMAT_LOOK=1.
    void leavePicture(const char *name)
    {
        if (!qEnvironmentVariableIsSet("REMAT_LOOK")) return;
        QTest::qWait(300); // until all is laid out
        m_window->grab().save(QStringLiteral("step_updates_%1.png").arg(QLatin1String(name)));
    }
    QString figure() { return m_window->findChild<QLabel *>(QStringLiteral("figure.trained"))->text(); }
    bool figureShown() { return m_window->findChild<QLabel *>(QStringLiteral("figure.trained"))->isVisible(); }

private Q_SLOTS:
    void init()
    {
        openFresh();
        m_window->openFile(QStringLiteral(REMAT_SAMPLES "/tiny_gpt2.pt2"));
        QTRY_VERIFY(document().model() && m_window->idle() && document().currentPlan());
    }

    void opensBesideTheOther()
    {
        QVERIFY(command("updates.none")->isChecked() && !command("updates.onHost")->isEnabled());
        QVERIFY(!figureShown());
        const std::string traced = graph().fingerprint;
        choose("updates.adamw");
        QTRY_VERIFY(holds("adamw", false));
        QVERIFY(graph().fingerprint != traced);
        QCOMPARE(m_window->pages().tabs().size(), std::size_t(2));
        QVERIFY2(m_window->session().loader.modelTitle().endsWith(QStringLiteral(" + AdamW")),
                 qPrintable(m_window->session().loader.modelTitle()));
        QVERIFY(command("updates.adamw")->isChecked() && !command("updates.none")->isChecked());
        QVERIFY(command("validate")->isEnabled()); // the trace runs, with its updates

        // The same once more is nothing new; the trace without them is still there.
        choose("updates.adamw");
        QVERIFY(m_window->idle() && holds("adamw", false));
        choose("updates.none");
        QTRY_VERIFY(holds("", false));
        QCOMPARE(graph().fingerprint, traced);
        QCOMPARE(m_window->pages().tabs().size(), std::size_t(2));
    }

    void weightsAndStatesAreSeen()
    {
        choose("updates.adamw");
        QTRY_VERIFY(holds("adamw", false) && document().currentPlan());
        QVERIFY(figureShown());
        QVERIFY2(figure().contains(QLatin1String(" + ")), qPrintable(figure()));
        QVERIFY(!legendHas(Category::Weights) && !legendHas(Category::States)); // resident: in no peak
        addPagedPlan();
        QVERIFY(legendHas(Category::Weights) && legendHas(Category::States));
        const MemoryTimeline &line = *document().currentPlan()->timeline;
        std::int64_t states = 0;
        for (const std::int64_t bytes : line.bytes[static_cast<std::size_t>(Category::States)])
            states = std::max(states, bytes);
        QVERIFY(states > 0);
        leavePicture("device");
        QCOMPARE(lanes(), (std::vector<Lane>{Lane::Compute, Lane::Recompute, Lane::CopyIn, Lane::CopyOut}));
    }

    void theHostHasALane()
    {
        choose("updates.momentum");
        QTRY_VERIFY(holds("momentum", false));
        choose("updates.onHost");
        QTRY_VERIFY(holds("momentum", true));
        QVERIFY(command("updates.onHost")->isChecked());
        addPagedPlan();
        QCOMPARE(lanes().back(), Lane::Host);
        const PlanLanes found =
            planLanes(*document().model(), *document().currentPlan()->timeline, document().currentPlan()->plan.get());
        std::size_t updates = 0;
        for (const Op &op : graph().ops)
            updates += op.onHost ? 1 : 0;
        QVERIFY(updates > 0);
        QCOMPARE(found.of(Lane::Host).size(), updates);
        for (const LaneEvent &event : found.of(Lane::Host))
            QVERIFY(graph().op(event.op).onHost && event.toUs > event.fromUs);
        QVERIFY(!legendHas(Category::States)); // they stay on the host
        leavePicture("host");
    }

    /// The line behind the stack counts what the plan counts.
    void keepAllCountsWeightsWhereThePlanDoes()
    {
        choose("updates.adamw");
        QTRY_VERIFY(holds("adamw", false) && document().currentPlan());
        const auto scene = [&]() -> const MemoryScene & { return m_window->workspace()->memory()->canvas()->scene(); };
        const std::int64_t without = simulatedKeepAll(graph());
        QVERIFY(!scene().countsWeights());
        QCOMPARE(scene().keepAll().peakBytes, without);
        addPagedPlan();
        QVERIFY(scene().countsWeights());
        const std::int64_t with = simulatedKeepAll(withPlannedParameters(graph()));
        QVERIFY(with > without);
        QCOMPARE(scene().keepAll().peakBytes, with);
        QVERIFY(scene().keepAll().peakBytes >= document().currentPlan()->timeline->peakBytes);
        // Budgets are shares of what they were shares of.
        QCOMPARE(scene().wholeBytes(), without);
    }

    void aPlanThatPagesWeightsRuns()
    {
        if (!runtimeInfo().available) REMAT_NO_TORCH(runtimeInfo().sentence.c_str());
        choose("updates.adamw");
        QTRY_VERIFY(holds("adamw", false) && document().currentPlan());
        addPagedPlan();
        choose("validate");
        const PlanRunner &runner = m_window->session().runner;
        QVERIFY(runner.validating());
        QTRY_VERIFY(!runner.validating());
        const auto plan = document().currentPlan()->plan;
        QVERIFY(plan->parametersPlanned);
        QVERIFY2(plan->validated, qPrintable(m_window->messages()->sentence()));
        const ValidationRecord &run = *plan->validated;
        QVERIFY2(run.passed && run.lossEqual && run.differences.empty(), run.sentence.c_str());
        // Each parameter, and two states of each and the count of steps.
        QVERIFY(run.updated > 0);
        QCOMPARE(run.updatedEqual, run.updated);
    }

    void plansOfSuchStepsGoToFilesAndComeBack()
    {
        choose("updates.adamw");
        QTRY_VERIFY(holds("adamw", false) && document().currentPlan());
        addPagedPlan();
        const std::vector<Step> steps = document().currentPlan()->plan->steps;
        const std::string fingerprint = graph().fingerprint;
        const QString file = m_folder.filePath(QStringLiteral("paged.json"));
        m_window->savePlanTo(file);
        QTRY_VERIFY(m_window->idle() && QFileInfo::exists(file));
        document().removePlan(document().currentPlan()->id);
        const std::size_t before = document().plans().size();
        m_window->openFile(file);
        QTRY_COMPARE(document().plans().size(), before + 1);
        QTRY_VERIFY(m_window->idle());
        QVERIFY(document().currentPlan()->plan->steps == steps);
        QVERIFY(document().currentPlan()->plan->parametersPlanned);
        QVERIFY(document().currentPlan()->check && document().currentPlan()->check->ok);
        QVERIFY(m_window->workspace()->memory()->canvas()->scene().countsWeights());

        // It is for the model with updates: from the one without, the window goes there.
        choose("updates.none");
        QTRY_VERIFY(holds("", false));
        m_window->openFile(file);
        QTRY_VERIFY(holds("adamw", false));
        QCOMPARE(graph().fingerprint, fingerprint);
        QTRY_VERIFY(document().currentPlan() && document().currentPlan()->plan->steps == steps);
    }

    /// Sessions know the file and the graph; what the step holds follows from both.
    void sessionsComeBackWithThem()
    {
        choose("updates.sgd");
        QTRY_VERIFY(holds("sgd", false) && document().currentPlan());
        const std::string fingerprint = graph().fingerprint;
        const QString file = m_folder.filePath(QStringLiteral("one.remat"));
        m_window->saveSessionTo(file);
        QTRY_VERIFY(m_window->idle() && QFileInfo::exists(file));
        m_window.reset();
        openWindow();
        m_window->openFile(file);
        QTRY_VERIFY(holds("sgd", false));
        QCOMPARE(graph().fingerprint, fingerprint);
    }
};

QTEST_MAIN(TestStepUpdates)
#include "tst_step_updates.moc"
