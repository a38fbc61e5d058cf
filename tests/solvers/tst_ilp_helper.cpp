// CBC in a process of its own: what goes over the socket, and that nothing that happens to it reaches the program.
#include "core/base/expected.h"
#include "solvers/ilp/cbc.h"
#include "solvers/ilp/helper_messages.h"
#include "solvers/ilp/helper_process.h"
#include "tests/support/patience.h"

#include <QElapsedTimer>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <nlohmann/json.hpp>

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

    void framesAreTakenWhenTheyAreWhole()
    {
        const std::string sent = ilp::framed("one") + ilp::framed("") + ilp::framed("three");
        std::string bytes;
        std::vector<std::string> taken;
        for (const char byte : sent) {
            bytes += byte;
            while (const auto message = ilp::takeFrame(bytes))
                taken.push_back(*message);
        }
        QVERIFY(taken == std::vector<std::string>({"one", "", "three"}));
        QVERIFY(bytes.empty());
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
        process.write(QByteArray::fromStdString(ilp::framed("nonsense")));
        QVERIFY(process.waitForFinished());
        QCOMPARE(process.exitCode(), 2);
        QVERIFY(process.readAllStandardError().contains("request of its own version"));
    }
};

QTEST_GUILESS_MAIN(TestIlpHelper)
#include "tst_ilp_helper.moc"
