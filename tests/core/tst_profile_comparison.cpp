// SPDX-License-Identifier: Apache-2.0
// Two profiles of one graph: sums by kind, ops by the size of the change, facts that differ, ops that one lacks.
#include "core/base/file.h"
#include "core/costs/profile_comparison.h"
#include "core/io/plan_text.h"
#include "tests/support/graphs.h"

#include <QtTest>

#include <nlohmann/json.hpp>

using namespace remat;

namespace {

/// Three ops of the kinds mm, add and mm.
Graph threeOps()
{
    test::GraphBuilder builder;
    StorageId last = builder.resident(8);
    for (const char *kind : {"mm", "add", "mm"}) {
        const OpId op = builder.op({last}, {{8}});
        builder.edit(op).kind = kind;
        last = builder.output(op);
    }
    builder.edit(last).isOutput = true;
    return builder.finish();
}

StoredProfile storedOf(const Graph &graph, const std::vector<OpMeasurement> &ops)
{
    StoredProfile stored;
    stored.profile.fingerprint = graph.fingerprint;
    stored.profile.graphName = graph.name;
    stored.profile.device = "cpu";
    stored.profile.deviceTitle = "Intel";
    stored.profile.torchVersion = "2.11.0";
    stored.profile.repeats = 5;
    stored.profile.ops = ops;
    stored.measured.assign(ops.size(), 1);
    stored.writtenBy = "Remat Studio 0.1.0";
    return stored;
}

} // namespace

class TstProfileComparison : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void sameProfilesDifferInNothing()
    {
        const Graph graph = threeOps();
        const StoredProfile stored = storedOf(graph, {{10, 1, 0}, {5, 0, 64}, {2, 0, 0}});
        const ProfileComparison same = compareProfiles(graph, stored, stored);
        QVERIFY(same.facts.empty() && same.kinds.empty() && same.ops.empty());
        QVERIFY(same.onlyA.empty() && same.onlyB.empty());
        QCOMPARE(same.shared, 3);
        QCOMPARE(same.aUs, 17.0);
        QCOMPARE(same.bUs, 17.0);
    }

    void largestChangeFirst()
    {
        const Graph graph = threeOps();
        const StoredProfile a = storedOf(graph, {{10, 1, 0}, {5, 0, 64}, {2, 0, 0}});
        StoredProfile b = storedOf(graph, {{11, 1, 0}, {5, 0, 128}, {6, 1, 0}});
        b.profile.device = "cuda";
        b.profile.torchVersion = "2.12.0";
        b.profile.repeats = 0;
        const ProfileComparison c = compareProfiles(graph, a, b);

        QCOMPARE(c.facts.size(), std::size_t(3));
        QCOMPARE(c.facts[0].name, std::string("device"));
        QCOMPARE(c.facts[0].a, std::string("cpu"));
        QCOMPARE(c.facts[0].b, std::string("cuda"));
        QCOMPARE(c.facts[1].b, std::string("2.12.0"));
        QCOMPARE(c.facts[2].a, std::string("5"));
        QVERIFY(c.facts[2].b.empty());

        QCOMPARE(c.kinds.size(), std::size_t(1)); // add takes as long as before
        QCOMPARE(c.kinds[0].kind, std::string("mm"));
        QCOMPARE(c.kinds[0].ops, 2);
        QCOMPARE(c.kinds[0].aUs, 12.0);
        QCOMPARE(c.kinds[0].bUs, 17.0);
        QCOMPARE(c.kinds[0].changeUs(), -5.0);

        QCOMPARE(c.ops.size(), std::size_t(3));
        QCOMPARE(c.ops[0].op, OpId(2));
        QCOMPARE(c.ops[0].changeUs(), -4.0);
        QVERIFY(c.ops[0].beyondSpread());
        QCOMPARE(c.ops[1].op, OpId(0));
        QVERIFY(!c.ops[1].beyondSpread()); // 1 apart, spreads of 1 each
        QCOMPARE(c.ops[2].op, OpId(1));    // the workspace alone
        QCOMPARE(c.ops[2].changeUs(), 0.0);
    }

    void wholeStepsLinkAndClocksStandBesideEachOther()
    {
        const Graph graph = threeOps();
        StoredProfile a = storedOf(graph, {{10, 1, 0}, {5, 0, 64}, {2, 0, 0}}), b = a;
        QVERIFY(!compareProfiles(graph, a, b).hasSteps());
        a.profile.step = {20, 1, 0};
        b.profile.step = {25, 1, 0};
        a.profile.link = {{4096, 1, 1}, {8192, 2, 2}};
        b.profile.link = {{4096, 1, 1}, {8192, 2, 4}, {16384, 8, 8}};
        a.profile.clocks = {"powersave", 800, 800, 0};
        const ProfileComparison c = compareProfiles(graph, a, b);
        QVERIFY(c.hasSteps() && c.stepsBeyondSpread());
        QCOMPARE(c.stepChangeUs(), -5.0);
        QCOMPARE(c.link.size(), std::size_t(1));
        QCOMPARE(c.link[0].a.bytes, std::int64_t(8192));
        QCOMPARE(c.link[0].b.toDeviceUs, 4.0);
        QCOMPARE(c.facts.size(), std::size_t(2));
        QCOMPARE(c.facts[0].name, std::string("clocks"));
        QVERIFY(c.facts[0].b.empty());
        QCOMPARE(c.facts[1].name, std::string("link"));
        b.profile.step.timeUs = 21.5;
        QVERIFY(!compareProfiles(graph, a, b).stepsBeyondSpread());
    }

    void opsThatOneLacksCountInNoSum()
    {
        const Graph graph = threeOps();
        StoredProfile a = storedOf(graph, {{10, 0, 0}, {5, 0, 0}, {2, 0, 0}});
        StoredProfile b = storedOf(graph, {{12, 0, 0}, {5, 0, 0}, {2, 0, 0}});
        a.measured[1] = 0;
        b.measured[2] = 0;
        const ProfileComparison c = compareProfiles(graph, a, b);
        QCOMPARE(c.onlyA, std::vector<OpId>{OpId(2)});
        QCOMPARE(c.onlyB, std::vector<OpId>{OpId(1)});
        QCOMPARE(c.shared, 1);
        QCOMPARE(c.aUs, 10.0);
        QCOMPARE(c.bUs, 12.0);
        a.measured[0] = 0;
        QCOMPARE(compareProfiles(graph, a, b).shared, 0);
    }

    void readsWhatIsIncompleteAndNamesWhoWroteIt()
    {
        const QTemporaryDir folder;
        const std::string path = folder.filePath("p.json").toStdString();
        const Graph graph = threeOps();
        const StoredProfile whole = storedOf(graph, {{10, 1, 0}, {5, 0, 64}, {2, 0, 0}});
        auto json = nlohmann::json::parse(profileText(whole.profile, graph));
        json["ops"].erase(1);
        json["written_by"] = "Somebody 3";
        QVERIFY(writeFileAtomically(path, json.dump()));

        const auto read = readStoredProfile(path, graph);
        QVERIFY2(read.has_value(), read ? "" : read.error().message.c_str());
        QCOMPARE(read->measured, (std::vector<char>{1, 0, 1}));
        QCOMPARE(read->writtenBy, std::string("Somebody 3"));
        QCOMPARE(read->profile.ops[2].timeUs, 2.0);
        // For costs a profile has every op.
        const auto costs = readProfile(path, graph);
        QVERIFY(!costs && costs.error().message.find("no measurement of the op") != std::string::npos);
        const auto other = readStoredProfile(path, test::chainGraph(3));
        QVERIFY(!other && other.error().message.find("another graph") != std::string::npos);
    }
};

QTEST_APPLESS_MAIN(TstProfileComparison)
#include "tst_profile_comparison.moc"
