// SPDX-License-Identifier: Apache-2.0
#include "archive_fixture.h"

#include "core/base/file.h"
#include "core/costs/profile.h"
#include "core/io/plan_text.h"
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
    profile.distinctOps = 2;
    profile.spreadLimit = 0.02;
    profile.link = {{4096, 2.5, 3}, {1 << 20, 100, 120.5}};
    profile.clocks = {"schedutil", 1200, 3400.5, 2619};
    for (std::size_t i = 0; i < graph.ops.size(); ++i)
        profile.ops.push_back(
            {0.1 * static_cast<double>(i) + 1.0 / 3, 0.01, static_cast<std::int64_t>(i) * 1000, 40, 3});
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
            QCOMPARE(read->ops[i].samples, profile.ops[i].samples);
            QCOMPARE(read->ops[i].outliers, profile.ops[i].outliers);
        }
        QCOMPARE(read->distinctOps, profile.distinctOps);
        QCOMPARE(read->spreadLimit, profile.spreadLimit);
        QVERIFY(read->clocks == profile.clocks);
        QCOMPARE(read->link.size(), profile.link.size());
        for (std::size_t i = 0; i < profile.link.size(); ++i) {
            QCOMPARE(read->link[i].bytes, profile.link[i].bytes);
            QCOMPARE(read->link[i].toHostUs, profile.link[i].toHostUs);
            QCOMPARE(read->link[i].toDeviceUs, profile.link[i].toDeviceUs);
        }
    }

    void becomesCosts()
    {
        const Graph graph = test::chainGraph(4);
        Device link;
        link.linkBytesPerSecond = 5e9;
        link.linkLatencyUs = 3;
        Profile profile = fullProfile(graph);
        profile.link.clear();
        const auto costs = profileCosts(graph, profile, link);
        QVERIFY(costs.has_value());
        QCOMPARE(costs->time(OpId(3)), 0.1 * 3 + 1.0 / 3);
        QCOMPARE(costs->workspace(OpId(3)), std::int64_t(3000));
        QCOMPARE(costs->linkBytesPerSecond, 5e9);
        QCOMPARE(costs->linkLatencyUs, 3.0);
        QVERIFY(sameOpCosts(costs->source, {"profile", "NVIDIA H200"}));
        QVERIFY(!profileCosts(test::chainGraph(5), fullProfile(graph), link));
    }

    void itsOwnLinkCounts()
    {
        const Graph graph = test::chainGraph(4);
        Device device;
        device.linkBytesPerSecond = 5e9;
        device.linkLatencyUs = 3;
        device.linkWatts = 10;
        Profile profile = fullProfile(graph);
        // 1 GB/s in the slower direction between the two ends, 5 µs before.
        profile.link = {{1000, 6, 5}, {1'001'000, 906, 1006}, {2'001'000, 1806, 2006}};
        const auto costs = profileCosts(graph, profile, device);
        QVERIFY(costs && costs->linkMeasured);
        QCOMPARE(costs->linkBytesPerSecond, 1e9);
        QCOMPARE(costs->linkLatencyUs, 5.0);
        QCOMPARE(costs->linkWatts, 10.0);
        // Costs with another link are other costs: a plan's own figures hold for its own.
        Profile other = profile;
        other.link[2].toDeviceUs = 3006;
        QVERIFY(!sameOpCosts(costs->source, profileCosts(graph, other, device)->source));
        // What is no bandwidth of a machine leaves the device's: none, falling times, times of nothing.
        for (const std::vector<LinkSpeed> &none :
             {std::vector<LinkSpeed>{}, {{4096, 1, 1}}, {{4096, 5, 5}, {8192, 4, 4}}, {{1, 0, 0}, {2, 5e-324, 0}}}) {
            profile.link = none;
            const auto left = profileCosts(graph, profile, device);
            QVERIFY(left && !left->linkMeasured);
            QCOMPARE(left->linkBytesPerSecond, 5e9);
            QCOMPARE(left->linkLatencyUs, 3.0);
        }
    }

    void filesOfBeforeReadAsTheyDid()
    {
        const test::Folder folder;
        const Graph graph = test::chainGraph(4);
        test::Json json = test::Json::parse(profileText(fullProfile(graph), graph));
        for (const char *key : {"distinct_ops", "spread_limit", "link", "clocks", "step"})
            json.erase(key);
        for (auto &op : json["ops"]) {
            op.erase("samples");
            op.erase("outliers");
        }
        const auto read = readProfile(folder.write("old.json", json.dump()), graph);
        QVERIFY2(read.has_value(), read ? "" : read.error().message.c_str());
        QCOMPARE(read->distinctOps, 0);
        QVERIFY(read->link.empty() && !read->clocks.known());
        QCOMPARE(read->ops[1].samples, std::int64_t(0));
        QCOMPARE(medianError(read->ops[1]), 0.0);
        QCOMPARE(clocksText(read->clocks), std::string("unknown"));
        // And is written without what it does not know.
        QVERIFY(profileText(*read, graph).find("samples") == std::string::npos);
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
        QVERIFY(refused("/format", "remat-plan/1", "is a plan, where a file of costs is needed"));
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
        QVERIFY(refused("/ops/1/samples", -1, "ops[1].samples"));
        QVERIFY(refused("/ops/1/outliers", 41, "ops[1].outliers"));
        QVERIFY(refused("/distinct_ops", graph.ops.size() + 1, "distinct_ops"));
        QVERIFY(refused("/spread_limit", 2, "spread_limit"));
        QVERIFY(refused("/link", "fast", "link"));
        QVERIFY(refused("/link/0/bytes", 0, "link[0].bytes"));
        QVERIFY(refused("/link/1/bytes", 4096, "link[1].bytes")); // sizes grow
        QVERIFY(refused("/link/1/to_host_us", -1, "link[1].to_host_us"));
        QVERIFY(refused("/link/1/to_device_us", 1e20, "link[1].to_device_us"));
        QVERIFY(refused("/clocks/most_mhz", 1000, "clocks.most_mhz")); // below the least
        QVERIFY(refused("/clocks/memory_mhz", 1e9, "clocks.memory_mhz"));
        QVERIFY(refused("/clocks/governor", 7, "clocks.governor"));
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
