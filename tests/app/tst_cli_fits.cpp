// SPDX-License-Identifier: Apache-2.0
// remat fits: what training takes, the verdict of a device with its reason, exit codes.
#include "tests/app/cli_fixture.h"

using remat::test::callRemat;
using remat::test::chainJson;
using remat::test::Outcome;

class TestCliFits : public QObject, remat::test::InFolder
{
    Q_OBJECT

    QString m_graph;

    Outcome ask(const QStringList &more) const
    {
        return callRemat(QStringList{"fits", m_graph, "--reserve", "0", "--time-limit", "1"} + more);
    }
    /// What an H100 says that has so much memory.
    QJsonObject device(int bytes, int code, const QStringList &more = {}) const
    {
        const Outcome said = ask(
            QStringList{"--optimizer", "none", "--devices", "h100", "--memory", QString("%1B").arg(bytes), "--json"} +
            more);
        if (said.code != code) qWarning("ended with %d: %s", said.code, qPrintable(said.err));
        return said.code == code ? said.json()["devices"][0].toObject() : QJsonObject();
    }

private Q_SLOTS:
    void initTestCase() { m_graph = write("chain.json", chainJson(6, "chain")); }

    void partsAddUp()
    {
        const QJsonObject said = ask({"--optimizer", "none", "--devices", "h100", "--json"}).json();
        QCOMPARE(said["resident_bytes"].toInt(), 1000);
        QCOMPARE(said["step_bytes"].toInt(), 7004);
        QCOMPARE(said["workspace_bytes"].toInt(), 0);
        QCOMPARE(said["needed_bytes"].toInt(), 8004);
        const QJsonObject states = ask({"--optimizer", "adamw", "--devices", "h100", "--json"}).json();
        QCOMPARE(states["gradients_bytes"].toInt(), 1000); // the output of a graph from JSON
        QCOMPARE(states["optimizer_bytes"].toInt(), 2000);
        QCOMPARE(states["update_bytes"].toInt(), 1000);
        const QJsonObject more = ask({"--optimizer-bytes", "300", "--gradients-bytes", "6000", "--update-bytes", "5000",
                                      "--devices", "h100", "--json"})
                                     .json();
        QCOMPARE(more["needed_bytes"].toInt(), 1000 + 300 + 11000);
    }

    void verdictsHaveReasons()
    {
        QCOMPARE(device(8004, 0)["verdict"].toString(), QStringLiteral("fits"));
        const QJsonObject planned = device(8003, 0);
        QCOMPARE(planned["verdict"].toString(), QStringLiteral("fits with a plan"));
        QCOMPARE(planned["budget_bytes"].toInt(), 7003);
        QVERIFY(planned["overhead"].toDouble() > 0 && planned["overhead"].toDouble() < 0.5);
        const QJsonObject proven = device(3900, 1);
        QCOMPARE(proven["verdict"].toString(), QStringLiteral("cannot fit"));
        QVERIFY2(proven["reason"].toString().startsWith("Every plan holds"), qPrintable(proven["reason"].toString()));
        QVERIFY(device(1000, 1)["reason"].toString().startsWith("Parameters, inputs and states alone"));
        QVERIFY(device(8004, 1, {"--gradients-bytes", "7005"})["reason"].toString().startsWith("The update alone"));
        const QJsonObject weak = device(8003, 1, {"--solver", "keep-all"});
        QCOMPARE(weak["verdict"].toString(), QStringLiteral("no plan found"));
        QVERIFY(!weak["reason"].toString().isEmpty() && weak["overhead"].isNull());
    }

    void anotherBatchTellsTheLargest()
    {
        const QString larger = write("larger.json", chainJson(6, "chain").replace("1000", "3000"));
        const QStringList more{"--other-batch", larger};
        const QJsonObject asItIs = device(5 * 8000 + 4, 0, more);
        QCOMPARE(asItIs["largest_batch"].toInt(), 5);
        QVERIFY2(asItIs["largest_batch_with_plan"].toInt() > 5, qPrintable(QJsonDocument(asItIs).toJson()));
        QVERIFY(!device(8004, 0).contains("largest_batch"));
        const Outcome said = ask(QStringList{"--devices", "h100", "--optimizer", "none", "--memory", "40004B"} + more);
        QVERIFY2(said.out.contains("Largest batch 5, with a plan "), qPrintable(said.out));
        const Outcome same = ask({"--other-batch", m_graph});
        QCOMPARE(same.code, 2);
        QVERIFY2(same.err.contains("same sizes"), qPrintable(same.err));
        QCOMPARE(ask({"--other-batch", "none.pt2"}).code, 2);
    }

    void allDevicesAreAsked()
    {
        const Outcome all = ask({});
        QCOMPARE(all.code, 0);
        QVERIFY2(all.out.contains("NVIDIA T4 16 GB") && all.out.contains("in all, when everything is kept"),
                 qPrintable(all.out));
        const QDir devices(QStringLiteral(REMAT_SAMPLES "/../devices"));
        QCOMPARE(ask({"--json"}).json()["devices"].toArray().size() + 1, // all but the one for comparisons
                 devices.entryList({QStringLiteral("*.json")}).size());
    }

    void wrongCallsGetASentence()
    {
        const Outcome device = ask({"--devices", "abacus"});
        QCOMPARE(device.code, 2);
        QVERIFY2(device.err.contains("abacus") && device.err.contains("h100"), qPrintable(device.err));
        QVERIFY(ask({"--optimizer", "adamm"}).err.contains("There are: adamw, adam, momentum, sgd, none."));
        QCOMPARE(ask({"--reserve", "120"}).code, 2);
        QVERIFY(ask({"--optimizer-bytes", "5GiB"}).err.contains("takes a whole number from 0 to"));
        QVERIFY(ask({"--chunk", "head=many"}).err.contains("a graph without operators"));
        QVERIFY(ask({"--never-chunk", "nothing"}).code == 2);
    }

    void wrongMemoryIsToldWhatItTakes()
    {
        const QString sentence =
            "--memory takes bytes with a unit such as 24GiB, or a share of each device's own memory such as 50%, not ";
        for (const QString text : {"0", "-5GiB", "-10%", "50%%", "much", "", "nan", "1e400", "50", "5G", "0%"}) {
            const Outcome said = ask({"--memory=" + text});
            QCOMPARE(said.code, 2);
            QVERIFY2(said.err.startsWith(sentence) && said.err.count('\n') == 1, qPrintable(said.err));
        }
        for (const QString text : {"50%", "0.5"})
            QVERIFY(ask({"--codegen", "inductor", "--memory", text}).err.contains("for all devices alike"));
        QVERIFY(ask({"--codegen", "inductor", "--memory", "50"}).err.startsWith(sentence));
    }
};

QTEST_GUILESS_MAIN(TestCliFits)
#include "tst_cli_fits.moc"
