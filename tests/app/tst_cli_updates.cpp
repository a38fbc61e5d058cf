// SPDX-License-Identifier: Apache-2.0
// Training steps that hold the updates of an optimizer, on the command line.
#include "tests/app/cli_fixture.h"
#include "tests/support/torch.h"

#include <QtTest>

#include <cmath>

using remat::test::callRemat;
using remat::test::kTinyGpt2;
using remat::test::Outcome;

class TestCliUpdates : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void plansAreMadeAndChecked()
    {
        const QTemporaryDir folder;
        const QString file = folder.filePath("plan.json");
        const QStringList updates{"--optimizer", "adamw"};
        const Outcome made =
            callRemat(QStringList{"plan", kTinyGpt2, "--budget", "40%", "--solver", "offload-greedy-star", "--set",
                                  "parameters=on", "--json", "-o", file} +
                      updates);
        QVERIFY2(made.code == 0, qPrintable(made.out + made.err));
        QVERIFY(made.json().value("offloaded_bytes").toDouble() > 0);

        const Outcome checked = callRemat(QStringList{"check", kTinyGpt2, file} + updates);
        QVERIFY2(checked.code == 0, qPrintable(checked.out + checked.err));
        // The plan says by its fingerprint which updates its graph holds.
        QCOMPARE(callRemat({"check", kTinyGpt2, file}).out, checked.out);
        const Outcome other = callRemat({"check", kTinyGpt2, file, "--optimizer", "sgd"});
        QCOMPARE(other.code, 1);
        QVERIFY2(other.out.contains("leave --optimizer out"), qPrintable(other.out));
    }

    /// The verdict is in the plan; the updates are known by the plan itself.
    void plansRun_data()
    {
        QTest::addColumn<QString>("on");
        QTest::addColumn<QStringList>("how");
        QTest::newRow("device") << "device" << QStringList{"--device", "simulated"};
        QTest::newRow("host, at planned addresses of the CPU") << "host" << QStringList{"--memory", "arena"};
    }
    void plansRun()
    {
        QFETCH(QString, on);
        QFETCH(QStringList, how);
        if (!REMAT_HAS_TORCH) REMAT_NO_TORCH("this build runs nothing");
        const QTemporaryDir folder;
        const QString file = folder.filePath("plan.json");
        const Outcome made =
            callRemat({"plan", kTinyGpt2, "--budget", "70%", "--solver", "offload-greedy-star", "--set",
                       "parameters=on", "--optimizer", "momentum", "--optimizer-on", on, "-o", file});
        QVERIFY2(made.code == 0, qPrintable(made.out + made.err));
        const Outcome ran = callRemat(QStringList{"validate", kTinyGpt2, file, "--json"} + how);
        const QJsonObject json = ran.json();
        QVERIFY2(!json.value("differences").isUndefined(), qPrintable(ran.out + ran.err));
        QVERIFY2(json.value("differences").toArray().isEmpty(), qPrintable(ran.out));
        QVERIFY(json.value("updated").toInt() > 0);
        QCOMPARE(json.value("updated_equal"), json.value("updated"));
        QVERIFY(json.value("sentence").toString().contains("updated parameters and states equal bit for bit"));
        QVERIFY(json.value("host_bytes").toDouble() > 0);
        QCOMPARE(json.value("height_bytes"), json.value("planned_height_bytes"));
        QVERIFY(!json.value("checksums").toObject().isEmpty());
        // The record is the plan's from now on.
        const Outcome checked = callRemat({"check", kTinyGpt2, file});
        QVERIFY2(checked.code == 0 && checked.out.contains("bit for bit"), qPrintable(checked.out));
        QCOMPARE(callRemat(QStringList{"validate", kTinyGpt2, file, "--optimizer", "sgd"} + how).code, 1);
    }

    void costsOfUpdatesFollowTheHost()
    {
        const auto us = [](const QStringList &device) {
            const Outcome costs = callRemat(
                QStringList{"costs", kTinyGpt2, "--json", "--optimizer", "momentum", "--optimizer-on", "host"} +
                device);
            double sum = 0;
            const QJsonObject times = costs.json().value("time_us").toObject();
            for (auto it = times.begin(); it != times.end(); ++it)
                if (it.key().startsWith("update_")) sum += it.value().toDouble() - 4; // what starts an op
            return sum;
        };
        const double desktop = us({"--device", "rtx4090"}), server = us({"--device", "h100"});
        QVERIFY(server > 0);
        QVERIFY2(std::abs(desktop / server - 3.072 / 0.896) < 0.01, qPrintable(QString::number(desktop / server)));
    }

    void otherCommandsKnowThem()
    {
        const auto ops = [](const QStringList &flags) {
            return callRemat(QStringList{"info", kTinyGpt2, "--json"} + flags).json().value("ops").toInt();
        };
        QVERIFY(ops({}) > 0);
        QVERIFY(ops({"--optimizer", "momentum", "--optimizer-at", "end"}) > ops({}));
        QCOMPARE(ops({"--optimizer", "none"}), ops({}));
        QCOMPARE(callRemat({"bound", kTinyGpt2, "--budget", "80%", "--quick", "--optimizer", "sgd"}).code, 0);
        const QStringList toHost = {
            "plan",   kTinyGpt2,     "--budget", "70%",           "--planner", "offload-greedy-star",
            "--json", "--optimizer", "adamw",    "--optimizer-on"};
        const Outcome onHost = callRemat(toHost + QStringList{"host"});
        QVERIFY2(onHost.code == 0, qPrintable(onHost.out + onHost.err));
        // Weights leave for their update and come back, so they are planned without being asked.
        QVERIFY(onHost.json().value("parameters_planned").toBool());
        QVERIFY(!callRemat(toHost + QStringList{"device"}).json().value("parameters_planned").toBool());
        QCOMPARE(callRemat({"info", kTinyGpt2, "--optimizer", "magic"}).code, 2);
    }
};

QTEST_GUILESS_MAIN(TestCliUpdates)
#include "tst_cli_updates.moc"
