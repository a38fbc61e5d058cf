// remat profile --compare on real files: text, JSON, wrong files and wrong calls.
#include "core/base/file.h"
#include "core/costs/profile.h"
#include "tests/app/cli_fixture.h"
#include "tests/support/graph_file.h"
#include "tests/support/graphs.h"

#include <QTemporaryDir>
#include <QtTest>

using remat::test::callRemat;
using remat::test::Outcome;

class TestCliProfile : public QObject
{
    Q_OBJECT

    QTemporaryDir m_dir;
    QString m_model;
    remat::Graph m_graph;

    QString path(const QString &name) const { return m_dir.filePath(name); }

    /// Op i takes `timesUs[i]`, with a spread of 0.5 µs.
    QString writeProfileOf(const remat::Graph &graph, const QString &name, const std::string &version,
                           const std::vector<double> &timesUs) const
    {
        remat::Profile profile;
        profile.device = "cpu";
        profile.deviceTitle = "Intel";
        profile.torchVersion = version;
        profile.repeats = 5;
        for (const double time : timesUs)
            profile.ops.push_back({time, 0.5, 0});
        return remat::writeProfile(path(name).toStdString(), profile, graph) ? path(name) : QString();
    }

private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY(m_dir.isValid());
        m_model = path("chain.json");
        QVERIFY(remat::writeFileAtomically(m_model.toStdString(), remat::test::graphText(remat::test::chainGraph(2))));
        auto model = remat::readModel(m_model.toStdString());
        QVERIFY(model.has_value());
        m_graph = std::move(model->graph);
        QVERIFY(!writeProfileOf(m_graph, "a.json", "2.11.0", {10, 20, 5, 40, 30}).isEmpty());
        QVERIFY(!writeProfileOf(m_graph, "b.json", "2.12.0", {10, 20.5, 5, 44, 30}).isEmpty());
    }

    void jsonHasAllThatDiffers()
    {
        const Outcome made = callRemat({"profile", m_model, "--compare", path("a.json"), path("b.json"), "--json"});
        QVERIFY2(made.code == 0, qPrintable(made.out + made.err));
        const QJsonObject json = made.json();
        QCOMPARE(json["differ"].toArray(), QJsonArray{"PyTorch"});
        QCOMPARE(json["a"]["torch"].toString(), QStringLiteral("2.11.0"));
        QCOMPARE(json["b"]["file"].toString(), path("b.json"));
        QCOMPARE(json["shared_ops"].toInt(), 5);
        QCOMPARE(json["shared_time_us"]["a"].toDouble(), 105.0);
        QCOMPARE(json["shared_time_us"]["b"].toDouble(), 109.5);
        const QJsonArray ops = json["ops"].toArray();
        QCOMPARE(ops.size(), 2);
        QCOMPARE(ops[0]["op"].toString(), QString::fromStdString(m_graph.ops[3].name));
        QCOMPARE(ops[0]["change_us"].toDouble(), -4.0);
        QCOMPARE(ops[0]["beyond_spread"].toBool(), true);
        QCOMPARE(ops[1]["change_us"].toDouble(), -0.5);
        QCOMPARE(ops[1]["beyond_spread"].toBool(), false);
        QVERIFY(!json["kinds"].toArray().isEmpty());
        QVERIFY(json["only_a"].toArray().isEmpty() && json["only_b"].toArray().isEmpty());
    }

    void textSaysIt()
    {
        const Outcome made = callRemat({"profile", m_model, "--compare", path("a.json"), path("b.json")});
        QVERIFY2(made.code == 0, qPrintable(made.out + made.err));
        for (const char *part :
             {"2.11.0", "2.12.0", "Ops that both measured: 5;", "Ops that differ: 2,", "both runs: 1."})
            QVERIFY2(made.out.contains(part), qPrintable(made.out));
        const Outcome same = callRemat({"profile", m_model, "--compare", path("a.json"), path("a.json")});
        QVERIFY2(same.code == 0 && same.out.contains("No op that both measured differs"), qPrintable(same.out));
    }

    void opsThatOneLacksAreNamed()
    {
        QFile file(path("b.json"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QJsonObject json = QJsonDocument::fromJson(file.readAll()).object();
        QJsonArray ops = json["ops"].toArray();
        const QString gone = ops.takeAt(1).toObject()["op"].toString();
        json["ops"] = ops;
        QVERIFY(remat::writeFileAtomically(path("few.json").toStdString(), QJsonDocument(json).toJson().toStdString()));
        const QStringList call{"profile", m_model, "--compare", path("a.json"), path("few.json")};
        const Outcome said = callRemat(call);
        QVERIFY2(said.code == 0 && said.out.contains("Only A has one op: " + gone), qPrintable(said.out + said.err));
        QCOMPARE(callRemat(call + QStringList{"--json"}).json()["only_a"].toArray(), QJsonArray{gone});
    }

    void wrongInputsGetSentences()
    {
        const remat::Graph other = remat::test::chainGraph(3);
        QVERIFY(!writeProfileOf(other, "other.json", "2.11.0", {1, 1, 1, 1, 1, 1, 1}).isEmpty());
        const auto says = [&](const QStringList &arguments, const char *part) {
            const Outcome outcome = callRemat(QStringList{"profile", m_model} + arguments);
            QVERIFY2(outcome.code == 2 && outcome.out.isEmpty() && outcome.err.contains(part),
                     qPrintable(outcome.out + outcome.err));
        };
        says({"--compare", path("a.json"), path("other.json")}, "another graph");
        says({"--compare", path("none.json"), path("b.json")}, "none.json");
        says({"--compare", m_model, path("b.json")}, "remat-profile/1");
        says({"--compare", path("a.json")}, "--compare");
        says({"--compare", path("a.json"), path("b.json"), "-o", path("c.json")}, "--compare");
        says({}, "-o");
    }
};

QTEST_GUILESS_MAIN(TestCliProfile)
#include "tst_cli_profile.moc"
