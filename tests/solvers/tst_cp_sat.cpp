// SPDX-License-Identifier: Apache-2.0
// CP-SAT in a process of its own: what goes over the socket, and that nothing that happens to it reaches the program.
#include "core/base/child_process.h"
#include "solvers/cp/cp_sat.h"
#include "tests/support/patience.h"

#include <QtTest>

#include <thread>

using namespace remat;

namespace {

/// Two jobs of demand 2 and 3 and lengths 4 and 5 on a machine of 4: one after the other. Minimises when the last ends.
cp::CpModel twoJobs()
{
    cp::CpModel model;
    const int first = model.addVariable(0, 20), second = model.addVariable(0, 20), last = model.addVariable(0, 30, 1);
    model.told = 3;
    model.intervals.push_back({-1, {first, 1, 0}, {-1, 1, 4}, {first, 1, 4}, 2});
    model.intervals.push_back({-1, {second, 1, 0}, {-1, 1, 5}, {second, 1, 5}, 3});
    model.linear.push_back({{}, {{last, 1}, {first, -1}}, 4, cp::kMost});
    model.linear.push_back({{}, {{last, 1}, {second, -1}}, 5, cp::kMost});
    model.capacity = {-1, 1, 4};
    return model;
}

} // namespace

class TestCpSat : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;

    /// A shell script in place of the helper, with SAID in it replaced by a file of these frames.
    cp::Helper script(QByteArray text, const std::vector<std::string> &frames = {})
    {
        QFile said(m_folder.filePath(QStringLiteral("said")));
        if (!said.open(QIODevice::WriteOnly)) qFatal("no file to write");
        for (const std::string &frame : frames)
            said.write(QByteArray::fromStdString(framed(frame)));
        const QString path = m_folder.filePath(QStringLiteral("helper"));
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly)) qFatal("no file to write");
        file.write("#!/bin/sh\n" + text.replace("SAID", "'" + said.fileName().toUtf8() + "'") + "\n");
        file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        return {path.toStdString(), {}};
    }

private Q_SLOTS:
    void solves()
    {
        const Expected<cp::Helper> helper = cp::findHelper();
        QVERIFY2(helper, helper ? "" : helper.error().message.c_str());
        cp::CpModel model = twoJobs();
        std::vector<std::int64_t> best;
        cp::CpLimits limits;
        limits.progress = [&](const cp::CpProgress &progress) {
            if (progress.x) best = *progress.x;
        };
        const cp::CpSolution solution = cp::solve(*helper, model, limits);
        QVERIFY2(solution.status == cp::CpStatus::Optimal, solution.error.c_str());
        QCOMPARE(solution.bound, 9.0);
        QCOMPARE(best.size(), std::size_t(3));
        QCOMPARE(best[2], 9);

        model.hint = {0, 4, 9};
        QCOMPARE(cp::solve(*helper, model, {}).bound, 9.0);
        model.high[2] = 8;
        model.hint.clear();
        QCOMPARE(cp::solve(*helper, model, {}).status, cp::CpStatus::Infeasible);
    }

    /// What is looked at first, and on how many threads, decides how long it takes and nothing else.
    void everyStrategyProvesTheSame()
    {
        const Expected<cp::Helper> helper = cp::findHelper();
        QVERIFY(helper);
        for (const cp::Strategy strategy : {cp::Strategy::Many, cp::Strategy::Relaxation, cp::Strategy::Dive})
            for (const int threads : {1, 2}) {
                cp::CpLimits limits;
                limits.strategy = strategy;
                limits.threads = threads;
                cp::CpModel model = twoJobs();
                const cp::CpSolution solution = cp::solve(*helper, model, limits);
                QVERIFY2(solution.status == cp::CpStatus::Optimal, solution.error.c_str());
                QCOMPARE(solution.bound, 9.0);
                model.high[2] = 8;
                QCOMPARE(cp::solve(*helper, model, limits).status, cp::CpStatus::Infeasible);
            }
    }

    void whatIsOptionalAndEnforced()
    {
        const Expected<cp::Helper> helper = cp::findHelper();
        QVERIFY(helper);
        cp::CpModel model = twoJobs(); // the first job may be left out, for a price of 3: 5 + 3 < 9
        const int there = model.addBoolean(), out = model.addBoolean(3);
        model.told = 5;
        model.intervals[0].presence = there;
        model.linear[0].enforced = {there};
        model.anyOf.push_back({{cp::negated(there)}, {out}});
        QCOMPARE(cp::solve(*helper, model, {}).bound, 8.0);
        QCOMPARE(cp::integerVariables(model), 3);
    }

    void withoutToolsASentenceSaysHowToGetThem()
    {
        const Expected<cp::Helper> helper = cp::findHelperIn({m_folder.path().toStdString(), "/nowhere"});
        QVERIFY(!helper);
        QVERIFY(helper.error().message.find("pip install 'ortools==") != std::string::npos);
        // A folder that has them is taken, and not when others may write there.
        const std::filesystem::path prefix = std::filesystem::path(m_folder.path().toStdString()) / "env";
        const std::filesystem::path packages = prefix / "lib" / "python3.11" / "site-packages" / "ortools" / "sat";
        std::filesystem::create_directories(packages);
        std::filesystem::create_directories(prefix / "bin");
        QVERIFY(!cp::findHelperIn({prefix}));
        std::filesystem::create_symlink("/bin/sh", prefix / "bin" / "python3");
        QVERIFY(cp::findHelperIn({prefix}));
        std::filesystem::permissions(packages, std::filesystem::perms::all);
        QVERIFY(!cp::findHelperIn({prefix}));
    }

    void aHelperThatDiesIsAStatus()
    {
        const cp::CpSolution solution =
            cp::solve(script("head -c 100 >/dev/null; echo no such thing >&2; kill -ABRT $$"), twoJobs(), {});
        QCOMPARE(solution.status, cp::CpStatus::Failed);
        QVERIFY(solution.error.find("no such thing") != std::string::npos);
        QCOMPARE(cp::solve({"/nowhere/python3", {}}, twoJobs(), {}).status, cp::CpStatus::Failed);
    }

    void whatIsNoAnswerIsNotBelieved_data()
    {
        QTest::addColumn<QByteArray>("frame");
        QTest::newRow("too few values") << QByteArray("s 1 2");
        QTest::newRow("too many values") << QByteArray("s 1 2 3 4");
        QTest::newRow("out of bounds") << QByteArray("s 1 2 31");
        QTest::newRow("no numbers") << QByteArray("s a b c");
        QTest::newRow("too large for a number") << QByteArray("s 0 0 99999999999999999999");
        QTest::newRow("no message") << QByteArray("hello there");
        QTest::newRow("empty") << QByteArray("");
    }
    void whatIsNoAnswerIsNotBelieved()
    {
        QFETCH(const QByteArray, frame);
        bool told = false;
        cp::CpLimits limits;
        limits.progress = [&](const cp::CpProgress &progress) { told = told || progress.x; };
        // It says that it is optimal, but has told no solution.
        const cp::Helper helper = script("cat SAID; sleep 1000", {frame.toStdString(), "b nan", "e OPTIMAL 3"});
        QCOMPARE(cp::solve(helper, twoJobs(), limits).status, cp::CpStatus::Failed);
        QVERIFY(!told);
    }

    void whatHangsIsGivenUp_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("does not read") << QByteArray("exec sleep 1000");
        QTest::newRow("its children hold the socket") << QByteArray("sleep 1000 & sleep 1000");
        QTest::newRow("ignores signals") << QByteArray("trap '' TERM INT HUP; while :; do sleep 1; done");
        QTest::newRow("text without end") << QByteArray("exec yes");
        QTest::newRow("messages without end") << QByteArray("while :; do cat SAID; done");
    }
    void whatHangsIsGivenUp()
    {
        QFETCH(const QByteArray, text);
        const cp::Helper helper = script(text, std::vector<std::string>(1000, "b 1"));
        for (const bool byClock : {true, false}) {
            cp::CpLimits limits;
            StopToken stop;
            limits.stop = &stop;
            std::thread later;
            if (byClock)
                limits.deadline = Deadline(0.2);
            else
                later = std::thread([&stop] {
                    std::this_thread::sleep_for(std::chrono::milliseconds(200));
                    stop.requestStop();
                });
            QElapsedTimer timer;
            timer.start();
            const cp::CpSolution solution = cp::solve(helper, twoJobs(), limits);
            if (later.joinable()) later.join();
            QVERIFY(solution.status == cp::CpStatus::Stopped || solution.status == cp::CpStatus::Failed);
            QVERIFY2(timer.elapsed() < 1200 + test::kPatienceMs, QByteArray::number(timer.elapsed()).constData());
        }
    }

    void theSolverEndsWhenAsked()
    {
        const Expected<cp::Helper> helper = cp::findHelper();
        QVERIFY(helper);
        cp::CpModel model; // far too many jobs to be done with
        for (int i = 0; i < 400; ++i) {
            const int start = model.addVariable(0, 20000, 1 + i % 7);
            model.intervals.push_back({-1, {start, 1, 0}, {-1, 1, 3 + i % 11}, {start, 1, 3 + i % 11}, 2 + i % 5});
        }
        model.told = 400;
        model.capacity = {-1, 1, 7};
        cp::CpLimits limits;
        bool found = false;
        limits.progress = [&](const cp::CpProgress &progress) { found = found || progress.x; };
        limits.enough = [&] { return found; };
        QCOMPARE(cp::solve(*helper, model, limits).status, cp::CpStatus::Feasible);
    }
};

QTEST_GUILESS_MAIN(TestCpSat)
#include "tst_cp_sat.moc"
