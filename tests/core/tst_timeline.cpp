// SPDX-License-Identifier: Apache-2.0
#include "core/plan/timeline.h"
#include "tests/support/graphs.h"
#include "tests/support/random_plans.h"

#include <QtTest>

using namespace remat;
using namespace remat::test;

namespace {

std::int64_t band(const MemoryTimeline &timeline, Category category, std::size_t sample)
{
    return timeline.bytes[static_cast<std::size_t>(category)][sample];
}

/// f: x → a (10 B, 3 µs); g: x → b (6 B, output, 20 µs, workspace 2); h: a → d (1 B, output, 7 µs). Copying a takes 12.
struct TimelineGraph {
    GraphBuilder builder;
    StorageId x = builder.resident(1);
    OpId f = builder.op({x}, {{10}}, 3);
    OpId g = builder.op({x}, {{6, StorageKind::ParameterGradient, true}}, 20);
    OpId h = builder.op({builder.output(f)}, {{1, StorageKind::Gradient, true}}, 7);
    StorageId a = builder.output(f);
    Graph graph;
    CostTable costs;
    TimelineGraph()
    {
        builder.edit(g).workspaceBytes = 2;
        graph = builder.finish();
        costs = graphCosts(graph);
    }
};

std::vector<std::pair<int, int>> rangesOf(const MemoryTimeline &timeline, StorageId storage, Category category)
{
    std::vector<std::pair<int, int>> found;
    for (const LiveRange &range : timeline.ranges)
        if (range.storage == storage && range.category == category) found.emplace_back(range.firstStep, range.lastStep);
    return found;
}

using Ranges = std::vector<std::pair<int, int>>;

} // namespace

class TestTimeline : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void bandsOfAPlainPlan()
    {
        const TimelineGraph s;
        const auto timeline = buildTimeline(
            s.graph, s.costs, {Step::compute(s.f), Step::compute(s.g), Step::compute(s.h), Step::free(s.a)});
        QVERIFY(timeline);
        QCOMPARE(timeline->step.size(), 3U);
        QVERIFY(timeline->totalBytes == std::vector<std::int64_t>({10, 18, 17}));
        QCOMPARE(band(*timeline, Category::KeptActivations, 1), 10);
        QCOMPARE(band(*timeline, Category::ParameterGradients, 1), 6);
        QCOMPARE(band(*timeline, Category::Workspace, 1), 2);
        QCOMPARE(band(*timeline, Category::Workspace, 2), 0);
        QCOMPARE(band(*timeline, Category::Gradients, 2), 1);
        QCOMPARE(timeline->peakBytes, 18);
        QCOMPARE(timeline->peakSample, 1U);
        QCOMPARE(timeline->timeUs, 30.0);
        QCOMPARE(timeline->startUs[2], 23.0);
        QVERIFY(rangesOf(*timeline, s.a, Category::KeptActivations) == Ranges({{0, 2}}));
    }

    void aRecomputedCopyIsARangeOfItsOwn()
    {
        const TimelineGraph s;
        const auto timeline = buildTimeline(s.graph, s.costs,
                                            {Step::compute(s.f), Step::free(s.a), Step::compute(s.g),
                                             Step::compute(s.f), Step::compute(s.h), Step::free(s.a)});
        QVERIFY(timeline);
        QVERIFY(rangesOf(*timeline, s.a, Category::KeptActivations) == Ranges({{0, 0}}));
        QVERIFY(rangesOf(*timeline, s.a, Category::RecomputedActivations) == Ranges({{3, 4}}));
        QVERIFY(timeline->recompute == std::vector<std::uint8_t>({0, 0, 1, 0}));
        QCOMPARE(band(*timeline, Category::RecomputedActivations, 2), 10);
        QCOMPARE(band(*timeline, Category::KeptActivations, 2), 0);
    }

    void aSecondCopyLastsOneStep()
    {
        const TimelineGraph s;
        const auto timeline = buildTimeline(
            s.graph, s.costs, {Step::compute(s.f), Step::compute(s.f), Step::compute(s.g), Step::compute(s.h)});
        QVERIFY(timeline);
        QVERIFY(timeline->totalBytes == std::vector<std::int64_t>({10, 20, 18, 17}));
        QVERIFY(rangesOf(*timeline, s.a, Category::KeptActivations) == Ranges({{0, 3}}));
        QVERIFY(rangesOf(*timeline, s.a, Category::RecomputedActivations) == Ranges({{1, 1}}));
    }

    void transfersAreRangesOfTheirOwn()
    {
        const TimelineGraph s;
        // a goes out 3..15 beside g (3..23), is freed, comes back 23..35; h waits and runs 35..42.
        const auto waits = buildTimeline(s.graph, s.costs,
                                         {Step::compute(s.f), Step::offload(s.a), Step::compute(s.g), Step::free(s.a),
                                          Step::prefetch(s.a), Step::compute(s.h)});
        QVERIFY(waits);
        QVERIFY(rangesOf(*waits, s.a, Category::Offloaded) == Ranges({{2, 2}})); // nothing runs while it comes back
        QCOMPARE(band(*waits, Category::Offloaded, 1), 10);
        QCOMPARE(band(*waits, Category::KeptActivations, 1), 0);
        QCOMPARE(band(*waits, Category::KeptActivations, 0), 10);
        QCOMPARE(band(*waits, Category::KeptActivations, 2), 10); // h reads it: it has arrived
        QCOMPARE(band(*waits, Category::Offloaded, 2), 0);

        // Freed at once (waits until 15), back beside g: 15..27 of 15..35.
        const auto beside = buildTimeline(s.graph, s.costs,
                                          {Step::compute(s.f), Step::offload(s.a), Step::free(s.a), Step::prefetch(s.a),
                                           Step::compute(s.g), Step::compute(s.h)});
        QVERIFY(beside);
        QVERIFY(rangesOf(*beside, s.a, Category::Offloaded) == Ranges({{3, 4}}));
        QVERIFY(rangesOf(*beside, s.a, Category::KeptActivations) == Ranges({{0, 1}, {5, 5}}));
    }

    void bandsAddUpToTheSimulatedMemory()
    {
        for (std::uint64_t seed = 1; seed <= 600; ++seed) {
            const Graph graph = randomGraph(seed, {.ops = 3 + static_cast<int>(seed % 15), .joint = seed % 2 == 0});
            const CostTable costs = graphCosts(graph);
            Random random(seed);
            const std::vector<Step> steps = randomValidPlan(graph, random);
            const auto simulation = simulate(graph, costs, steps);
            const auto timeline = buildTimeline(graph, costs, steps);
            QVERIFY(simulation && timeline);
            QCOMPARE(timeline->peakBytes, simulation->peakBytes);
            QCOMPARE(timeline->timeUs, simulation->timeUs);
            std::size_t sample = 0;
            for (std::size_t i = 0; i < steps.size(); ++i) {
                if (steps[i].kind != StepKind::Compute) continue;
                std::int64_t sum = 0;
                for (const auto &bytes : timeline->bytes) {
                    QVERIFY(bytes[sample] >= 0);
                    sum += bytes[sample];
                }
                QCOMPARE(sum, simulation->steps[i].heldBytes);
                QCOMPARE(timeline->totalBytes[sample], sum);
                QCOMPARE(timeline->step[sample], static_cast<std::int32_t>(i));
                ++sample;
            }
            QCOMPARE(timeline->step.size(), sample);
            for (std::size_t i = 1; i < timeline->ranges.size(); ++i)
                QVERIFY(timeline->ranges[i - 1].firstStep <= timeline->ranges[i].firstStep);
        }
    }

    void aliveStoragesAddUpToTheSample()
    {
        const Graph graph = randomGraph(7, {.ops = 20, .joint = true});
        const CostTable costs = graphCosts(graph);
        const auto timeline = buildTimeline(graph, costs, keepAllPlan(graph).steps);
        QVERIFY(timeline);
        for (std::size_t sample = 0; sample < timeline->step.size(); ++sample) {
            std::int64_t sum = costs.workspace(timeline->op[sample]);
            std::int64_t previous = std::numeric_limits<std::int64_t>::max();
            for (const LiveRange &range : aliveAt(graph, *timeline, sample)) {
                const std::int64_t bytes = graph.storage(range.storage).bytes;
                QVERIFY(bytes <= previous);
                previous = bytes;
                sum += bytes;
            }
            QCOMPARE(sum, timeline->totalBytes[sample]);
        }
        QVERIFY(aliveAt(graph, *timeline, timeline->step.size()).empty());
    }

    void plannedParametersAreABandOfTheirOwn()
    {
        TimelineGraph s;
        s.graph.storages[s.x.index()].kind = StorageKind::Parameter; // 1 B: a copy takes 3 µs
        Plan plan;
        plan.parametersPlanned = true;
        plan.steps = {Step::compute(s.f), Step::free(s.x),     Step::compute(s.h),
                      Step::free(s.a),    Step::prefetch(s.x), Step::compute(s.g)};
        const auto timeline = planTimeline(s.graph, s.costs, plan);
        QVERIFY(timeline);
        QVERIFY(rangesOf(*timeline, s.x, Category::Weights) == Ranges({{0, 0}, {4, 5}}));
        QCOMPARE(band(*timeline, Category::Weights, 0), 1);
        QCOMPARE(band(*timeline, Category::Weights, 1), 0);
        QVERIFY(timeline->totalBytes == std::vector<std::int64_t>({11, 11, 10}));
        QCOMPARE(timeline->timeUs, 33.0);
        plan.parametersPlanned = false;
        QVERIFY(!planTimeline(s.graph, s.costs, plan));
        QVERIFY(!planTimeline(withPlannedParameters(s.graph), s.costs, plan));
    }

    void impossibleStepsFail()
    {
        const TimelineGraph s;
        const auto timeline = buildTimeline(s.graph, s.costs, {Step::compute(s.h)});
        QVERIFY(!timeline);
        QVERIFY(timeline.error().message.starts_with("Step 0 reads"));
    }

    void noSteps()
    {
        const Graph empty;
        const auto timeline = buildTimeline(empty, graphCosts(empty), {});
        QVERIFY(timeline);
        QVERIFY(timeline->step.empty() && timeline->ranges.empty());
        QCOMPARE(timeline->peakBytes, 0);
    }
};

QTEST_GUILESS_MAIN(TestTimeline)
#include "tst_timeline.moc"
