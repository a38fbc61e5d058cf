// SPDX-License-Identifier: Apache-2.0
#include "core/bounds/bounds.h"
#include "solvers/offload/schedule.h"
#include "solvers/offload/selection.h"
#include "tests/solvers/solving.h"
#include "tests/support/brute_force.h"
#include "tests/support/text_rows.h"

#include <cmath>

using namespace remat;
using namespace remat::test;

namespace {

const std::vector<std::string> kPlanners = {"offload-greedy", "offload-greedy-star"};

/// A link on which copies take no time.
Case withInfiniteLink(Case of)
{
    of.costs.linkBytesPerSecond = 1e30;
    of.costs.linkLatencyUs = 0;
    return of;
}

/// Layers that each read a weight forward and backward; activations weigh 1 B, weights `weightBytes`.
Graph weightChain(int layers, std::int64_t weightBytes)
{
    GraphBuilder builder;
    StorageId current = builder.resident(1, StorageKind::Input, "x");
    std::vector<StorageId> weights, inputs;
    for (int i = 0; i < layers; ++i) {
        weights.push_back(builder.resident(weightBytes, StorageKind::Parameter));
        inputs.push_back(current);
        current = builder.output(builder.op({current, weights.back()}, {{1}}, 5));
    }
    StorageId gradient = builder.output(builder.op({current}, {{1, StorageKind::Gradient}}, 1, Phase::Loss));
    for (int i = layers; i-- > 0;)
        gradient = builder.output(
            builder.op({gradient, inputs[static_cast<std::size_t>(i)], weights[static_cast<std::size_t>(i)]},
                       {{1, StorageKind::Gradient, i == 0}}, 10, Phase::Backward));
    return builder.finish();
}

Case plannedCase(const Graph &graph)
{
    return Case(withPlannedParameters(graph));
}

offload::Selection selectAll(const Case &of, std::int64_t budgetBytes, double againWorth)
{
    const offload::Residence residence =
        offload::residenceOf(of.graph, of.costs, computeSequence(keepAllPlan(of.graph)));
    return offload::select(of.graph, residence, budgetBytes, {true, againWorth}, [] { return false; });
}

} // namespace

class TestOffloadGreedy : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void gapsOfASmallGraph()
    {
        GraphBuilder builder;
        const StorageId w = builder.resident(7, StorageKind::Parameter);
        const OpId f = builder.op({w}, {{10}});
        const OpId g = builder.op({builder.output(f)}, {{20}});
        const OpId h = builder.op({builder.output(g)}, {{30, StorageKind::Gradient, true}});
        builder.op({builder.output(f), w}, {{40, StorageKind::Gradient, true}});
        const Case of = plannedCase(builder.finish());
        const offload::Residence residence =
            offload::residenceOf(of.graph, of.costs, computeSequence(keepAllPlan(of.graph)));
        QVERIFY(residence.heldBytes == std::vector<std::int64_t>({17, 37, 67, 87, 77}));
        const StorageId a = builder.output(f), d = builder.output(h);
        const std::vector<offload::HostGap> expected = {
            {w, -1, 0, 3, false}, {a, 0, 1, 3, false}, {d, 2, 2, 4, false}, {w, -1, 3, 0, true}};
        QVERIFY(residence.gaps == expected);
    }

    void weightsOfAChain()
    {
        // Every weight is away at some time between its two uses, so each that leaves takes its bytes off the peak,
        // until the others and the two that are never long away are left.
        constexpr int kLayers = 8;
        constexpr std::int64_t kWeight = 100;
        const Case of = plannedCase(weightChain(kLayers, kWeight));
        QCOMPARE(of.keepAllPeakBytes / kWeight, std::int64_t(kLayers));
        for (int fewer = 1; fewer < kLayers; ++fewer) {
            const std::int64_t budget = of.keepAllPeakBytes - fewer * kWeight;
            const auto outcome = plan("offload-greedy-star", of, budget, {}, {{"parameters", "on"}});
            QVERIFY2(outcome && outcome->plan, sentenceOf(outcome).c_str());
            QVERIFY(outcome->plan->parametersPlanned);
            for (const Step &step : outcome->plan->steps) // the copy in host memory is always whole
                QVERIFY(step.kind != StepKind::Offload || !of.graph.storage(step.storage).plannedParameter);
        }
    }

    void freeCopiesCostNothing()
    {
        for (std::uint64_t seed = 1; seed <= 60; ++seed) {
            const Case of = withInfiniteLink(Case(randomGraph(seed, {.ops = 14, .joint = true})));
            for (const double share : {90.0, 70.0, 50.0}) {
                const auto outcome = plan("offload-greedy-star", of, of.percent(share));
                QVERIFY2(outcome, sentenceOf(outcome).c_str());
                if (!outcome->plan) continue;
                QVERIFY(std::abs(outcome->plan->predicted.timeUs - of.keepAllTimeUs) < 1e-6 * of.keepAllTimeUs);
            }
        }
    }

    void severalAbsencesReachTheFloor()
    {
        int checked = 0;
        for (std::uint64_t seed = 1; seed <= 200; ++seed) {
            const Case of(randomGraph(seed, {.ops = 2 + static_cast<int>(seed % 4)}));
            if (of.graph.storages.size() > 9) continue;
            const std::int64_t floor = bruteForceSmallestPeak(of.graph, of.costs, true);
            if (floor < 1) continue;
            // All ops are computed here, those that nothing needs too.
            const std::int64_t reached = selectAll(of, 0, 1).peakBytes();
            QVERIFY(reached >= floor);
            if (workingSetBound(of.graph, of.costs).bytes < reached) continue;
            QVERIFY(plan("offload-greedy-star", of, floor)->plan);
            ++checked;
        }
        QVERIFY2(checked > 60, "most graphs have ops that nothing needs");
    }

    void everyBudgetOfRandomGraphs()
    {
        int plans = 0, refusals = 0;
        for (std::uint64_t seed = 1; seed <= 60; ++seed) {
            Graph graph = randomGraph(seed, {.ops = 12, .joint = seed % 2 == 0, .computeOnce = seed % 3 == 0 ? 20 : 0});
            for (Storage &storage : graph.storages)
                if (isResident(storage.kind)) storage.kind = StorageKind::Parameter;
            for (const bool parameters : {false, true}) {
                const Case of = parameters ? plannedCase(graph) : Case(graph);
                for (int share = 100; share >= 10; share -= 10) {
                    bool once = false;
                    for (const std::string &planner : kPlanners) {
                        const auto outcome = plan(planner, of, std::max<std::int64_t>(of.percent(share), 1), {},
                                                  {{"parameters", parameters ? "on" : "off"}});
                        QVERIFY2(outcome, sentenceOf(outcome).c_str()); // a plan that breaks a rule is a failed call
                        (outcome->plan ? plans : refusals) += 1;
                        QVERIFY(outcome->plan || outcome->smallestPeakBytes > of.percent(share));
                        QVERIFY(planner == kPlanners.front() || outcome->plan || !once);
                        once = outcome->plan.has_value();
                    }
                }
            }
        }
        QVERIFY2(plans > 800 && refusals > 300, "the budgets are all the same");
    }

    void copiesHideWhereThereIsRoom()
    {
        // a is away while the long op runs, whose memory is the peak; room for it before and after.
        GraphBuilder builder;
        const StorageId x = builder.resident(1);
        const OpId f = builder.op({x}, {{10}}, 3);
        const OpId before = builder.op({x}, {{1}}, 50);
        const OpId big = builder.op({builder.output(before)}, {{2}}, 10);
        builder.edit(big).workspaceBytes = 100;
        const OpId after = builder.op({builder.output(big)}, {{1}}, 50);
        builder.op({builder.output(f), builder.output(after)}, {{1, StorageKind::Gradient, true}}, 5);
        const Case of(builder.finish()); // a copy of 10 B takes 12 µs
        const auto outcome = plan("offload-greedy", of, of.keepAllPeakBytes - 5);
        QVERIFY(outcome && outcome->plan);
        QCOMPARE(outcome->plan->predicted.timeUs, of.keepAllTimeUs);
        QCOMPARE(outcome->status, SolveStatus::Optimal);
    }

    void samples_data()
    {
        textRows("sample", {"tiny_gpt2", "tiny_resnet", "tiny_unet", "tiny_transformer", "gpt2", "unet"});
    }

    void samples()
    {
        QFETCH(const QString, sample);
        const auto of = sampleCase(sample.toStdString());
        if (!of) QFAIL(of.error().message.c_str());
        for (const bool parameters : {false, true}) {
            const Case counted = parameters ? Case(withPlannedParameters(of->graph), of->costs) : *of;
            const std::int64_t floor = workingSetBound(counted.graph, counted.costs).bytes;
            for (int share = 90; share >= 20; share -= 10) {
                const std::int64_t budget = counted.percent(share);
                if (budget < floor) break;
                const auto outcome =
                    plan("offload-greedy-star", counted, budget, {}, {{"parameters", parameters ? "on" : "off"}});
                QVERIFY2(outcome, sentenceOf(outcome).c_str());
                QVERIFY2(outcome->plan, outcome->message.c_str());
                QVERIFY(outcome->plan->predicted.peakBytes <= budget);
            }
        }
    }

    void nothingToOffload()
    {
        const Case of(chainGraph(4));
        const auto none = plan("offload-greedy", of, of.keepAllPeakBytes, {}, {{"activations", "off"}});
        QVERIFY(!none && none.error().message.find("nothing to offload") != std::string::npos);
        // A planner that keeps parameters resident refuses a graph that plans them.
        const auto refused = plan("keep-all", plannedCase(weightChain(3, 10)), 1000);
        QVERIFY(!refused && refused.error().message.find("parameters") != std::string::npos);
    }

    void stops()
    {
        const Case of(randomGraph(3, {.ops = 60, .joint = true}));
        StopToken stop;
        stop.requestStop();
        SolveContext context;
        context.stop = &stop;
        const auto outcome = plan("offload-greedy-star", of, of.percent(70), context);
        QVERIFY(outcome);
        QCOMPARE(outcome->status, SolveStatus::Stopped);
    }
};

QTEST_GUILESS_MAIN(TestOffloadGreedy)
#include "tst_offload_greedy.moc"
