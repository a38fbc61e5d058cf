// Training steps that hold the updates of an optimizer, on the command line.
#include "tests/app/cli_fixture.h"

#include <QTemporaryDir>
#include <QtTest>

using remat::test::callRemat;
using remat::test::Outcome;

namespace {

const QString kModel = QStringLiteral(REMAT_SAMPLES "/tiny_gpt2.pt2");

} // namespace

class TestCliUpdates : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void plansAreMadeAndChecked()
    {
        const QTemporaryDir folder;
        const QString file = folder.filePath("plan.json");
        const QStringList updates{"--optimizer", "adamw"};
        const Outcome made = callRemat(QStringList{"plan", kModel, "--budget", "40%", "--solver", "offload-greedy-star",
                                                   "--set", "parameters=on", "--json", "-o", file} +
                                       updates);
        QVERIFY2(made.code == 0, qPrintable(made.out + made.err));
        QVERIFY(made.json().value("offloaded_bytes").toDouble() > 0);

        const Outcome checked = callRemat(QStringList{"check", kModel, file} + updates);
        QVERIFY2(checked.code == 0, qPrintable(checked.out + checked.err));
        // Without the flag it is a plan of another graph, and the answer says which.
        const Outcome without = callRemat({"check", kModel, file});
        QCOMPARE(without.code, 1);
        QVERIFY2(without.out.contains("add --optimizer adamw --optimizer-at gradient --optimizer-on device"),
                 qPrintable(without.out));
        QCOMPARE(callRemat({"check", kModel, file, "--optimizer", "sgd"}).code, 1);
    }

    void otherCommandsKnowThem()
    {
        const auto ops = [](const QStringList &flags) {
            return callRemat(QStringList{"info", kModel, "--json"} + flags).json().value("ops").toInt();
        };
        QVERIFY(ops({}) > 0);
        QVERIFY(ops({"--optimizer", "momentum", "--optimizer-at", "end"}) > ops({}));
        QCOMPARE(ops({"--optimizer", "none"}), ops({}));
        QCOMPARE(callRemat({"bound", kModel, "--budget", "80%", "--quick", "--optimizer", "sgd"}).code, 0);
        const Outcome onHost = callRemat({"plan", kModel, "--budget", "70%", "--solver", "offload-greedy-star", "--set",
                                          "parameters=on", "--optimizer", "adamw", "--optimizer-on", "host"});
        QVERIFY2(onHost.code == 0, qPrintable(onHost.out + onHost.err));
        QCOMPARE(callRemat({"info", kModel, "--optimizer", "magic"}).code, 2);
    }
};

QTEST_GUILESS_MAIN(TestCliUpdates)
#include "tst_cli_updates.moc"
