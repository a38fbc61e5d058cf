// SPDX-License-Identifier: Apache-2.0
#include "app/studio/base/text/op_labels.h"
#include "app/studio/work/jobs/job_tracker.h"
#include "app/studio/work/jobs/model_loader.h"
#include "app/studio/work/jobs/plan_runner.h"
#include "app/studio/work/jobs/planner_titles.h"
#include "app/studio/work/jobs/quick_planner.h"
#include "app/studio/work/jobs/samples.h"
#include "app/studio/work/jobs/solve_runner.h"
#include "tests/studio/window_fixture.h"
#include "tests/support/written.h"

#include <atomic>
#include <thread>

using namespace remat;
using namespace remat::studio;

class TestJobs : public QObject
{
    Q_OBJECT

    fixture::OwnSettings m_settings;
    QTemporaryDir m_folder;
    QThreadPool m_pool;

private Q_SLOTS:
    void newestJobWins()
    {
        JobTracker tracker(m_pool);
        QStringList delivered;
        std::atomic<bool> firstStopped{false};
        std::atomic<bool> firstRuns{false};
        tracker.start(
            [&](const Job &job) {
                firstRuns = true;
                while (!job.stop().stopRequested())
                    std::this_thread::yield();
                firstStopped = true;
                job.post([&] { delivered << QStringLiteral("stale message"); });
                return QStringLiteral("stale");
            },
            [&](const QString &text) { delivered << text; });
        QTRY_VERIFY(firstRuns.load());
        tracker.start([](const Job &) { return QStringLiteral("new"); },
                      [&](const QString &text) { delivered << text; });
        QVERIFY(tracker.running());
        QTRY_VERIFY(!tracker.running());
        QTRY_VERIFY(firstStopped.load());
        QTest::qWait(20);
        QCOMPARE(delivered, QStringList{QStringLiteral("new")});
    }

    void cancelDropsStopDelivers()
    {
        JobTracker tracker(m_pool);
        int delivered = 0;
        const auto untilStopped = [](const Job &job) {
            while (!job.stop().stopRequested())
                std::this_thread::yield();
            return 1;
        };
        tracker.start(untilStopped, [&](int) { ++delivered; });
        tracker.cancel();
        QVERIFY(!tracker.running());
        QTest::qWait(30);
        QCOMPARE(delivered, 0);
        tracker.start(untilStopped, [&](int) { ++delivered; });
        tracker.stop();
        QTRY_COMPARE(delivered, 1);
    }

    void opensAndKeepsTheModelWhenTheNextIsBroken()
    {
        Document document;
        ModelLoader loader(document, m_pool);
        QSignalSpy opened(&loader, &ModelLoader::opened);
        QSignalSpy failed(&loader, &ModelLoader::failed);
        loader.open(fixture::writeChain(m_folder, 9));
        QTRY_COMPARE(opened.count(), 1);
        QCOMPARE(document.model()->graph().ops.size(), std::size_t(19));
        QCOMPARE(loader.modelTitle(), QStringLiteral("chain"));

        const QString broken =
            test::written(m_folder.filePath(QStringLiteral("broken.pt2")), "PK\3\4 and then nothing of use");
        loader.open(broken);
        QTRY_COMPARE(failed.count(), 1);
        const auto notice = failed.front().front().value<Notice>();
        QVERIFY2(notice.sentence.contains(QStringLiteral("broken.pt2")), qPrintable(notice.sentence));
        QCOMPARE(document.model()->graph().ops.size(), std::size_t(19));
    }

    void otherCostsKeepPlansWithNewFigures()
    {
        Document document;
        ModelLoader loader(document, m_pool);
        if (loader.devices().size() < 2) QFAIL(qPrintable(loader.deviceError()));
        const auto sample = remat::test::loadSample("tiny_gpt2");
        if (!sample) QFAIL(sample.error().message.c_str());
        QSignalSpy opened(&loader, &ModelLoader::opened);
        loader.open(QString::fromStdString(sample->path.string()));
        QTRY_COMPARE(opened.count(), 1);
        document.addPlan(fixture::solvedEntry(*document.model(), "keep-all", document.model()->keepAll->peakBytes,
                                              document.nextPlanId()));
        const double before = document.currentPlan()->timeline->timeUs;
        const std::int64_t budget = document.budgetBytes();
        QSignalSpy changed(&loader, &ModelLoader::costChoiceChanged);
        loader.useDevice(QString::fromStdString(loader.devices().back().name));
        QTRY_VERIFY(changed.count() > 0);
        QCOMPARE(document.plans().size(), 1U);
        QVERIFY(document.currentPlan()->timeline->timeUs != before);
        QCOMPARE(document.currentPlan()->plan->costSource, document.model()->costs->source);
        QVERIFY(verdictOf(*document.currentPlan(), 0).level == VerdictLevel::Ok);
        QCOMPARE(document.budgetBytes(), budget);
    }

    void solvesWithinTheBudget()
    {
        Document document;
        document.setModel(fixture::openChain(fixture::writeChain(m_folder, 16)));
        SolveRunner runner(document);
        SolveSettings settings;
        settings.planner = std::string("hiremate");
        settings.timeLimitSeconds = 20;
        runner.solve(settings);
        QVERIFY(runner.running());
        QTRY_VERIFY(!runner.running());
        QVERIFY2(runner.report().state == SolveReport::State::Done, qPrintable(runner.report().sentence));
        QVERIFY(document.currentPlan());
        QVERIFY(verdictOf(*document.currentPlan(), 0).level == VerdictLevel::Ok);
        QVERIFY(document.currentPlan()->timeline->peakBytes <= document.budgetBytes());
        QVERIFY(!runner.report().samples.empty());
    }

    void plannersAreCalledAsTheListCallsThem()
    {
        QCOMPARE(withPlannerTitles("No plan fits; raise it. Take checkmate or hiremate, or raise the budget."),
                 QStringLiteral("No plan fits; raise it. Take %1 or HiRemate, or raise the budget.")
                     .arg(toQString((*findPlanner("checkmate"))->info.title)));
        QCOMPARE(withPlannerTitles("Nothing to search or to keep."), QStringLiteral("Nothing to search or to keep."));
        Document document;
        document.setModel(fixture::openChain(fixture::writeChain(m_folder, 16)));
        document.setBudget(document.model()->floor.bytes);
        SolveRunner runner(document);
        SolveSettings settings;
        settings.planner = std::string("chen-sqrt");
        runner.solve(settings);
        QTRY_VERIFY(runner.report().ended());
        QVERIFY2(runner.report().sentence.contains(QStringLiteral("Take HiRemate")),
                 qPrintable(runner.report().sentence));
    }

    void underTheFloorSaysWhichOp()
    {
        Document document;
        document.setModel(fixture::openChain(fixture::writeChain(m_folder, 16)));
        document.setBudget(document.model()->floor.bytes - 1);
        SolveRunner runner(document);
        SolveSettings settings;
        settings.planner = std::string("hiremate");
        runner.solve(settings);
        QVERIFY(runner.report().state == SolveReport::State::Infeasible);
        const Graph &graph = document.model()->graph();
        const QString op = OpLabels(graph).op(graph, document.model()->floor.op); // as the drawn graph calls it
        QVERIFY2(runner.report().sentence.contains(op), qPrintable(runner.report().sentence));
        QVERIFY(runner.report().bindingOp == document.model()->floor.op);
    }

    void unknownOptionIsASentence()
    {
        Document document;
        document.setModel(fixture::openChain(fixture::writeChain(m_folder, 5)));
        SolveRunner runner(document);
        SolveSettings settings;
        settings.planner = std::string("keep-all");
        settings.options.emplace("no-such", "1");
        runner.solve(settings);
        QVERIFY(runner.report().state == SolveReport::State::Failed);
        QVERIFY(runner.report().sentence.contains(QStringLiteral("no-such")));
    }

    void quickPlansOnlyThatFit()
    {
        Document document;
        const auto model = fixture::openChain(fixture::writeChain(m_folder, 36));
        document.setModel(model);
        BoundRunner bound(document, m_pool);
        QuickPlanner quick(document, bound, m_pool);
        document.setBudget(model->keepAll->peakBytes);
        quick.refresh();
        QTRY_VERIFY(document.currentPlan() && !quick.running());
        QCOMPARE(document.currentPlan()->plan->origin.solver, std::string("keep-all"));
        QVERIFY(document.currentPlan()->quick);

        document.setBudget(model->keepAll->peakBytes / 2);
        quick.refresh();
        QTRY_VERIFY(!quick.running());
        QVERIFY(document.currentPlan()->timeline->peakBytes <= document.budgetBytes());
        QTRY_VERIFY(!quick.proving());
        // With the bound of just this budget beside it.
        const Prediction &predicted = document.currentPlan()->plan->predicted;
        const TimeBound proven = bestTimeBound(model->graph(), *model->costs, document.budgetBytes());
        QVERIFY(proven.timeUs > model->keepAllTimeUs);
        QCOMPARE(predicted.lowerBoundTimeUs, proven.timeUs);
        QCOMPARE(predicted.lowerBoundCut, proven.cut);

        const auto shown = document.currentPlan();
        document.setBudget(model->floor.bytes / 2);
        quick.refresh();
        QTRY_VERIFY(!quick.running());
        QCOMPARE(document.currentPlan(), shown); // greyed by the views, but there
    }

    void quickPlanPrefersABetterOneOfTheList()
    {
        Document document;
        const auto model = fixture::openChain(fixture::writeChain(m_folder, 36));
        document.setModel(model);
        document.setBudget(model->keepAll->peakBytes * 6 / 10);
        document.addPlan(fixture::solvedEntry(*model, "hiremate", document.budgetBytes(), document.nextPlanId()));
        const int id = document.currentPlan()->id;
        BoundRunner bound(document, m_pool);
        QuickPlanner quick(document, bound, m_pool);
        document.setBudget(model->keepAll->peakBytes * 601 / 1000);
        quick.refresh();
        QTRY_VERIFY(!quick.running());
        QCOMPARE(document.currentPlan()->id, id);
    }

    void quickPlansFollowDecisions()
    {
        Document document;
        const auto model = fixture::openChain(fixture::writeChain(m_folder, 12));
        document.setModel(model);
        document.setBudget(model->keepAll->peakBytes);
        BoundRunner bound(document, m_pool);
        QuickPlanner quick(document, bound, m_pool);
        quick.refresh();
        QTRY_VERIFY(document.currentPlan() && !quick.running());
        const auto before = document.currentPlan();
        Pins pins;
        pins.recompute = {OpId(3)};
        document.setPins(pins);
        quick.refresh();
        QTRY_VERIFY(!quick.running());
        QVERIFY(document.currentPlan() != before);
        QVERIFY(!pinsViolated(model->graph(), document.currentPlan()->plan->steps, pins));
        // A plan of the list that is faster but does not follow them is passed over.
        document.addPlanBeside(fixture::solvedEntry(*model, "keep-all", document.budgetBytes(), document.nextPlanId()));
        quick.refresh();
        QTRY_VERIFY(!quick.running());
        QVERIFY(document.currentPlan()->recomputedOps[3]);
        QVERIFY(quick.whyNone().isEmpty());
    }

    void savesWhatTheCheckerAccepts()
    {
        Document document;
        document.setModel(fixture::openChain(fixture::writeChain(m_folder, 12)));
        const Graph &graph = document.model()->graph();
        document.addPlan(fixture::solvedEntry(*document.model(), "chen-sqrt", document.model()->keepAll->peakBytes, 1));
        PlanRunner runner(document, m_pool);
        QSignalSpy saved(&runner, &PlanRunner::saved);
        QSignalSpy failed(&runner, &PlanRunner::failed);
        const QString path = m_folder.filePath(QStringLiteral("plan.json"));
        runner.save(path);
        QTRY_COMPARE(saved.count(), 1);
        const auto plan = readPlan(path.toStdString(), graph);
        QVERIFY2(plan.has_value(), plan ? "" : plan.error().message.c_str());
        QVERIFY(checkPlan(graph, *document.model()->costs, *plan).ok);

        runner.save(m_folder.filePath(QStringLiteral("no/such/folder/plan.json")));
        QTRY_COMPARE(failed.count(), 1);
    }

    void previewsAreKept()
    {
        auto samples = readSamples();
        QVERIFY2(samples.has_value(), samples ? "" : samples.error().message.c_str());
        const auto tiny = std::find_if(samples->begin(), samples->end(), [](const Sample &s) { return s.tiny; });
        if (tiny == samples->end()) QFAIL("The samples are not there.");
        const auto device = findDevice("reference");
        QVERIFY(device.has_value());
        QVERIFY(!readCachedPreview(*tiny));
        const auto made = makePreview(*tiny, *device, StopToken());
        QVERIFY2(made.has_value(), made ? "" : made.error().message.c_str());
        QVERIFY(made->ops > 0 && made->peakBytes > 0);
        QCOMPARE(made->keepAll.size(), kPreviewColumns);
        QCOMPARE(*std::max_element(made->keepAll.begin(), made->keepAll.end()), made->peakBytes);
        cachePreview(*tiny, *made);
        const auto kept = readCachedPreview(*tiny);
        QVERIFY(kept.has_value());
        QCOMPARE(kept->keepAll, made->keepAll);
        QCOMPARE(kept->bands, made->bands);
        QCOMPARE(kept->budgetBytes, made->budgetBytes);
    }
};

QTEST_GUILESS_MAIN(TestJobs)
#include "tst_jobs.moc"
