// SPDX-License-Identifier: Apache-2.0
// Where results go: nothing is lost without a sentence, and what cannot be written is known before the work.
#include "tests/app/cli_fixture.h"
#include "tests/support/torch.h"

#include <unistd.h>

using remat::test::callRemat;
using remat::test::chainJson;
using remat::test::kTinyGpt2;
using remat::test::Outcome;

class TestCliOutput : public QObject, remat::test::InFolder
{
    Q_OBJECT

    QString m_graph, m_plan;
    const QString m_sample = kTinyGpt2;

    /// With standard output as `redirect` of the shell has it.
    static Outcome redirected(const QStringList &arguments, const QString &redirect)
    {
        QProcess process;
        process.start("bash",
                      QStringList{"-c", "\"$0\" \"$@\" " + redirect, QStringLiteral(REMAT_BIN "/remat")} + arguments);
        process.waitForFinished(120000);
        return {process.exitCode(), QString::fromUtf8(process.readAllStandardOutput()),
                QString::fromUtf8(process.readAllStandardError())};
    }

    QList<QPair<const char *, QStringList>> withOutput(const QString &output) const
    {
        QList<QPair<const char *, QStringList>> commands = {
            {"plan", {"plan", m_graph, "--budget", "100%", "--solver", "keep-all", "-o", output}},
            {"sweep", {"sweep", m_graph, "--budgets", "100%", "--solver", "keep-all", "-o", output}},
            {"layout", {"layout", m_graph, m_plan, "-o", output}},
            {"export", {"export", m_graph, m_plan, "--as", "csv", "-o", output}}};
        if (REMAT_HAS_TORCH) commands.push_back({"profile", {"profile", m_sample, "--repeats", "1", "-o", output}});
        return commands;
    }

private Q_SLOTS:
    void initTestCase()
    {
        m_graph = write("chain.json", chainJson(6, "chain"));
        m_plan = path("plan.json");
        QCOMPARE(callRemat({"plan", m_graph, "--budget", "75%", "--solver", "chen-sqrt", "-o", m_plan}).code, 0);
    }

    void aFullDeviceIsNoticed_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::newRow("info") << QStringList{"info", m_graph};
        QTest::newRow("info as JSON") << QStringList{"info", m_graph, "--json"};
        QTest::newRow("check") << QStringList{"check", m_graph, m_plan};
        QTest::newRow("plan as JSON") << QStringList{"plan",     m_graph,    "--budget", "100%",
                                                     "--solver", "keep-all", "--json"};
        QTest::newRow("solvers") << QStringList{"solvers"};
        QTest::newRow("help") << QStringList{"plan", "--help"};
        for (const auto &[name, arguments] : withOutput("-"))
            QTest::newRow(qPrintable(QString(name) + " -o -")) << arguments;
    }
    void aFullDeviceIsNoticed()
    {
        QFETCH(QStringList, arguments);
        const Outcome full = redirected(arguments, "> /dev/full");
        QCOMPARE(full.code, 2);
        QVERIFY2(full.err.contains("Standard output cannot be written"), qPrintable(full.err));
        const Outcome closed = redirected(arguments, ">&-");
        QCOMPARE(closed.code, 2);
        QVERIFY2(closed.err.contains("Standard output"), qPrintable(closed.err));
    }

    void aReaderMayLeave()
    {
        for (const char *before : {"", "trap '' PIPE; "}) {
            QProcess process;
            process.start("bash",
                          {"-c", QString(before) + "\"$0\" solvers | head -1", QStringLiteral(REMAT_BIN "/remat")});
            QVERIFY(process.waitForFinished(120000));
            QCOMPARE(process.readAllStandardError(), QByteArray());
            QCOMPARE(process.readAllStandardOutput().count('\n'), 1);
        }
    }

    void everyCommandWritesToStandardOutput_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("begin");
        const QMap<QString, QString> begins{
            {"plan", "{"}, {"sweep", "model,planner"}, {"layout", "id,lower"}, {"export", "step,do"}, {"profile", "{"}};
        for (const auto &[name, arguments] : withOutput("-"))
            QTest::newRow(name) << arguments << begins[name];
    }
    void everyCommandWritesToStandardOutput()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QString, begin);
        QProcess process;
        process.setWorkingDirectory(m_folder.path());
        process.start(QStringLiteral(REMAT_BIN "/remat"), arguments);
        QVERIFY(process.waitForFinished(120000));
        const QString out = QString::fromUtf8(process.readAllStandardOutput());
        QVERIFY2(process.exitCode() == 0, process.readAllStandardError().constData());
        QVERIFY2(out.startsWith(begin) && !out.contains("saved") && !out.contains("keep-all peak"), qPrintable(out));
        if (begin == QLatin1String("{")) QVERIFY(QJsonDocument::fromJson(out.toUtf8()).isObject());
        QVERIFY(!QFile::exists(path("-")));
        const Outcome both = callRemat(arguments + QStringList{"--json"});
        QCOMPARE(both.code, 2);
        QVERIFY2(both.err.contains("--json and -o -") && both.out.isEmpty(), qPrintable(both.err));
    }

    void inputsAreNotReplaced_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("input");
        QVERIFY(QFile::link(m_graph, path("link.json")));
        QCOMPARE(::link(qPrintable(m_graph), qPrintable(path("hard.json"))), 0);
        for (const QString &name : {m_graph, m_folder.path() + "/./chain.json", path("link.json"), path("hard.json")})
            for (const auto &[command, arguments] : withOutput(name))
                if (!arguments.contains(m_sample))
                    QTest::newRow(qPrintable(command + (' ' + QFileInfo(name).fileName()))) << arguments << m_graph;
        QTest::newRow("the plan") << QStringList{"export", m_graph, m_plan, "--as", "csv", "-o", m_plan} << m_plan;
        QTest::newRow("the plan's layout") << QStringList{"layout", m_graph, m_plan, "-o", m_plan} << m_plan;
        QTest::newRow("the trace") << QStringList{"profile", m_sample, "-o", m_sample} << m_sample;
    }
    void inputsAreNotReplaced()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QString, input);
        const QByteArray before = read(input);
        const Outcome outcome = callRemat(arguments);
        QCOMPARE(outcome.code, 2);
        QVERIFY2(outcome.err.contains("which is an input"), qPrintable(outcome.err));
        QVERIFY(!before.isEmpty() && read(input) == before);
    }

    void whereToWriteIsKnownBeforeTheWork()
    {
        // What the work itself would find comes too late.
        const QStringList hopeless{"plan", QStringLiteral(REMAT_SAMPLES "/gpt2.pt2"), "--budget", "1%"};
        for (const QString &output :
             {path("none/plan.json"), m_folder.path(), QStringLiteral("/proc/plan.json"), QString()}) {
            const Outcome outcome = callRemat(hopeless + QStringList{"-o", output});
            QCOMPARE(outcome.code, 2);
            QVERIFY2(!outcome.err.isEmpty() && outcome.out.isEmpty(), qPrintable(outcome.out));
            QVERIFY2(!outcome.err.contains("budget"), qPrintable(outcome.err));
        }
        for (const auto &[name, arguments] : withOutput(path("none/file")))
            QVERIFY2(callRemat(arguments).err.contains("There is no folder"), name);
        // A file that is there is not touched by the question.
        write("kept", "kept");
        QCOMPARE(callRemat({"plan", m_graph, "--budget", "1%", "-o", path("kept")}).code, 1);
        QCOMPARE(read(path("kept")), QByteArray("kept"));
    }

    void aVerdictIsPrintedWhereItCannotBeSaved()
    {
        if (!REMAT_HAS_TORCH) REMAT_NO_TORCH("this build makes no verdicts on runs");
        const QString plan = path("tiny.plan.json");
        QCOMPARE(callRemat({"plan", m_sample, "--budget", "80%", "--solver", "chen-sqrt", "-o", plan}).code, 0);
        const Outcome saved = callRemat({"validate", m_sample, plan, "--json"});
        QVERIFY2(saved.code != 2, qPrintable(saved.err));
        QCOMPARE(saved.json()["saved"].toBool(), true);
        // Costs are another device's: bytes may be apart, times are no prediction.
        const QJsonObject gaps = saved.json()["gaps"].toObject();
        QVERIFY(gaps["time"].toArray().isEmpty());
        for (const QJsonValue &gap : gaps["memory"].toArray()) {
            QVERIFY(gap["bytes"].toInteger() ==
                    gap["workspace_bytes"].toInteger() + gap["made_bytes"].toInteger() + gap["held_bytes"].toInteger());
            QVERIFY(gap["sentence"].toString().contains(gap["op"].toString()));
        }
        QVERIFY(read(plan).contains("\"held_bytes\""));
        for (const bool json : {false, true}) {
            QProcess process; // a pipe holds a plan, and takes none
            process.start(QStringLiteral(REMAT_BIN "/remat"), QStringList{"validate", m_sample, "/dev/stdin"} +
                                                                  (json ? QStringList{"--json"} : QStringList()));
            QVERIFY(process.waitForStarted());
            process.write(read(plan));
            process.closeWriteChannel();
            QVERIFY(process.waitForFinished(120000));
            const QByteArray out = process.readAllStandardOutput(), err = process.readAllStandardError();
            QCOMPARE(process.exitCode(), saved.code);
            QVERIFY2(err.contains("The verdict is not in the plan"), err.constData());
            if (json)
                QCOMPARE(QJsonDocument::fromJson(out).object()["saved"], QJsonValue(false));
            else
                QVERIFY2(out.contains("measured"), out.constData());
        }
    }

    void numbersAreDecimalAndFinite_data()
    {
        QTest::addColumn<QStringList>("arguments");
        const QStringList plan{"plan", m_graph, "--budget", "100%", "--solver"};
        for (const char *value :
             {"nan", "inf", "-inf", "-1", "0", "1e308", "1e400", "0x10", "10x", "1,500", " 5", ""}) {
            QTest::addRow("--time-limit %s", value) << plan + QStringList{"keep-all", "--time-limit", value};
            QTest::addRow("--threads %s", value) << plan + QStringList{"keep-all", "--threads", value};
            if (qstrcmp(value, "0") == 0) continue;
            QTest::addRow("--time-limit %s of bound", value)
                << QStringList{"bound", m_graph, "--budget", "80%", "--time-limit", value};
            QTest::addRow("--set of a number %s", value)
                << plan + QStringList{"hiremate", "--set", QString("gap=") + value};
        }
        for (const char *value : {"-1", "1e3", "0x10", "1.5", "18446744073709551616", "nan"})
            QTest::addRow("--seed %s", value) << plan + QStringList{"keep-all", "--seed", value};
        for (const char *value :
             {"nan", "nan%", "inf%", "infGiB", "1e400", "1e400%", "0x10", "-nan", "1,500GiB", "5GiB%"}) {
            QTest::addRow("--budget %s", value) << QStringList{"plan", m_graph, "--budget", value};
            if (qstrcmp(value, "1,500GiB") == 0) continue; // two budgets of a list
            QTest::addRow("--budgets %s", value) << QStringList{"sweep", m_graph, "--budgets", value};
            QTest::addRow("--budgets to %s", value)
                << QStringList{"sweep", m_graph, "--budgets", QString("90%:") + value + ":-10"};
        }
    }
    void numbersAreDecimalAndFinite()
    {
        QFETCH(QStringList, arguments);
        const Outcome outcome = callRemat(arguments);
        QCOMPARE(outcome.code, 2);
        QVERIFY2(!outcome.err.isEmpty() && outcome.out.isEmpty(), qPrintable(outcome.err));
    }
};

QTEST_GUILESS_MAIN(TestCliOutput)
#include "tst_cli_output.moc"
