// SPDX-License-Identifier: Apache-2.0
// CBC in a process of its own: what goes over the socket, and that nothing that happens to it reaches the program.
#include "core/base/child_process.h"
#include "solvers/ilp/cbc.h"
#include "solvers/ilp/helper_messages.h"
#include "solvers/ilp/helper_process.h"
#include "tests/support/patience.h"

#include <QtTest>

#include <nlohmann/json.hpp>

#include <thread>

using namespace remat;

namespace {

/// Three columns of which two are needed.
ilp::Model smallModel()
{
    ilp::Model model;
    for (const double cost : {5.0, 3.0, 4.0})
        model.addBinary(cost);
    model.addAtLeast(2, {{0, 1}, {1, 1}, {2, 1}});
    return model;
}

/// A model of tests/data/models, with the limits it was solved with.
ilp::HelperRequest readModel(const QString &name)
{
    QFile file(QStringLiteral(REMAT_TEST_DATA "/models/") + name);
    if (!file.open(QIODevice::ReadOnly)) qFatal("%s is missing", qPrintable(file.fileName()));
    const nlohmann::json json = nlohmann::json::parse(file.readAll().toStdString());
    const auto orElse = [](const nlohmann::json &number, double other) {
        return number.is_null() ? other : number.get<double>();
    };
    ilp::HelperRequest request;
    for (std::size_t c = 0; c < json["objective"].size(); ++c)
        request.model.addColumn(json["objective"][c], json["lower"][c], json["upper"][c], json["integer"][c] == 1);
    for (const nlohmann::json &row : json["rows"]) {
        std::vector<ilp::Term> terms;
        for (std::size_t i = 0; i < row[2].size(); ++i)
            terms.push_back({row[2][i], row[3][i]});
        request.model.addRow(orElse(row[0], -ilp::kInfinity), terms, orElse(row[1], ilp::kInfinity));
    }
    request.limits.start = json["start"].get<std::vector<double>>();
    request.limits.relativeGap = json["relativeGap"];
    request.limits.absoluteGap = json["absoluteGap"];
    request.limits.known = json["known"];
    request.limits.seed = json["seed"];
    return request;
}

} // namespace

class TestIlpHelper : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;

    /// A shell script that is taken for remat-cbc from now on.
    void useScript(const QByteArray &text)
    {
        const QString path = m_folder.filePath(QStringLiteral("remat-cbc"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("#!/bin/sh\n" + text + "\n");
        file.close();
        QVERIFY(file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
        qputenv("REMAT_CBC", path.toUtf8());
    }

    /// The same, with SAID in it replaced by a file of these bytes.
    void useAnswer(QByteArray script, const QByteArray &said)
    {
        QFile file(m_folder.filePath(QStringLiteral("said")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(said);
        file.close();
        useScript(script.replace("SAID", "'" + file.fileName().toUtf8() + "'"));
    }

private Q_SLOTS:
    void init() { qputenv("REMAT_CBC", REMAT_BIN "/remat-cbc"); }

    void messagesComeOutAsTheyWentIn()
    {
        ilp::Limits limits;
        limits.iterations = 77;
        limits.effort = ilp::Effort::AsIs;
        limits.start = {1, 1, 0};
        limits.known = 12;
        limits.seed = 3;
        limits.deadline = Deadline(1000);
        const auto request = ilp::unpackRequest(ilp::pack(smallModel(), limits));
        QVERIFY(request.has_value());
        QCOMPARE(ilp::violation(request->model, {0, 1, 1}), 0.0);
        QCOMPARE(ilp::violation(request->model, {0, 1, 0}), 1.0);
        QCOMPARE(ilp::objectiveOf(request->model, {0, 1, 1}), 7.0);
        QCOMPARE(request->limits.iterations, 77);
        QCOMPARE(request->limits.effort, ilp::Effort::AsIs);
        QVERIFY(request->limits.start == limits.start);
        QCOMPARE(request->limits.known, 12.0);
        QCOMPARE(request->limits.seed, 3);
        const double left = request->limits.deadline.secondsLeft();
        QVERIFY(left > 0 && left <= 1000);

        const auto reply = ilp::unpackReply(ilp::pack(ilp::Solution{ilp::Status::Optimal, {0, 1, 1}, 7, 6.5, 9}));
        QVERIFY(reply && reply->solution);
        QCOMPARE(reply->solution->status, ilp::Status::Optimal);
        QVERIFY(reply->solution->x == std::vector<double>({0, 1, 1}));
        QCOMPARE(reply->solution->bound, 6.5);
        QCOMPARE(reply->solution->iterations, 9);
    }

    void brokenMessagesAreNone()
    {
        const std::string request = ilp::pack(smallModel(), {});
        const std::string reply = ilp::pack(ilp::Solution{ilp::Status::Optimal, {0, 1, 1}, 7, 7, 1});
        for (std::size_t size = 0; size < request.size(); ++size)
            QVERIFY(!ilp::unpackRequest(request.substr(0, size)));
        for (std::size_t size = 0; size < reply.size(); ++size)
            QVERIFY(!ilp::unpackReply(reply.substr(0, size)));
        QVERIFY(!ilp::unpackRequest(request + "x"));
        QVERIFY(!ilp::unpackReply(reply + "x"));
        QVERIFY(!ilp::unpackReply(request));
        std::string huge = reply;
        huge.replace(5, 8, std::string(8, '\xff')); // how many columns follow
        QVERIFY(!ilp::unpackReply(huge));
    }

    void modelsThatDoNotFitTogetherAreNone()
    {
        ilp::Model model = smallModel();
        model.terms[1].column = 3;
        QVERIFY(!ilp::unpackRequest(ilp::pack(model, {})));
        model = smallModel();
        model.rowStart.back() = 1 << 30;
        QVERIFY(!ilp::unpackRequest(ilp::pack(model, {})));
        model = smallModel();
        model.upper.pop_back();
        QVERIFY(!ilp::unpackRequest(ilp::pack(model, {})));
        ilp::Limits limits;
        limits.start = {1, 1};
        QVERIFY(!ilp::unpackRequest(ilp::pack(smallModel(), limits)));
    }

    void theHelperSolves()
    {
        const std::optional<ilp::Solution> solution = ilp::solveInHelper(smallModel(), {});
        QVERIFY(solution.has_value());
        QCOMPARE(solution->status, ilp::Status::Optimal);
        QCOMPARE(solution->objective, 7.0);
    }

    void aModelThatClpFailsOnIsSolvedAsItIs()
    {
        const ilp::HelperRequest request = readModel(QStringLiteral("clp_assertion.json"));
        const ilp::Solution solution = ilp::solve(request.model, request.limits);
        QVERIFY2(solution.status == ilp::Status::Optimal || solution.status == ilp::Status::Infeasible,
                 "neither solved nor shown to have nothing better");
        QVERIFY(!solution.found() || solution.objective < request.limits.known);
    }

    void aHelperThatDiesIsAStatus()
    {
        useScript("head -c 100 >/dev/null; kill -ABRT $$");
        ilp::Limits limits;
        QCOMPARE(ilp::solve(smallModel(), limits).status, ilp::Status::Failed);
        limits.start = {1, 1, 0};
        const ilp::Solution solution = ilp::solve(smallModel(), limits);
        QCOMPARE(solution.status, ilp::Status::Feasible);
        QVERIFY(solution.x == limits.start);
    }

    void whatIsNoReplyIsNotListenedTo()
    {
        useScript("exec cat"); // everything comes back as it was sent
        ilp::Limits limits;
        limits.deadline = Deadline(0.2);
        QElapsedTimer timer;
        timer.start();
        QCOMPARE(ilp::solve(smallModel(), limits).status, ilp::Status::Stopped);
        QVERIFY(timer.elapsed() < 3000 + test::kPatienceMs); // it does not stop when asked, and is killed
    }

    void whatHangsIsGivenUp_data()
    {
        QTest::addColumn<QByteArray>("script");
        QTest::addColumn<QByteArray>("said");
        const std::string progress = framed(ilp::pack(ilp::Progress{9, 1}));
        QByteArray manyTimes;
        for (int i = 0; i < 10000; ++i)
            manyTimes += QByteArray::fromStdString(progress);
        QTest::newRow("does not read") << QByteArray("exec sleep 1000") << QByteArray();
        QTest::newRow("reads, says nothing") << QByteArray("cat >/dev/null; sleep 1000") << QByteArray();
        QTest::newRow("its children hold the socket") << QByteArray("sleep 1000 & sleep 1000") << QByteArray();
        QTest::newRow("ignores signals") << QByteArray("trap '' TERM INT HUP; while :; do sleep 1; done")
                                         << QByteArray();
        QTest::newRow("a frame of 2^60 bytes")
            << QByteArray("cat SAID /dev/zero") << QByteArray("\0\0\0\0\0\0\0\x10", 8);
        QTest::newRow("text without end") << QByteArray("exec yes") << QByteArray();
        QTest::newRow("empty frames without end") << QByteArray("exec cat /dev/zero") << QByteArray();
        QTest::newRow("progress without end") << QByteArray("while :; do cat SAID; done") << manyTimes;
    }

    /// By its deadline and by a stop; large models do not fit into a socket that nobody reads.
    void whatHangsIsGivenUp()
    {
        QFETCH(const QByteArray, said);
        QFETCH(QByteArray, script);
        useAnswer(script, said);
        ilp::Model large = smallModel();
        for (int i = 0; i < 200'000; ++i)
            large.addBinary(1);
        for (const ilp::Model &model : {smallModel(), large}) {
            ilp::Limits limits;
            StopToken stop;
            limits.stop = &stop;
            std::thread later;
            if (model.columns() == 3)
                later = std::thread([&stop] {
                    std::this_thread::sleep_for(std::chrono::milliseconds(200));
                    stop.requestStop();
                });
            else
                limits.deadline = Deadline(0.2);
            limits.start.assign(static_cast<std::size_t>(model.columns()), 1);
            QElapsedTimer timer;
            timer.start();
            const ilp::Solution solution = ilp::solve(model, limits);
            const qint64 took = timer.elapsed();
            if (later.joinable()) later.join();
            QCOMPARE(solution.status, ilp::Status::Feasible); // the start
            QVERIFY2(took < 1200 + test::kPatienceMs, QByteArray::number(took).constData());
        }
    }

    void whatIsNoSolutionIsNotBelieved_data()
    {
        QTest::addColumn<QByteArray>("said");
        const auto row = [](const char *name, const ilp::Solution &solution) {
            QTest::newRow(name) << QByteArray::fromStdString(framed(ilp::pack(solution)));
        };
        const double nan = std::numeric_limits<double>::quiet_NaN();
        row("too short", {ilp::Status::Optimal, {0, 1}, 7, 7, 1});
        row("too long", {ilp::Status::Optimal, std::vector<double>(100, 1), 7, 7, 1});
        row("none", {ilp::Status::Optimal, {}, 7, 7, 1});
        row("breaks a row", {ilp::Status::Optimal, {0, 1, 0}, 3, 3, 1});
        row("breaks a bound", {ilp::Status::Feasible, {-5, 5, 2}, -2, -2, 1});
        row("not whole", {ilp::Status::Feasible, {0.5, 1, 0.5}, 7, 7, 1});
        row("not numbers", {ilp::Status::Optimal, {nan, 1, 1}, nan, nan, 1});
        row("infinite", {ilp::Status::Optimal, {ilp::kInfinity, 1, 1}, 0, 0, 1});
        row("no such status", {static_cast<ilp::Status>(77), {0, 1, 1}, 7, 7, 1});
        row("infeasible with a solution", {ilp::Status::Infeasible, {0, 1, 1}, 7, 7, 1});
    }

    void whatIsNoSolutionIsNotBelieved()
    {
        QFETCH(const QByteArray, said);
        useAnswer("head -c 100 >/dev/null; cat SAID; sleep 1000", said);
        const ilp::Solution solution = ilp::solve(smallModel(), {});
        QCOMPARE(solution.status, ilp::Status::Failed);
        QVERIFY(!solution.found());
    }

    void figuresOfASolutionAreWorkedOutHere()
    {
        const double nan = std::numeric_limits<double>::quiet_NaN();
        for (const double bound : {nan, 1e9}) {
            const ilp::Solution told{ilp::Status::Feasible, {0, 1, 1}, -1, bound, -4};
            useAnswer("head -c 100 >/dev/null; cat SAID", QByteArray::fromStdString(framed(ilp::pack(told))));
            const ilp::Solution solution = ilp::solve(smallModel(), {});
            QCOMPARE(solution.objective, 7.0);
            QVERIFY(solution.bound <= 7.0);
            QVERIFY(solution.iterations >= 0);
        }
    }

    void theHelperEndsWithWhoStartedIt()
    {
        // A shell that starts it and is killed; the FIFO keeps its input open, so that this does not tell it.
        const QString fifo = m_folder.filePath(QStringLiteral("fifo"));
        QProcess shell;
        shell.start(QStringLiteral("/bin/sh"),
                    {QStringLiteral("-c"),
                     QStringLiteral("mkfifo '%1'; exec 9<>'%1'; (sleep 30) & %2 --serve <'%1' & echo $!; wait")
                         .arg(fifo, QStringLiteral(REMAT_BIN "/remat-cbc"))});
        QVERIFY(shell.waitForReadyRead());
        const QString process = QStringLiteral("/proc/%1/stat").arg(shell.readLine().trimmed().toLongLong());
        QTRY_VERIFY(QFile::exists(process));
        QTest::qWait(300); // until it is in its main
        shell.kill();
        QVERIFY(shell.waitForFinished());
        const auto gone = [&process] {
            QFile stat(process);
            return !stat.open(QIODevice::ReadOnly) || stat.readAll().contains(") Z ");
        };
        QTRY_VERIFY(gone());
    }

    void withoutAHelperItIsSolvedHere_data()
    {
        QTest::addColumn<QByteArray>("script");
        QTest::newRow("none") << QByteArray();
        QTest::newRow("another build") << QByteArray("head -c 100 >/dev/null; exit 2");
    }

    void withoutAHelperItIsSolvedHere()
    {
        QFETCH(const QByteArray, script);
        if (script.isEmpty())
            qputenv("REMAT_CBC", "/nowhere/remat-cbc");
        else
            useScript(script);
        QVERIFY(!ilp::solveInHelper(smallModel(), {}));
        const ilp::Solution solution = ilp::solve(smallModel(), {});
        QCOMPARE(solution.status, ilp::Status::Optimal);
        QCOMPARE(solution.objective, 7.0);
    }

    void theHelperSaysWhatItIs()
    {
        QProcess process;
        process.start(QStringLiteral(REMAT_BIN "/remat-cbc"), {QStringLiteral("--help")});
        QVERIFY(process.waitForFinished());
        QCOMPARE(process.exitCode(), 0);
        QVERIFY(process.readAllStandardOutput().contains("Usage: remat-cbc"));
        process.start(QStringLiteral(REMAT_BIN "/remat-cbc"), QStringList());
        QVERIFY(process.waitForFinished());
        QCOMPARE(process.exitCode(), 2);
        process.start(QStringLiteral(REMAT_BIN "/remat-cbc"), {QStringLiteral("--serve")});
        process.write(QByteArray::fromStdString(framed("nonsense")));
        QVERIFY(process.waitForFinished());
        QCOMPARE(process.exitCode(), 2);
        QVERIFY(process.readAllStandardError().contains("request of its own version"));
        process.start(QStringLiteral(REMAT_BIN "/remat-cbc"), {QStringLiteral("--serve")});
        process.write(QByteArray("\0\0\0\0\0\0\0\x10", 8)); // 2^60 bytes are to follow
        QVERIFY(process.waitForFinished());
        QCOMPARE(process.exitCode(), 2);
    }
};

QTEST_GUILESS_MAIN(TestIlpHelper)
#include "tst_ilp_helper.moc"
