// SPDX-License-Identifier: Apache-2.0
// Two profiles of one model as one: pooled by what ops are, not where they stand.
#include "core/costs/profile_merge.h"
#include "core/io/plan_text.h"
#include "tests/gpu/program_builder.h"
#include "tests/support/graphs.h"

#include <QtTest>

#include <cmath>

using namespace remat;

namespace {

/// Three equal additions, a multiplication, and a sum.
Model fiveOps()
{
    test::Builder builder;
    ValueId last = builder.input("x");
    const ValueId other = builder.input("y");
    for (const char *name : {"a0", "a1", "a2"})
        last = builder.node(name, "aten::add", "Tensor", {{"self", last}, {"other", other}});
    last = builder.node("mul", "aten::mul", "Tensor", {{"self", last}, {"other", other}});
    return builder.model(builder.node("loss", "aten::sum", "", {{"self", last}}, true));
}

/// Additions of `addUs` and a spread of 1 µs, in so many steps.
StoredProfile measured(const Model &model, double addUs, int steps)
{
    StoredProfile stored;
    Profile &profile = stored.profile;
    profile.fingerprint = model.graph.fingerprint;
    profile.graphName = model.graph.name;
    profile.device = "cpu";
    profile.deviceTitle = "Intel (2 threads)";
    profile.torchVersion = "2.11.0";
    profile.repeats = steps;
    profile.distinctOps = 3;
    profile.spreadLimit = 0.02;
    for (int op = 0; op < 3; ++op)
        profile.ops.push_back({addUs, 1, 100 * (op + 1), 3 * steps, 1});
    profile.ops.push_back({20, 2, 0, steps, 0});
    profile.ops.push_back({5, 0, 0, steps, 0});
    profile.step = {60, 2, 3};
    profile.link = {{4096, 2, 3}, {65536, 10, 12}};
    profile.clocks = {"performance", 3000, 3100, 0};
    stored.measured.assign(profile.ops.size(), 1);
    return stored;
}

} // namespace

class TstProfileMerge : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void moreRepeatsOfTheSameAreATighterProfile()
    {
        const Model model = fiveOps();
        const StoredProfile a = measured(model, 10, 10);
        const auto both = mergeProfiles(model, a, a);
        QVERIFY2(both.has_value(), both ? "" : both.error().message.c_str());
        for (std::size_t op = 0; op < both->ops.size(); ++op) {
            QCOMPARE(both->ops[op].timeUs, a.profile.ops[op].timeUs);
            QCOMPARE(both->ops[op].spreadUs, a.profile.ops[op].spreadUs);
            QCOMPARE(both->ops[op].samples, 2 * a.profile.ops[op].samples);
            QCOMPARE(both->ops[op].workspaceBytes, a.profile.ops[op].workspaceBytes);
            QVERIFY(a.profile.ops[op].spreadUs == 0 || medianError(both->ops[op]) < medianError(a.profile.ops[op]));
        }
        QCOMPARE(both->repeats, 20);
        QCOMPARE(both->distinctOps, 3);
        QCOMPARE(both->ops[0].outliers, std::int64_t(2));
        QCOMPARE(both->step.timeUs, 60.0);
        QCOMPARE(both->step.betweenUs, 3.0);

        // It is a profile like any other.
        const auto read = parseProfile(profileText(*both, model.graph), "both.json", model.graph);
        QVERIFY2(read.has_value(), read ? "" : read.error().message.c_str());
        QCOMPARE(profileText(*read, model.graph), profileText(*both, model.graph));
        QVERIFY(profileCosts(model.graph, *read, Device()).has_value());
    }

    void runsCountByTheirRepeats()
    {
        const Model model = fiveOps();
        const StoredProfile a = measured(model, 10, 30);
        StoredProfile b = measured(model, 14, 10);
        b.profile.step = {64, 2, 7};
        b.profile.link = {{4096, 6, 3}, {262144, 40, 40}};
        b.profile.clocks = {"performance", 2000, 3050, 0};
        b.profile.aliasMismatches = {"v"};
        const auto both = mergeProfiles(model, a, b);
        QVERIFY(both.has_value());
        QCOMPARE(both->ops[0].timeUs, 11.0);
        QCOMPARE(both->ops[0].samples, std::int64_t(120));
        QVERIFY(both->ops[0].spreadUs > 1); // the runs are apart, and that is told
        QCOMPARE(both->step.timeUs, 61.0);
        QCOMPARE(both->step.betweenUs, 4.0);
        QCOMPARE(both->link.size(), std::size_t(3));
        QCOMPARE(both->link[0].toHostUs, 3.0);
        QCOMPARE(both->link[1].bytes, std::int64_t(65536));
        QCOMPARE(both->link[2].bytes, std::int64_t(262144));
        QCOMPARE(both->clocks.leastMhz, 2000.0);
        QCOMPARE(both->clocks.mostMhz, 3100.0);
        QCOMPARE(both->clocks.governor, std::string("performance"));
        QCOMPARE(both->aliasMismatches, std::vector<std::string>{"v"});
    }

    void whatOneLacksIsThatOfAnEqualOp()
    {
        const Model model = fiveOps();
        StoredProfile a = measured(model, 10, 5), b = measured(model, 10, 5);
        for (StoredProfile *stored : {&a, &b})
            for (const std::size_t op : {0, 1}) {
                stored->measured[op] = 0;
                stored->profile.ops[op] = {};
            }
        const auto both = mergeProfiles(model, a, b);
        QVERIFY2(both.has_value(), both ? "" : both.error().message.c_str());
        QCOMPARE(both->ops[0].timeUs, 10.0);
        QCOMPARE(both->ops[0].workspaceBytes, std::int64_t(300));
        // The multiplication has no equal.
        b.measured[3] = a.measured[3] = 0;
        const auto none = mergeProfiles(model, a, b);
        QVERIFY(!none && none.error().message.find("\"mul\"") != std::string::npos);
    }

    void filesWithoutCountsHaveRepeatsOfTheirOwn()
    {
        const Model model = fiveOps();
        StoredProfile old = measured(model, 10, 5);
        old.profile.distinctOps = 0;
        old.profile.ops = {{9, 0, 0}, {10, 0, 0}, {11, 0, 0}, {20, 2, 0}, {5, 0, 0}};
        old.profile.step = {};
        old.profile.link.clear();
        old.profile.clocks = {};
        const auto both = mergeProfiles(model, old, measured(model, 10, 5));
        QVERIFY(both.has_value());
        QCOMPARE(both->ops[0].samples, std::int64_t(3 * 5 + 15));
        QCOMPARE(both->ops[0].timeUs, 10.0);
        QCOMPARE(both->step.timeUs, 60.0);
        QCOMPARE(both->link.size(), std::size_t(2));
        QVERIFY(both->clocks.known());
    }

    void otherMachinesAreRefused()
    {
        const Model model = fiveOps();
        const StoredProfile a = measured(model, 10, 5);
        const auto refused = [&](auto change, const char *part) {
            StoredProfile b = a;
            change(b.profile);
            const auto both = mergeProfiles(model, a, b);
            return !both && both.error().message.find(part) != std::string::npos;
        };
        QVERIFY(refused([](Profile &p) { p.device = "cuda"; }, "cuda"));
        QVERIFY(refused([](Profile &p) { p.deviceTitle = "Intel (4 threads)"; }, "4 threads"));
        QVERIFY(refused([](Profile &p) { p.torchVersion = "2.12.0"; }, "2.12.0"));
    }
};

QTEST_APPLESS_MAIN(TstProfileMerge)
#include "tst_profile_merge.moc"
