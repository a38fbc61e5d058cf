// SPDX-License-Identifier: Apache-2.0
// remat profile: a real one of a small model; --compare and --merge on files; wrong files and wrong calls.
#include "core/base/file.h"
#include "core/costs/profile.h"
#include "gpu/runtime.h"
#include "tests/app/cli_fixture.h"
#include "tests/support/graph_file.h"
#include "tests/support/graphs.h"
#include "tests/support/torch.h"

#include <QtTest>

using remat::test::callRemat;
using remat::test::kTinyGpt2;
using remat::test::Outcome;

class TestCliProfile : public QObject, remat::test::InFolder
{
    Q_OBJECT

    QString m_model;
    remat::Graph m_graph;

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

    void mergedProfilesAreAProfile()
    {
        QVERIFY(!writeProfileOf(m_graph, "more.json", "2.11.0", {12, 20, 5, 40, 30}).isEmpty());
        const QStringList call{"profile", m_model, "--merge", path("a.json"), path("more.json"), "-o"};
        const Outcome made = callRemat(call + QStringList{path("both.json"), "--json"});
        QVERIFY2(made.code == 0, qPrintable(made.out + made.err));
        QCOMPARE(made.json()["steps"].toInt(), 10);
        QCOMPARE(made.json()["distinct_ops"].toInt(), 5); // a graph says nothing of what is equal
        const auto both = remat::readProfile(path("both.json").toStdString(), m_graph);
        QVERIFY2(both.has_value(), both ? "" : both.error().message.c_str());
        QCOMPARE(both->ops[0].timeUs, 11.0);
        QCOMPARE(both->ops[1].timeUs, 20.0);
        QCOMPARE(both->ops[1].samples, std::int64_t(10));
        QVERIFY(remat::medianError(both->ops[1]) < 0.5 / 20); // the spread of one of them
        const Outcome said = callRemat(call + QStringList{path("again.json")});
        QVERIFY2(said.code == 0 && said.out.contains("5 of them are distinct"), qPrintable(said.out + said.err));
        // Costs like any others.
        const Outcome costs = callRemat({"costs", m_model, "--profile", path("both.json"), "--json"});
        QVERIFY2(costs.code == 0, qPrintable(costs.out + costs.err));
    }

    void wholeStepsAndTheLinkAreCompared()
    {
        remat::Profile profile;
        profile.device = "cpu";
        profile.ops = {{10, 0, 0}, {20, 0, 0}, {5, 0, 0}, {40, 0, 0}, {30, 0, 0}};
        profile.step = {120, 2, 5};
        profile.link = {{4096, 1, 1}, {1 << 20, 100, 110}};
        profile.clocks = {"performance", 3000, 3000, 0};
        QVERIFY(remat::writeProfile(path("s.json").toStdString(), profile, m_graph).has_value());
        profile.step = {150, 3, 5};
        profile.link[1].toHostUs = 200;
        QVERIFY(remat::writeProfile(path("t.json").toStdString(), profile, m_graph).has_value());
        const QStringList call{"profile", m_model, "--compare", path("s.json"), path("t.json")};
        const QJsonObject json = callRemat(call + QStringList{"--json"}).json();
        QCOMPARE(json["steps"]["change_us"].toDouble(), -30.0);
        QCOMPARE(json["steps"]["beyond_spread"].toBool(), true);
        QCOMPARE(json["link"].toArray().size(), 1);
        QCOMPARE(json["link"][0]["b"]["to_host_us"].toDouble(), 200.0);
        QCOMPARE(json["differ"].toArray(), QJsonArray{"link"});
        const Outcome said = callRemat(call);
        for (const char *part : {"Whole steps take 0.12 ms", "take 0.15 ms", "more than both spreads", "1.00 MiB"})
            QVERIFY2(said.out.contains(part), qPrintable(said.out));
        const Outcome older = callRemat({"profile", m_model, "--compare", path("a.json"), path("s.json")});
        QVERIFY2(older.out.contains("were not measured in A"), qPrintable(older.out));
    }

    void aRealProfileSaysHowFarItCanBeTrusted()
    {
        if (!remat::runtimeInfo().available) REMAT_NO_TORCH(remat::runtimeInfo().sentence.c_str());
        const QString trace = kTinyGpt2;
        const Outcome made = callRemat({"profile", trace, "--repeats", "4", "-o", path("real.json"), "--json"});
        QVERIFY2(made.code == 0, qPrintable(made.out + made.err));
        const QJsonObject json = made.json();
        QVERIFY(json["distinct_ops"].toInt() * 3 < json["ops"].toInt() * 2); // two equal blocks
        QVERIFY(json["steps"].toInt() >= 3 && json["steps"].toInt() <= 4);
        QCOMPARE(json["samples"].toInt(), json["ops"].toInt() * json["steps"].toInt());
        QVERIFY(json["link"]["copies"].toArray().size() >= 5);
        QVERIFY(json["link"]["bytes_per_second"].toDouble() >= 0);
        QVERIFY(json["clocks"].toObject().contains("known"));
        const QJsonObject written = QJsonDocument::fromJson(read(path("real.json"))).object();
        QCOMPARE(written["distinct_ops"].toInt(), json["distinct_ops"].toInt());
        QVERIFY(written["ops"][0]["samples"].toInt() >= 3);
    }

    void opsThatOneLacksAreNamed()
    {
        QJsonObject json = QJsonDocument::fromJson(read(path("b.json"))).object();
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
        says({"--compare", m_model, path("b.json")}, "where a file of costs is needed");
        says({"--compare", path("a.json")}, "--compare");
        says({"--compare", path("a.json"), path("b.json"), "-o", path("c.json")}, "--compare");
        says({}, "-o");
        says({"--merge", path("a.json"), path("b.json"), "-o", path("c.json")}, "2.12.0");
        says({"--merge", path("a.json"), path("b.json")}, "-o");
        says({"--merge", path("a.json"), path("other.json"), "-o", path("c.json")}, "another graph");
        says({"--merge", path("a.json"), path("a.json"), "-o", path("a.json")}, "a.json");
        says({"--merge", path("a.json"), path("a.json"), "--compare", path("a.json"), path("a.json")}, "--compare");
        says({"--spread", "0%", "-o", path("c.json")}, "--spread");
        says({"--spread", "much", "-o", path("c.json")}, "--spread");
        says({"--device", "cuda:x", "-o", path("c.json")}, "cuda:x");
        says({"--device", "gpu", "-o", path("c.json")}, "--device");
    }
};

QTEST_GUILESS_MAIN(TestCliProfile)
#include "tst_cli_profile.moc"
