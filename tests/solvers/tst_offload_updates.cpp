// SPDX-License-Identifier: Apache-2.0
// Greedy offloading of weights and optimizer states that the training step updates.
#include "core/graph/optimizer.h"
#include "core/plan/checker.h"
#include "solvers/offload/parameters.h"
#include "solvers/offload/schedule.h"
#include "solvers/offload/selection.h"
#include "tests/solvers/solving.h"
#include "tests/support/brute_force.h"
#include "tests/support/random.h"

#include <QtTest>

#include <algorithm>
#include <limits>
#include <string_view>

using namespace remat;
using namespace remat::test;

namespace {

constexpr std::int64_t kMiB = 1024 * 1024;

struct LayerSize {
    std::int64_t weightBytes = 100, activationBytes = 1;
    double forwardUs = 5;
};

/// Layers that each read a weight forward and backward and make its gradient, with the updates of an optimizer.
Case trainingChain(const std::vector<LayerSize> &layers, const Updates &updates)
{
    GraphBuilder builder;
    StorageId current = builder.resident(1, StorageKind::Input, "x");
    std::vector<StorageId> weights, inputs;
    std::vector<OpId> forward;
    for (const LayerSize &layer : layers) {
        weights.push_back(
            builder.resident(layer.weightBytes, StorageKind::Parameter, "w" + std::to_string(weights.size())));
        inputs.push_back(current);
        forward.push_back(builder.op({current, weights.back()}, {{layer.activationBytes}}, layer.forwardUs));
        current = builder.output(forward.back());
    }
    StorageId gradient = builder.output(builder.op({current}, {{1, StorageKind::Gradient}}, 1, Phase::Loss));
    for (std::size_t i = layers.size(); i-- > 0;) {
        const OpId backward = builder.op({gradient, inputs[i], weights[i]},
                                         {{layers[i].activationBytes, StorageKind::Gradient},
                                          {layers[i].weightBytes, StorageKind::ParameterGradient, true}},
                                         2 * layers[i].forwardUs, Phase::Backward);
        builder.edit(backward).forwardOp = forward[i];
        gradient = builder.output(backward);
    }
    Graph graph = withUpdates({{}, builder.finish(), std::nullopt}, updates).value();
    for (Op &op : graph.ops)
        if (!op.updates.empty()) op.timeUs = 2;
    return Case(withPlannedParameters(std::move(graph)));
}

Case trainingChain(int layers, const LayerSize &each, const Updates &updates)
{
    return trainingChain(std::vector<LayerSize>(static_cast<std::size_t>(layers), each), updates);
}

Expected<SolveOutcome> planWeights(const Case &of, std::int64_t budgetBytes, const char *activations = "on")
{
    return plan("offload-greedy-star", of, budgetBytes, {}, {{"parameters", "on"}, {"activations", activations}});
}

/// What a plan does with one planned storage.
struct Moves {
    int offloads = 0, prefetches = 0, frees = 0;
    bool beginsOnHost = false;
    bool sentAfterUpdate = true; ///< each offload
};

std::vector<Moves> movesOf(const Graph &graph, const std::vector<Step> &steps)
{
    std::vector<Moves> moves(graph.storages.size());
    std::vector<char> updated(graph.storages.size(), 0);
    const std::vector<char> onHost = beginsOnHost(graph, steps);
    for (std::size_t s = 0; s < moves.size(); ++s)
        moves[s].beginsOnHost = onHost[s] != 0;
    for (const Step &step : steps) {
        if (step.kind == StepKind::Compute) {
            for (const StorageId id : graph.op(step.op).updates)
                updated[id.index()] = 1;
            continue;
        }
        Moves &of = moves[step.storage.index()];
        of.frees += step.kind == StepKind::Free ? 1 : 0;
        of.prefetches += step.kind == StepKind::Prefetch ? 1 : 0;
        if (step.kind != StepKind::Offload) continue;
        ++of.offloads;
        of.sentAfterUpdate = of.sentAfterUpdate && updated[step.storage.index()];
    }
    return moves;
}

/// The least time of any plan of every op once that moves planned storages only: all ways to use or not to use each gap
/// and, where one is used, all places to leave at and to come back at. What is updated is sent right after that.
class EveryWay
{
public:
    EveryWay(const Case &of, std::int64_t budgetBytes)
        : m_of(of), m_budget(budgetBytes), m_sequence(computeSequence(keepAllPlan(of.graph)))
    {
        for (const offload::HostGap &gap : offload::residenceOf(of.graph, of.costs, m_sequence).gaps)
            if (of.graph.storage(gap.storage).plannedParameter) m_gaps.push_back(gap);
        m_ways.resize(m_gaps.size());
    }

    double leastUs()
    {
        choose(0);
        return m_least;
    }

private:
    struct Way {
        int leaves = -1, returns = -1; ///< -1: the gap is not used
    };

    int end() const { return static_cast<int>(m_sequence.size()); }

    void choose(std::size_t gap)
    {
        if (gap == m_gaps.size()) return judge();
        m_ways[gap] = {};
        choose(gap + 1);
        const offload::HostGap &of = m_gaps[gap];
        for (int leaves = of.from + 1; leaves <= (of.wraps ? end() : of.to); ++leaves)
            for (int returns = of.wraps ? 0 : leaves; returns <= of.to; ++returns) {
                m_ways[gap] = {leaves, returns};
                choose(gap + 1);
            }
    }

    void judge()
    {
        std::vector<Step> steps;
        int position = 0;
        const auto move = [&] {
            for (std::size_t g = 0; g < m_gaps.size(); ++g) {
                const bool first = std::none_of(&m_gaps[0], &m_gaps[g], [&](const offload::HostGap &other) {
                    return other.storage == m_gaps[g].storage && m_ways[std::size_t(&other - &m_gaps[0])].leaves >= 0;
                });
                if (m_ways[g].leaves >= 0 && first && m_gaps[g].made + 1 == position)
                    steps.push_back(Step::offload(m_gaps[g].storage));
            }
            for (std::size_t g = 0; g < m_gaps.size(); ++g)
                if (m_ways[g].leaves == position) steps.push_back(Step::free(m_gaps[g].storage));
            for (std::size_t g = 0; g < m_gaps.size(); ++g)
                if (m_ways[g].returns == position) steps.push_back(Step::prefetch(m_gaps[g].storage));
        };
        for (const Step &step : withEarliestFrees(m_of.graph, m_sequence)) {
            if (step.kind == StepKind::Compute) {
                move();
                ++position;
            }
            steps.push_back(step);
        }
        move();
        const auto simulation = simulate(m_of.graph, m_of.costs, steps);
        if (!simulation) qFatal("a way that is none: %s", simulation.error().message.c_str());
        if (simulation->peakBytes <= m_budget) m_least = std::min(m_least, simulation->timeUs);
    }

    const Case &m_of;
    const std::int64_t m_budget;
    const std::vector<OpId> m_sequence;
    std::vector<offload::HostGap> m_gaps;
    std::vector<Way> m_ways;
    double m_least = std::numeric_limits<double>::infinity();
};

} // namespace

class TestOffloadUpdates : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void gapsKnowTheUpdate()
    {
        const Case of = trainingChain(2, {}, {"sgd", UpdateAt::Gradient, false});
        // f0 f1 loss b1 u1 b0 u0
        const auto residence = offload::residenceOf(of.graph, of.costs, computeSequence(keepAllPlan(of.graph)));
        const StorageId w0 = of.graph.op(OpId(0)).inputs[1], w1 = of.graph.op(OpId(1)).inputs[1];
        std::vector<offload::HostGap> weights;
        for (const offload::HostGap &gap : residence.gaps)
            if (of.graph.storage(gap.storage).plannedParameter) weights.push_back(gap);
        const std::vector<offload::HostGap> expected = {
            {w0, 6, 0, 5, false}, {w1, 4, 1, 3, false}, {w1, 4, 4, 1, true}, {w0, 6, 6, 0, true}};
        QVERIFY(weights == expected);
    }

    void twentyFourLayers()
    {
        const Case of = trainingChain(24, {100 * kMiB, kMiB, 10000}, {"momentum", UpdateAt::Gradient, false});
        Case fast = of;
        fast.costs.linkBytesPerSecond = 25e9;
        QVERIFY(of.keepAllPeakBytes >= 48 * 100 * kMiB);
        const auto outcome = planWeights(fast, 600 * kMiB);
        QVERIFY2(outcome && outcome->plan, outcome ? outcome->message.c_str() : outcome.error().message.c_str());
        const Verdict verdict = checkPlan(fast.graph, fast.costs, *outcome->plan);
        QVERIFY2(verdict.ok, verdict.sentence.c_str());
        QVERIFY(verdict.peakBytes <= 600 * kMiB);
        const std::vector<Moves> moves = movesOf(fast.graph, outcome->plan->steps);
        int leave = 0;
        for (std::size_t s = 0; s < moves.size(); ++s) {
            const Storage &storage = fast.graph.storages[s];
            if (!storage.plannedParameter) continue;
            QVERIFY(moves[s].offloads <= 1 && moves[s].sentAfterUpdate);
            leave += moves[s].offloads;
            QVERIFY(moves[s].prefetches <= (storage.kind == StorageKind::State ? 1 : 2));
            QVERIFY(moves[s].offloads == 1 || moves[s].prefetches == 0);
        }
        QVERIFY2(leave >= 42, qPrintable(QString::number(leave))); // all but what fits, out of 48
    }

    void staysThroughTheNextForward()
    {
        const Case of = trainingChain(8, {100, 1, 300}, {"sgd", UpdateAt::Gradient, false});
        const auto outcome = planWeights(of, of.keepAllPeakBytes - 250);
        QVERIFY2(outcome && outcome->plan, outcome ? outcome->message.c_str() : outcome.error().message.c_str());
        const std::vector<Moves> moves = movesOf(of.graph, outcome->plan->steps);
        int kept = 0;
        for (std::size_t s = 0; s < moves.size(); ++s) {
            // Sent after its update, deleted after the next forward op, fetched once, for the backward op.
            const bool through = moves[s].offloads == 1 && moves[s].sentAfterUpdate && moves[s].prefetches == 1 &&
                                 !moves[s].beginsOnHost;
            if (of.graph.storages[s].plannedParameter && through) ++kept;
        }
        QVERIFY2(kept >= 2, qPrintable(QString::number(kept)));
        QVERIFY(outcome->plan->predicted.timeUs <= of.keepAllTimeUs + 103);
    }

    void reachesTheSmallestPeak()
    {
        Random random(5);
        for (int i = 0; i < 24; ++i) {
            std::vector<LayerSize> layers;
            for (int layer = i % 2; layer >= 0; --layer)
                layers.push_back({random.between(1, 40), random.between(1, 9), 1.0 * random.between(1, 9)});
            const char *optimizer = layers.size() > 1 || i % 4 == 0 ? "sgd" : "momentum";
            const Case of = trainingChain(layers, {optimizer, i % 3 == 0 ? UpdateAt::End : UpdateAt::Gradient, false});
            const std::int64_t floor = bruteForceSmallestPeak(of.graph, of.costs, true);
            const auto outcome = planWeights(of, floor);
            QVERIFY2(outcome && outcome->plan, outcome ? outcome->message.c_str() : outcome.error().message.c_str());
            QVERIFY(!planWeights(of, floor - 1)->plan);
        }
    }

    void againstEveryWay()
    {
        Random random(11);
        int optimal = 0, plans = 0;
        double worst = 1;
        for (int i = 0; i < 40; ++i) {
            std::vector<LayerSize> layers;
            for (int layer = 0; layer < 2; ++layer)
                layers.push_back({random.between(5, 40), 1, 1.0 * random.between(1, 40)});
            const Case of = trainingChain(layers, {"sgd", UpdateAt::Gradient, false});
            for (const double share : {90.0, 75.0, 60.0}) {
                const std::int64_t budget = of.percent(share);
                const double least = EveryWay(of, budget).leastUs();
                const auto outcome = planWeights(of, budget, "off");
                QVERIFY2(outcome, sentenceOf(outcome).c_str());
                QCOMPARE(outcome->plan.has_value(), std::isfinite(least));
                if (!outcome->plan) continue;
                ++plans;
                QVERIFY(outcome->plan->predicted.timeUs >= least - 1e-9);
                optimal += outcome->plan->predicted.timeUs <= least + 1e-9 ? 1 : 0;
                worst = std::max(worst, outcome->plan->predicted.timeUs / least);
            }
        }
        const QString found = QStringLiteral("%1 of %2 as fast as any, at worst %3").arg(optimal).arg(plans).arg(worst);
        QVERIFY2(plans > 50 && optimal == plans, qPrintable(found));
    }

    void onTheHost()
    {
        for (const UpdateAt at : {UpdateAt::Gradient, UpdateAt::End}) {
            const Case of = trainingChain(6, {100, 1, 50}, {"adamw", at, true});
            for (const std::int64_t share : {100, 80, 60}) {
                const auto outcome = planWeights(of, of.percent(static_cast<double>(share)));
                QVERIFY2(outcome && outcome->plan,
                         outcome ? outcome->message.c_str() : outcome.error().message.c_str());
                const std::vector<Moves> moves = movesOf(of.graph, outcome->plan->steps);
                for (std::size_t s = 0; s < moves.size(); ++s) {
                    const Storage &storage = of.graph.storages[s];
                    // The host writes the weights that it has, and the states never leave it; gradients go there once.
                    if (storage.kind == StorageKind::State) QCOMPARE(moves[s].prefetches + moves[s].offloads, 0);
                    if (storage.kind == StorageKind::Parameter) QCOMPARE(moves[s].offloads, 0);
                    if (storage.kind == StorageKind::ParameterGradient) {
                        QCOMPARE(moves[s].offloads, 1);
                        QCOMPARE(moves[s].prefetches, 0);
                    }
                }
            }
        }
    }

    /// Planners that compute again read parameters as the graph has them.
    void recomputing()
    {
        int plans = 0;
        for (const bool onHost : {false, true})
            for (const UpdateAt at : {UpdateAt::Gradient, UpdateAt::End}) {
                const Case planned = trainingChain(9, {3, 40, 50}, {"momentum", at, onHost});
                const Case of(offload::withResidentParameters(planned.graph));
                for (const char *planner : {"chen-sqrt", "chen-greedy", "rotor", "revolve", "dtr", "pofo"})
                    for (const double share : {80.0, 60.0, 45.0}) {
                        const auto outcome = plan(planner, of, of.percent(share));
                        if (onHost && std::string_view(planner) != "pofo") {
                            QVERIFY(!outcome &&
                                    outcome.error().message.find("copies nothing to host memory") != std::string::npos);
                            continue;
                        }
                        QVERIFY2(outcome, sentenceOf(outcome).c_str());
                        plans += outcome->plan ? 1 : 0;
                    }
            }
        QVERIFY2(plans > 20, qPrintable(QString::number(plans)));
    }

    void everyBudget()
    {
        int plans = 0;
        for (std::uint64_t seed = 1; seed <= 60; ++seed) {
            const Case of(updatingGraph(seed));
            for (int share = 100; share >= 10; share -= 15)
                for (const char *planner : {"offload-greedy", "offload-greedy-star"}) {
                    const auto outcome =
                        plan(planner, of, std::max<std::int64_t>(of.percent(share), 1), {}, {{"parameters", "on"}});
                    QVERIFY2(outcome, sentenceOf(outcome).c_str()); // a plan that breaks a rule is a failed call
                    plans += outcome->plan ? 1 : 0;
                }
        }
        QVERIFY2(plans > 300, qPrintable(QString::number(plans)));
    }
};

QTEST_GUILESS_MAIN(TestOffloadUpdates)
#include "tst_offload_updates.moc"
