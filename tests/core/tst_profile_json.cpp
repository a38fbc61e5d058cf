#include "archive_fixture.h"

#include "core/base/file.h"
#include "core/costs/profile.h"
#include "tests/support/graphs.h"

#include <QtTest>

#include <cmath>

using namespace remat;

namespace {

Profile fullProfile(const Graph &graph)
{
    Profile profile;
    profile.fingerprint = graph.fingerprint;
    profile.graphName = graph.name;
    profile.device = "cuda";
    profile.deviceTitle = "NVIDIA H200";
    profile.torchVersion = "2.11.0";
    profile.repeats = 20;
    profile.aliasMismatches = {"view_3"};
    profile.step = {2.5, 100, 0.25};
    for (std::size_t i = 0; i < graph.ops.size(); ++i)
        profile.ops.push_back({0.1 * static_cast<double>(i) + 1.0 / 3, 0.01, static_cast<std::int64_t>(i) * 1000});
    return profile;
}

} // namespace

class TstProfileJson : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void roundTrip()
    {
        const test::Folder folder;
        const Graph graph = test::chainGraph(4);
        const Profile profile = fullProfile(graph);
        QVERIFY(writeProfile(folder.path("p.json"), profile, graph));
        const auto read = readProfile(folder.path("p.json"), graph);
        QVERIFY2(read.has_value(), read ? "" : read.error().message.c_str());
        QCOMPARE(read->fingerprint, profile.fingerprint);
        QCOMPARE(read->graphName, profile.graphName);
        QCOMPARE(read->device, profile.device);
        QCOMPARE(read->deviceTitle, profile.deviceTitle);
        QCOMPARE(read->torchVersion, profile.torchVersion);
        QCOMPARE(read->repeats, profile.repeats);
        QCOMPARE(read->aliasMismatches, profile.aliasMismatches);
        QCOMPARE(read->step.timeUs, profile.step.timeUs);
        QCOMPARE(read->step.spreadUs, profile.step.spreadUs);
        QCOMPARE(read->step.betweenUs, profile.step.betweenUs);
        QCOMPARE(read->ops.size(), profile.ops.size());
        for (std::size_t i = 0; i < profile.ops.size(); ++i) {
            QCOMPARE(read->ops[i].timeUs, profile.ops[i].timeUs);
            QCOMPARE(read->ops[i].spreadUs, profile.ops[i].spreadUs);
            QCOMPARE(read->ops[i].workspaceBytes, profile.ops[i].workspaceBytes);
        }
    }

    void becomesCosts()
    {
        const Graph graph = test::chainGraph(4);
        Device link;
        link.linkBytesPerSecond = 5e9;
        link.linkLatencyUs = 3;
        const auto costs = profileCosts(graph, fullProfile(graph), link);
        QVERIFY(costs.has_value());
        QCOMPARE(costs->time(OpId(3)), 0.1 * 3 + 1.0 / 3);
        QCOMPARE(costs->workspace(OpId(3)), std::int64_t(3000));
        QCOMPARE(costs->linkBytesPerSecond, 5e9);
        QCOMPARE(costs->linkLatencyUs, 3.0);
        QVERIFY(sameOpCosts(costs->source, {"profile", "NVIDIA H200"}));
        QVERIFY(!profileCosts(test::chainGraph(5), fullProfile(graph), link));
    }

    void wholeStepsCorrectTheSumOfTheirOps()
    {
        const Graph graph = test::chainGraph(4);
        Profile profile = fullProfile(graph);
        const double opsUs = sumOfOpsUs(profile);
        const auto keepAllUs = [&] { return keepAllTimeUs(profileCosts(graph, profile, Device()).value()); };
        const auto near = [](double a, double b) { return std::abs(a - b) < 1e-9; };
        const double ops = double(profile.ops.size());

        // What lies between ops is theirs in equal shares; the rest scales them.
        profile.step = {opsUs + 1, 0.5, 0.4};
        QVERIFY(near(keepAllUs(), opsUs + 1));
        QVERIFY(near(stepCorrection(profile).addUs, 0.4 / ops));
        QVERIFY(near(stepCorrection(profile).scale, (opsUs + 0.6) / opsUs));
        profile.step = {opsUs * 0.8, 0, 0};
        QVERIFY(near(keepAllUs(), opsUs * 0.8));

        // Within the spread of the steps nothing is systematic, and old files have no steps.
        for (const StepTimes &step : {StepTimes{opsUs + 1, 1.5, 0.4}, StepTimes{}}) {
            profile.step = step;
            QCOMPARE(keepAllUs(), opsUs);
        }
        // No file makes times that are none.
        profile.step = {1e15, 0, 1e300};
        QVERIFY(std::isfinite(keepAllUs()));
        profile.step = {1e15, 0, 0};
        QVERIFY(near(keepAllUs(), 2 * opsUs));
    }

    void refusals()
    {
        const test::Folder folder;
        const Graph graph = test::chainGraph(4);
        QVERIFY(writeProfile(folder.path("p.json"), fullProfile(graph), graph));
        const test::Json good = test::Json::parse(readFile(folder.path("p.json")).value());
        const auto refused = [&](const char *pointer, const test::Json &value, const char *part) {
            test::Json json = good;
            json[test::Json::json_pointer(pointer)] = value;
            const auto read = readProfile(folder.write("q.json", json.dump()), graph);
            if (read) return false;
            qInfo("%s", read.error().message.c_str());
            return read.error().message.find(part) != std::string::npos;
        };
        QVERIFY(refused("/format", "remat-plan/1", "remat-profile/1"));
        QVERIFY(refused("/graph/fingerprint", "00", "another graph"));
        QVERIFY(refused("/ops/1/op", "nobody", "ops[1].op"));
        QVERIFY(refused("/ops/1/op", graph.ops[0].name, "already"));
        QVERIFY(refused("/ops/1/time_us", -1, "ops[1].time_us"));
        QVERIFY(refused("/ops/1/time_us", 1e20, "ops[1].time_us"));
        QVERIFY(refused("/ops/1/time_us", nullptr, "ops[1].time_us"));
        QVERIFY(refused("/step/time_us", -1, "step.time_us"));
        QVERIFY(refused("/step/spread_us", -1, "step.spread_us"));
        QVERIFY(refused("/step/between_us", "some", "step.between_us"));
        QVERIFY(refused("/ops/1/workspace_bytes", -1, "ops[1].workspace_bytes"));
        QVERIFY(refused("/ops/1/workspace_bytes", 9000000000000000000, "ops[1].workspace_bytes"));
        QVERIFY(refused("/ops", test::Json::array({good["ops"][0]}), "no measurement"));
        QVERIFY(!readProfile(folder.path("p.json"), test::chainGraph(5)));
    }

    void aProfileOfAnotherLengthIsNotWritten()
    {
        const test::Folder folder;
        const Graph graph = test::chainGraph(4);
        QVERIFY(!writeProfile(folder.path("p.json"), fullProfile(graph), test::chainGraph(5)));
    }
};

QTEST_GUILESS_MAIN(TstProfileJson)
#include "tst_profile_json.moc"
