// SPDX-License-Identifier: Apache-2.0
// remat sweep on real files: the table, the plans, wrong calls, Ctrl+C.
#include "tests/app/cli_fixture.h"

#include <algorithm>

using remat::test::callRemat;
using remat::test::chainJson;
using remat::test::kTinyGpt2;
using remat::test::Outcome;

class TestCliSweep : public QObject, remat::test::InFolder
{
    Q_OBJECT

    QString m_graph;

    static QStringList linesOf(const QString &file) { return QString::fromUtf8(read(file)).trimmed().split('\n'); }

private Q_SLOTS:
    void initTestCase() { m_graph = write("chain.json", chainJson(6, "chain, \"six\"")); }

    void tableAndPlans()
    {
        const Outcome made = callRemat({"sweep", m_graph, "--budgets", "100%:20%:-20", "--solver",
                                        "hiremate,chen-sqrt,keep-all,hiremate", "--time-limit", "5", "-o",
                                        path("frontier.csv"), "--plans", path("new/plans"), "--json"});
        QVERIFY2(made.code == 0, qPrintable(made.out + made.err));
        const QJsonArray points = made.json()["points"].toArray();
        QCOMPARE(points.size(), 15);

        const QStringList lines = linesOf(path("frontier.csv"));
        QCOMPARE(lines.size(), 16);
        const QStringList columns = lines[0].split(',');
        for (const char *unit : {"budget_bytes", "budget_percent", "peak_bytes", "time_us", "overhead_percent",
                                 "lower_bound_overhead_percent", "planning_seconds", "status", "message"})
            QVERIFY2(columns.contains(unit), unit);
        // The name has a comma and quotes; the first field ends with the quote before the planner.
        QVERIFY(lines[1].startsWith("\"chain, \"\"six\"\"\",hiremate,7004,100.000000,optimal,7004,"));
        QVERIFY(lines[15].contains("infeasible") && lines[15].contains("No plan fits"));

        int files = 0;
        double above = -1;
        for (int i = 0; i < points.size(); ++i) {
            const QJsonObject point = points[i].toObject();
            if (i % 5 == 0) above = -1;
            if (!point.contains("peak_bytes")) {
                QVERIFY(!point["message"].toString().isEmpty());
                continue;
            }
            QVERIFY(point["peak_bytes"].toDouble() <= point["budget_bytes"].toDouble());
            QVERIFY(point["overhead"].toDouble() >= above);
            above = point["overhead"].toDouble();
            const QString plan = point["plan_file"].toString();
            const Outcome checked = callRemat({"check", m_graph, plan, "--json"});
            QVERIFY2(checked.code == 0, qPrintable(checked.out + checked.err));
            QCOMPARE(checked.json()["peak_bytes"].toDouble(), point["peak_bytes"].toDouble());
            ++files;
        }
        QCOMPARE(int(QDir(path("new/plans")).entryList(QDir::Files).size()), files);
        QVERIFY(files >= 6);
    }

    void textSaysWhatJsonSays()
    {
        const Outcome text = callRemat({"sweep", m_graph, "--budgets", "7004,20%", "--solver", "keep-all"});
        QCOMPARE(text.code, 0);
        QVERIFY(text.out.contains("keep-all\n"));
        QVERIFY(text.out.contains("optimal") && text.out.contains("infeasible: No plan fits"));
    }

    void everyPlannerByOneWord()
    {
        const QJsonArray known = callRemat({"solvers", "--json"}).json()["solvers"].toArray();
        const Outcome made =
            callRemat({"sweep", m_graph, "--budgets", "90%", "--solver", "all", "--time-limit", "1", "--json"});
        QVERIFY2(made.code == 0, qPrintable(made.err));
        QCOMPARE(made.json()["points"].toArray().size(), known.size());
    }

    void settingsAreForAllOrForOne()
    {
        const auto caller = [&](const QStringList &settings) {
            QStringList call{"sweep", m_graph, "--budgets", "60%", "--solver", "rotor,revolve,keep-all", "--json"};
            for (const QString &setting : settings)
                call << "--set" << setting;
            return callRemat(call);
        };
        QCOMPARE(caller({"points=linearised", "rotor.slots=50"}).code, 0);
        // One planner's own value stands over everybody's; keep-all has no such option and goes on as it is.
        const Outcome made = caller({"revolve.stages=3", "stages=1"});
        QCOMPARE(made.code, 2);
        QVERIFY2(made.err.contains("stages"), qPrintable(made.err));
        QCOMPARE(caller({"revolve.stages=3", "rotor.stages=4"}).code, 0);
        QCOMPARE(caller({"revolve.stages=3", "rotor.stages=4", "stages=1"}).code, 0);
    }

    void decisionsMadeByHandAreInEveryPlan()
    {
        const Outcome made = callRemat({"sweep", m_graph, "--budgets", "100%,70%", "--solver", "search,chen-sqrt",
                                        "--recompute", "f1", "--plans", path("pinned"), "--json"});
        QVERIFY2(made.code == 0, qPrintable(made.err));
        int plans = 0;
        for (const QJsonValue &point : made.json()["points"].toArray()) {
            const QByteArray plan = read(point.toObject()["plan_file"].toString());
            if (plan.isEmpty()) continue;
            ++plans;
            int times = 0;
            for (const QJsonValue &step : QJsonDocument::fromJson(plan).object()["steps"].toArray())
                times += step.toObject()["op"].toString() == "f1" ? 1 : 0;
            QVERIFY(times >= 2);
        }
        QVERIFY(plans >= 3);
        QCOMPARE(callRemat({"sweep", m_graph, "--budgets", "70%", "--never", "f99"}).code, 2);
    }

    void percentOfPlannedParametersIncludeThem()
    {
        const QString sample = kTinyGpt2;
        if (!QFile::exists(sample))
            QFAIL("the sample tiny_gpt2.pt2 is not there: run resources/samples/make_samples.py");
        const QStringList call{"sweep",        sample,     "--budgets",
                               "90%,70%",      "--solver", "offload-greedy,pofo,poet,hiremate",
                               "--time-limit", "2",        "--json"};
        const QJsonObject without = callRemat(call).json();
        const Outcome made = callRemat(QStringList(call) << "--set"
                                                         << "parameters=true");
        QVERIFY2(made.code == 0, qPrintable(made.err));
        const QJsonObject with = made.json();
        QVERIFY(with["parameters_planned"].toBool() && !without["parameters_planned"].toBool());
        const double peak = with["keep_all_peak_bytes"].toDouble();
        QVERIFY(peak > without["keep_all_peak_bytes"].toDouble());
        const Outcome alone = callRemat(
            {"plan", sample, "--budget", "90%", "--solver", "offload-greedy", "--set", "parameters=true", "--json"});
        QCOMPARE(alone.json()["keep_all_peak_bytes"].toDouble(), peak);
        QCOMPARE(with["points"].toArray()[0].toObject()["budget_bytes"], alone.json()["budget_bytes"]);
        for (const QJsonValue &value : with["points"].toArray()) {
            const QJsonObject point = value.toObject();
            const QString planner = point["planner"].toString();
            if (planner == "hiremate") {
                QVERIFY2(point["message"].toString().contains("keeps parameters resident"), qPrintable(planner));
                continue;
            }
            QVERIFY2(point.contains("peak_bytes"), qPrintable(planner + point["message"].toString()));
            QVERIFY(point["peak_bytes"].toDouble() <= point["budget_bytes"].toDouble());
        }
    }

    void noPlanAtAllIsANo()
    {
        const Outcome made = callRemat(
            {"sweep", m_graph, "--budgets", "20%,10%", "--solver", "chen-sqrt", "-o", path("none.csv"), "--json"});
        QCOMPARE(made.code, 1);
        QCOMPARE(linesOf(path("none.csv")).size(), 3);
    }

    void wrongCalls_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::newRow("no budgets") << QStringList{};
        QTest::newRow("a word") << QStringList{"--budgets", "some"};
        QTest::newRow("half a range") << QStringList{"--budgets", "90%:20%"};
        QTest::newRow("wrong way") << QStringList{"--budgets", "90%:20%:10"};
        QTest::newRow("unknown planner") << QStringList{"--budgets", "60%", "--solver", "keep-all,magic"};
        QTest::newRow("no planner") << QStringList{"--budgets", "60%", "--solver", ""};
        QTest::newRow("unknown device") << QStringList{"--budgets", "60%", "--device", "abacus"};
        QTest::newRow("setting without a value") << QStringList{"--budgets", "60%", "--set", "slots"};
        QTest::newRow("setting of nobody") << QStringList{"--budgets", "60%", "--set", "magic=1"};
        QTest::newRow("setting of a planner that is not asked")
            << QStringList{"--budgets", "60%", "--solver", "rotor", "--set", "revolve.stages=4"};
        QTest::newRow("setting that its planner does not know")
            << QStringList{"--budgets", "60%", "--solver", "rotor", "--set", "rotor.magic=4"};
        QTest::newRow("time limit") << QStringList{"--budgets", "60%", "--time-limit", "0"};
        QTest::newRow("no such folder") << QStringList{"--budgets", "60%", "-o", "/nowhere/frontier.csv"};
        QTest::newRow("table is a folder") << QStringList{"--budgets", "60%", "-o", "/tmp"};
        QTest::newRow("plans are a file") << QStringList{"--budgets", "60%", "--plans", "/dev/null"};
    }
    void wrongCalls()
    {
        QFETCH(QStringList, arguments);
        const Outcome outcome = callRemat(QStringList{"sweep", m_graph} + arguments);
        QVERIFY2(outcome.code == 2, qPrintable(outcome.out));
        QVERIFY2(outcome.err.trimmed().size() > 20, qPrintable(outcome.err));
        QVERIFY(outcome.out.trimmed().isEmpty());
    }

    void stopWritesWhatIsThere()
    {
        const QString sample = QStringLiteral(REMAT_TEST_DATA "/traces/gpt2.pt2");
        if (!QFile::exists(sample)) QFAIL("gpt2.pt2 is not there: run tests/data/traces/make_traces.py");
        QProcess process;
        process.start(QStringLiteral(REMAT_BIN "/remat"),
                      {"sweep", sample, "--budgets", "60%:30%:-5", "--solver", "chen-sqrt,hiremate", "--time-limit",
                       "60", "-o", path("stopped.csv")});
        QVERIFY(process.waitForStarted());
        // Until Chen's seven plans and hiremate's first are surely there, and far from its last; bounds come before
        // both.
        QTest::qWait(8000);
        QVERIFY2(process.state() == QProcess::Running, process.readAllStandardError());
        process.terminate();
        QVERIFY(process.waitForFinished(120000));
        QCOMPARE(process.exitStatus(), QProcess::NormalExit);
        QCOMPARE(process.exitCode(), 0);
        const QStringList lines = linesOf(path("stopped.csv"));
        QCOMPARE(lines.size(), 15);
        QVERIFY(std::count_if(lines.begin(), lines.end(),
                              [](const QString &line) { return line.contains(",stopped,"); }) > 0);
    }
};

QTEST_GUILESS_MAIN(TestCliSweep)
#include "tst_cli_sweep.moc"
