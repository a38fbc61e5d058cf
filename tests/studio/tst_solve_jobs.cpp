// SPDX-License-Identifier: Apache-2.0
// The queue of solves and its view.
#include "app/studio/views/solves/jobs_view.h"
#include "tests/studio/window_fixture.h"

using namespace remat;
using namespace remat::studio;

class TestSolveJobs : public QObject
{
    Q_OBJECT

    using State = SolveReport::State;

    fixture::OwnSettings m_settings;
    QTemporaryDir m_folder;
    std::shared_ptr<const CostedModel> m_model;

    /// Takes as long as it may.
    static SolveSettings longSolve(double seconds = 20)
    {
        SolveSettings settings;
        settings.planner = std::string("search");
        settings.options["moves"] = "1000000";
        settings.options["reheats"] = "1000";
        settings.timeLimitSeconds = seconds;
        return settings;
    }
    static SolveSettings quickSolve(const char *planner = "chen-sqrt")
    {
        SolveSettings settings;
        settings.planner = planner;
        return settings;
    }
    void fill(Document &document)
    {
        document.setModel(m_model);
        document.setBudget(m_model->keepAll->peakBytes * 4 / 10);
    }
    static State stateOf(const SolveRunner &runner, std::size_t at) { return runner.jobs()[at]->report().state; }

private Q_SLOTS:
    void initTestCase() { m_model = fixture::openChain(fixture::writeChain(m_folder, 36)); }

    void oneAfterTheOther()
    {
        Document document;
        fill(document);
        SolveRunner runner(document);
        runner.solve(quickSolve("chen-sqrt"));
        runner.solve(quickSolve("keep-all"));
        runner.solve(quickSolve("rotor"));
        QCOMPARE(runner.jobs().size(), std::size_t(3));
        QVERIFY(stateOf(runner, 0) == State::Running);
        QVERIFY(stateOf(runner, 1) == State::Waiting && stateOf(runner, 2) == State::Waiting);
        QCOMPARE(runner.waiting(), 2);
        QTRY_VERIFY(!runner.running());
        QVERIFY(stateOf(runner, 0) == State::Done);
        QVERIFY(stateOf(runner, 1) == State::Infeasible); // keep-all does not fit
        QVERIFY(stateOf(runner, 2) == State::Done);
        QCOMPARE(document.plans().size(), std::size_t(2));
        QCOMPARE(document.currentPlan()->plan->origin.solver, std::string("rotor"));
    }

    void eachHasItsOwnBudget()
    {
        Document document;
        fill(document);
        SolveRunner runner(document);
        runner.solve(quickSolve());
        document.setBudget(m_model->keepAll->peakBytes * 8 / 10);
        runner.solve(quickSolve());
        QCOMPARE(runner.jobs().size(), std::size_t(2));
        QTRY_VERIFY(!runner.running());
        for (const auto &job : runner.jobs()) {
            const auto plan = std::find_if(document.plans().begin(), document.plans().end(),
                                           [&](const auto &entry) { return entry->id == job->planId(); });
            QVERIFY(plan != document.plans().end());
            QCOMPARE((*plan)->plan->budgetBytes, job->report().budgetBytes);
        }
        QCOMPARE(document.currentPlan()->plan->budgetBytes, document.budgetBytes());
    }

    void theSameIsAskedOnce()
    {
        Document document;
        fill(document);
        SolveRunner runner(document);
        runner.solve(longSolve());
        runner.solve(longSolve());
        QCOMPARE(runner.jobs().size(), std::size_t(1));
        runner.solve(quickSolve());
        runner.solve(quickSolve());
        QCOMPARE(runner.jobs().size(), std::size_t(2));
        Pins pins;
        pins.never = {OpId(3)};
        document.setPins(pins);
        runner.solve(quickSolve());
        QCOMPARE(runner.jobs().size(), std::size_t(3));
        runner.stop();
        QTRY_VERIFY(!runner.running());
        QVERIFY(stateOf(runner, 0) == State::Stopped);
    }

    void whatIsProvenIsNotSolvedAgain()
    {
        Document document;
        fill(document);
        document.setBudget(m_model->keepAll->peakBytes);
        SolveRunner runner(document);
        runner.solve(quickSolve("keep-all"));
        QTRY_VERIFY(!runner.running());
        QVERIFY(runner.report().optimal);
        QSignalSpy wanted(&runner, &SolveRunner::planWanted);
        runner.solve(quickSolve("keep-all"));
        QCOMPARE(runner.jobs().size(), std::size_t(1));
        QCOMPARE(wanted.count(), 1);
        QCOMPARE(wanted.front().front().toInt(), runner.jobs().front()->planId());
    }

    void stopMoveAndRemove()
    {
        Document document;
        fill(document);
        SolveRunner runner(document);
        const std::int64_t budget = document.budgetBytes();
        document.setBudget(m_model->keepAll->peakBytes * 15 / 100); // far from what is proven, so that it goes on
        runner.solve(longSolve());
        document.setBudget(budget);
        runner.solve(quickSolve("chen-sqrt"));
        runner.solve(quickSolve("rotor"));
        const int running = runner.jobs()[0]->id(), first = runner.jobs()[1]->id(), second = runner.jobs()[2]->id();
        QVERIFY(!runner.canMove(running, 1) && !runner.canMove(first, -1) && runner.canMove(first, 1));
        runner.move(second, -1);
        QCOMPARE(runner.jobs()[1]->id(), second);
        runner.remove(running); // it runs: stop it first
        QCOMPARE(runner.jobs().size(), std::size_t(3));
        runner.remove(first);
        QCOMPARE(runner.jobs().size(), std::size_t(2));
        QTRY_VERIFY(document.currentPlan()); // there is a plan to keep
        runner.stop(running);
        QTRY_VERIFY(!runner.running());
        QVERIFY(stateOf(runner, 0) == State::Stopped);
        QVERIFY(stateOf(runner, 1) == State::Done);
        QCOMPARE(document.plans().size(), std::size_t(2));
        runner.removeEnded();
        QVERIFY(runner.jobs().empty());
        QCOMPARE(document.plans().size(), std::size_t(2)); // plans stay
    }

    void twoAtOnce()
    {
        Document document;
        fill(document);
        SolveRunner runner(document);
        runner.solve(longSolve());
        SolveSettings other = longSolve();
        other.options["moves"] = "999999";
        runner.solve(other);
        QVERIFY(stateOf(runner, 1) == State::Waiting);
        runner.setAtOnce(2);
        QVERIFY(stateOf(runner, 0) == State::Running && stateOf(runner, 1) == State::Running);
        runner.reset();
        QVERIFY(!runner.running() && runner.jobs().empty());
    }

    void theViewShowsAndCommands()
    {
        Document document;
        fill(document);
        SolveRunner runner(document);
        JobsView view(&document, &runner);
        view.resize(1100, 300);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        QAbstractItemModelTester tester(view.table()->model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        const auto button = [&](const char *name) {
            return view.findChild<QAbstractButton *>(QString::fromLatin1(name));
        };
        QVERIFY(view.findChild<QWidget *>(QStringLiteral("jobsEmpty"))->isVisible());
        runner.solve(longSolve());
        runner.solve(quickSolve("chen-sqrt"));
        runner.solve(quickSolve("rotor"));
        QCOMPARE(view.table()->model()->rowCount(), 3);
        QVERIFY(button("jobStop")->isEnabled() && !button("jobRemove")->isEnabled());
        const auto choose = [&](int row) {
            QTest::mouseClick(view.table()->viewport(), Qt::LeftButton, {},
                              view.table()->visualRect(view.table()->model()->index(row, 0)).center());
        };
        choose(2);
        QVERIFY(button("jobUp")->isEnabled() && !button("jobDown")->isEnabled());
        const int last = runner.jobs()[2]->id();
        QTest::mouseClick(button("jobUp"), Qt::LeftButton);
        QCOMPARE(runner.jobs()[1]->id(), last);
        QTest::mouseClick(button("jobRemove"), Qt::LeftButton);
        QCOMPARE(view.table()->model()->rowCount(), 2);
        choose(0);
        QTest::mouseClick(button("jobStop"), Qt::LeftButton);
        QTRY_VERIFY(!runner.running());
        QTest::mouseClick(button("jobRemoveEnded"), Qt::LeftButton);
        QCOMPARE(view.table()->model()->rowCount(), 0);
    }

    void pictures_data() { fixture::lookRows({{"", {1270, 300}}, {"_small", {960, 240}}}); }
    void pictures()
    {
        const fixture::RowLook look;
        QFETCH(QSize, size);
        Document document;
        fill(document);
        SolveRunner runner(document);
        // What never starts has no times that change from run to run.
        document.setBudget(m_model->floor.bytes / 2);
        runner.solve(quickSolve("rotor"));
        runner.solve(quickSolve("hiremate"));
        SolveSettings wrong = quickSolve("auto");
        wrong.options["effort"] = "none";
        runner.solve(wrong);
        JobsView view(&document, &runner);
        view.resize(size);
        fixture::looksAsItDid(view, "jobs");
    }
};

QTEST_MAIN(TestSolveJobs)
#include "tst_solve_jobs.moc"
