// SPDX-License-Identifier: Apache-2.0
// Repeated times, equal ops, and when enough was measured; with times that are given, no clock.
#include "core/costs/profile_sampler.h"
#include "tests/gpu/program_builder.h"
#include "tests/support/graphs.h"

#include <QtTest>

#include <cmath>

using namespace remat;

namespace {

/// A chain of `count` equal additions of vectors, and one multiplication at its end.
Model chainOfEqualOps(int count)
{
    test::Builder builder;
    ValueId last = builder.input("x");
    const ValueId other = builder.input("y");
    for (int i = 0; i < count; ++i)
        last = builder.node("add_" + std::to_string(i), "aten::add", "Tensor", {{"self", last}, {"other", other}});
    last = builder.node("mul", "aten::mul", "Tensor", {{"self", last}, {"other", other}});
    return builder.model(builder.node("loss", "aten::sum", "", {{"self", last}}, true));
}

/// Times that scatter by `share` around `us`, the same each time this is called.
double scattered(double us, double share, int number)
{
    return us * (1 + share * (static_cast<double>(number * 7919 % 1000) / 500 - 1));
}

int stepsNeeded(EqualOps equal, SamplingLimits limits, double share)
{
    const std::size_t ops = equal.classOf.size();
    ProfileSampler sampler(std::move(equal), limits);
    int steps = 0;
    for (int number = 0; !sampler.enough(); ++steps) {
        std::vector<double> times(ops);
        for (double &us : times)
            us = scattered(10, share, number++);
        sampler.addStep(times, 20.0 * static_cast<double>(ops));
    }
    return steps;
}

} // namespace

class TstProfileSampler : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatRepeatedTimesComeTo()
    {
        const RepeatedTimes times = summaryOf({10, 10, 11, 12, 12, 13, 90});
        QCOMPARE(times.medianUs, 12.0);
        QCOMPARE(times.spreadUs, 2.0);
        QCOMPARE(times.samples, std::int64_t(7));
        QCOMPARE(times.outliers, std::int64_t(1));
        // Times that are nearly all the same have none within 1 %.
        QCOMPARE(summaryOf({100, 100, 100, 100, 100.9}).outliers, std::int64_t(0));
        QCOMPARE(summaryOf({100, 100, 100, 100, 102}).outliers, std::int64_t(1));
        QCOMPARE(summaryOf({0, 0, 0}).outliers, std::int64_t(0));
        QCOMPARE(summaryOf({}).samples, std::int64_t(0));
        QCOMPARE(medianErrorUs(4, 400), medianErrorUs(4, 100) / 2);
        QCOMPARE(medianErrorUs(4, 0), 4.0);
    }

    void poolingCountsRunsByTheirSamples()
    {
        const RepeatedTimes both = pooled({{10, 1, 30, 1}, {14, 1, 10, 0}});
        QCOMPARE(both.medianUs, 11.0);
        QCOMPARE(both.samples, std::int64_t(40));
        QCOMPARE(both.outliers, std::int64_t(1));
        QVERIFY(both.spreadUs > 1); // the runs are apart
        const RepeatedTimes same = pooled({{10, 1, 30, 0}, {10, 1, 30, 0}});
        QCOMPARE(same.spreadUs, 1.0);
        QVERIFY(medianErrorUs(same.spreadUs, same.samples) < medianErrorUs(1, 30));
        QCOMPARE(pooled({{3, 1, 0, 0}}).samples, std::int64_t(0));
        QCOMPARE(pooled({{3, 1, 0, 0}}).medianUs, 0.0);
        // A run beside which somebody else worked says little.
        const RepeatedTimes disturbed = pooled({{10, 1, 30, 0}, {500, 400, 30, 9}});
        QVERIFY(disturbed.medianUs < 10.1);
        QVERIFY(std::isfinite(pooled({{0, 0, 3, 0}, {0, 0, 3, 0}}).spreadUs));
        const RepeatedTimes wild = pooled({{1e15, 1e300, 3, 0}, {1e15, 0, 3, 0}});
        QVERIFY(std::isfinite(wild.medianUs) && std::isfinite(wild.spreadUs));
    }

    void equalOpsAreThoseThatCostTheSame()
    {
        QCOMPARE(equalOps(chainOfEqualOps(12)).classes, 3);
        QCOMPARE(equalOps(chainOfEqualOps(12)).classOf[11], 0);

        // Each of these differs from the first in one thing that decides what an op costs.
        test::Builder builder;
        const ValueId x = builder.input("x"), y = builder.input("y"), narrow = builder.input("narrow"),
                      half = builder.input("half"), wide = builder.input("wide");
        builder.shape(narrow, {512});
        builder.shape(half, {1024}, DType::Float16);
        builder.shape(wide, {32, 32});
        const auto add = [&](const char *name, ValueId a, ValueId b, std::vector<std::int64_t> sizes = {1024},
                             DType type = DType::Float32) {
            const ValueId made = builder.node(name, "aten::add", "Tensor", {{"self", a}, {"other", b}});
            builder.shape(made, std::move(sizes), type);
            return made;
        };
        add("one", x, y);
        add("equal", y, x);
        add("twice", x, x);
        add("shorter", narrow, narrow, {512});
        add("halves", half, half, {1024}, DType::Float16);
        add("shaped", wide, wide, {32, 32});
        builder.node("otherOverload", "aten::add", "Scalar", {{"self", x}, {"other", 2.0}});
        builder.node("otherScalar", "aten::add", "Scalar", {{"self", x}, {"other", 3.0}});
        builder.node("otherKind", "aten::mul", "Tensor", {{"self", x}, {"other", y}});
        const EqualOps equal = equalOps(builder.model(builder.node("loss", "aten::sum", "", {{"self", x}}, true)));
        QCOMPARE(equal.classOf[0], equal.classOf[1]);
        QCOMPARE(equal.classes, int(equal.classOf.size()) - 1);
        // Graphs that bring no operators say nothing of what is equal.
        const Graph graph = test::chainGraph(4);
        QCOMPARE(equalOps({{}, graph, std::nullopt}).classes, int(graph.ops.size()));
    }

    void equalOpsShareTheirTimesSoFewerStepsAreTimed()
    {
        const Model model = chainOfEqualOps(24);
        EqualOps alone; // as if no two were equal
        for (std::size_t op = 0; op < model.graph.ops.size(); ++op)
            alone.classOf.push_back(alone.classes++);
        EqualOps equal = equalOps(model);
        // Two ops have no equal: they decide. Without them one step has two dozen times of the others.
        EqualOps onlyAdds{std::vector<int>(24, 0), 1};
        EqualOps addsAlone;
        for (int op = 0; op < 24; ++op)
            addsAlone.classOf.push_back(addsAlone.classes++);
        const SamplingLimits limits{1000, 0.02, 1e9, 3};
        const int pooledSteps = stepsNeeded(onlyAdds, limits, 0.1), singleSteps = stepsNeeded(addsAlone, limits, 0.1);
        qInfo("%d steps where equal ops share their times, %d where they do not", pooledSteps, singleSteps);
        QCOMPARE(pooledSteps, 3);
        QVERIFY(singleSteps >= 4 * pooledSteps);
        QVERIFY(stepsNeeded(equal, limits, 0.1) <= stepsNeeded(alone, limits, 0.1));
    }

    void itEndsAtEachOfItsLimits()
    {
        const EqualOps equal = equalOps(chainOfEqualOps(4));
        QCOMPARE(stepsNeeded(equal, {1000, 0.02, 1e9, 3}, 0), 3);      // nothing scatters
        QCOMPARE(stepsNeeded(equal, {2, 0.02, 1e9, 3}, 0), 2);         // no more than it may
        QCOMPARE(stepsNeeded(equal, {7, 1e-9, 1e9, 3}, 0.5), 7);       // never good enough
        QCOMPARE(stepsNeeded(equal, {1000, 1e-9, 600e-6, 3}, 0.5), 5); // five steps of 120 µs
        const int good = stepsNeeded(equal, {1000, 0.02, 1e9, 3}, 0.2);
        QVERIFY(good > 3 && good < 1000);
        QVERIFY(stepsNeeded(equal, {1000, 0.01, 1e9, 3}, 0.2) > good);
    }

    void theProfileSaysHowFarItCanBeTrusted()
    {
        const Model model = chainOfEqualOps(3);
        const EqualOps equal = equalOps(model);
        SamplingLimits limits;
        limits.mostSteps = 4;
        ProfileSampler sampler(equal, limits);
        QCOMPARE(sampler.progress(), 0.0);
        // The additions scatter a little, and once there is somebody else on the machine; the multiplication scatters
        // much, the sum not at all.
        for (const auto &[adds, mul] : {std::pair{10.0, 5.0}, {10.1, 9.0}, {10.2, 20.0}, {10.1, 2.0}})
            sampler.addStep({adds, adds + 0.1, mul == 20 ? 500 : adds - 0.1, mul, 1.0}, adds * 4 + mul);
        QVERIFY(sampler.enough());
        QCOMPARE(sampler.progress(), 1.0);
        Profile profile;
        profile.ops.resize(model.graph.ops.size());
        profile.ops[1].workspaceBytes = 64;
        sampler.finish(profile);
        QCOMPARE(profile.repeats, 4);
        QCOMPARE(profile.distinctOps, 3);
        QCOMPARE(profile.ops[0].samples, std::int64_t(12));
        QCOMPARE(profile.ops[0].timeUs, profile.ops[2].timeUs);
        QCOMPARE(profile.ops[0].outliers, std::int64_t(1));
        QCOMPARE(profile.ops[1].workspaceBytes, std::int64_t(64)); // stays the op's own
        QCOMPARE(profile.ops[3].samples, std::int64_t(4));
        QCOMPARE(profile.ops[3].timeUs, 7.0);
        QCOMPARE(profile.ops[4].spreadUs, 0.0);
        QVERIFY(profile.step.timeUs > 0);

        const ProfileDoubts doubts = doubtsOf(profile, equal);
        QCOMPARE(doubts.above, 1);
        QCOMPARE(doubts.worstOp, OpId(3));
        QCOMPARE(doubts.worst, medianError(profile.ops[3]));
        QCOMPARE(doubts.outliers, std::int64_t(1));
        QCOMPARE(doubts.samples, std::int64_t(12 + 4 + 4));
        QVERIFY(std::abs(doubts.timeShare - 7 / sumOfOpsUs(profile)) < 1e-12);
    }
};

QTEST_APPLESS_MAIN(TstProfileSampler)
#include "tst_profile_sampler.moc"
