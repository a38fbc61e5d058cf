// SPDX-License-Identifier: Apache-2.0
// The OffMate-like planner: recomputation with paging of activations, weights and states.
#include "core/graph/optimizer.h"
#include "core/plan/checker.h"
#include "core/plan/lane_use.h"
#include "solvers/offload/parameters.h"
#include "solvers/offload/schedule.h"
#include "solvers/tools/flat.h"
#include "tests/solvers/solving.h"
#include "tests/support/brute_force.h"
#include "tests/support/random.h"
#include "tests/support/sampled.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace remat;
using namespace remat::test;

namespace {

struct WeightedLayer {
    std::int64_t weightBytes = 100, activationBytes = 10;
    double forwardUs = 5;
};

/// Layers of two ops, of which the second is cheap and its result large; backward reads both results.
Case trainingChain(const std::vector<WeightedLayer> &layers, const Updates &updates)
{
    GraphBuilder builder;
    StorageId current = builder.resident(1, StorageKind::Input, "x");
    struct Made {
        StorageId weight, input, middle;
        OpId first;
    };
    std::vector<Made> made;
    for (const WeightedLayer &layer : layers) {
        const StorageId weight =
            builder.resident(layer.weightBytes, StorageKind::Parameter, "w" + std::to_string(made.size()));
        const OpId first = builder.op({current, weight}, {{layer.activationBytes}}, layer.forwardUs);
        made.push_back({weight, current, builder.output(first), first});
        current = builder.output(builder.op({made.back().middle}, {{layer.activationBytes}}, layer.forwardUs / 5));
    }
    StorageId gradient = builder.output(builder.op({current}, {{1, StorageKind::Gradient}}, 1, Phase::Loss));
    for (std::size_t i = layers.size(); i-- > 0;) {
        const Made &of = made[i];
        const OpId backward = builder.op({gradient, of.input, of.middle, of.weight},
                                         {{layers[i].activationBytes, StorageKind::Gradient},
                                          {layers[i].weightBytes, StorageKind::ParameterGradient, true}},
                                         2 * layers[i].forwardUs, Phase::Backward);
        builder.edit(backward).forwardOp = of.first;
        gradient = builder.output(backward);
    }
    Graph graph = withUpdates({{}, builder.finish(), std::nullopt}, updates).value();
    for (Op &op : graph.ops)
        if (!op.updates.empty()) op.timeUs = 2;
    return Case(withPlannedParameters(std::move(graph)));
}

Expected<SolveOutcome> planned(const char *planner, const Case &of, std::int64_t budgetBytes)
{
    return plan(planner, of, budgetBytes, {}, {{"parameters", "on"}});
}

/// With few tries, for many cases.
Expected<SolveOutcome> mixed(const Case &of, std::int64_t budgetBytes)
{
    return plan("offmate", of, budgetBytes, {}, {{"parameters", "on"}, {"tries", "120"}, {"levels", "6"}});
}

double timeOf(const Expected<SolveOutcome> &outcome)
{
    return outcome && outcome->plan ? outcome->plan->predicted.timeUs : std::numeric_limits<double>::infinity();
}

/// The least time over every set of recomputations in which each forward op may be computed again once, each way to
/// use the gaps of what these leave, as schedules place the copies: what combinations are there for.
double leastOfAll(const Case &of, std::int64_t budgetBytes)
{
    const Graph bare = offload::withResidentParameters(of.graph);
    const FlatGraph flat = flatten(bare, of.costs);
    std::vector<Recompute> some;
    double least = std::numeric_limits<double>::infinity();
    const auto everyPaging = [&] {
        const std::vector<OpId> sequence = toSequence(flat, some);
        const offload::Residence residence = offload::residenceOf(of.graph, of.costs, sequence);
        for (std::size_t mask = 0; mask < std::size_t(1) << residence.gaps.size(); ++mask) {
            offload::Selection selection;
            selection.heldBytes = residence.heldBytes;
            for (std::size_t g = 0; g < residence.gaps.size(); ++g) {
                if (((mask >> g) & 1U) == 0) continue;
                selection.gaps.push_back(residence.gaps[g]);
                const int positions = static_cast<int>(selection.heldBytes.size());
                offload::forEachPosition(residence.gaps[g], positions, [&](int i) {
                    selection.heldBytes[std::size_t(i)] -= of.graph.storage(residence.gaps[g].storage).bytes;
                });
            }
            if (selection.peakBytes() > budgetBytes) continue;
            const auto schedule =
                offload::scheduleOffloads(of.graph, of.costs, sequence, residence, selection, budgetBytes);
            if (schedule) least = std::min(least, schedule->timeUs);
        }
    };
    const std::function<void(int)> from = [&](int op) {
        if (op == flat.forwardOps) {
            std::vector<Recompute> tidy = some;
            tidyRecomputes(flat, tidy);
            if (tidy.size() == some.size()) everyPaging();
            return;
        }
        from(op + 1);
        if (flat.once[op]) return;
        for (int slot = flat.forwardOps; slot < flat.ops; ++slot) {
            if (!bare.op(OpId(slot)).updates.empty()) continue;
            // Not from a weight that is another one by then.
            bool updated = false;
            for (int at = op + 1; at < slot; ++at)
                for (const StorageId u : bare.op(OpId(at)).updates)
                    updated =
                        updated || std::count(bare.op(OpId(op)).inputs.begin(), bare.op(OpId(op)).inputs.end(), u);
            if (updated) continue;
            const std::vector<Recompute> before = some;
            some.push_back({slot, op});
            std::sort(some.begin(), some.end());
            from(op + 1);
            some = before;
        }
    };
    from(0);
    return least;
}

} // namespace

class TestOffmate : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    /// Activations that are too large to leave in time, and weights that are too large to stay.
    void fitsWhereNeitherDoesAlone()
    {
        Case of =
            trainingChain(std::vector<WeightedLayer>(12, {200, 100, 50}), {"momentum", UpdateAt::Gradient, false});
        of.costs.linkBytesPerSecond = 2e6; // 2 bytes a µs: copies of weights and states alone take most of the step
        const std::int64_t weights = offload::plannedParameterBytes(of.graph);
        const std::int64_t budget = weights / 3;
        // Recomputation alone keeps what is planned: more than the budget. Paging alone fits, but waits for the link.
        QVERIFY(budget < weights);
        QVERIFY(!plan("search", Case(offload::withResidentParameters(of.graph)), budget - weights + 1)->plan);
        const auto paged = planned("offload-greedy-star", of, budget);
        const auto both = planned("offmate", of, budget);
        QVERIFY2(both && both->plan, sentenceOf(both).c_str());
        const Verdict verdict = checkPlan(of.graph, of.costs, *both->plan);
        QVERIFY2(verdict.ok && verdict.peakBytes <= budget, verdict.sentence.c_str());
        QVERIFY2(timeOf(both) < timeOf(paged), qPrintable(QString("%1 %2").arg(timeOf(both)).arg(timeOf(paged))));
    }

    void neverWorseThanEither()
    {
        int rows = 0, plans = 0, better = 0;
        std::size_t row = 0;
        for (const bool onHost : {false, true})
            for (const UpdateAt at : {onHost ? UpdateAt::End : UpdateAt::Gradient})
                for (const double usPerByte : {0.1, 2.0}) {
                    if (!isSampled(row++, 2)) continue;
                    Case of = trainingChain(std::vector<WeightedLayer>(6, {20, 60, 40}), {"adamw", at, onHost});
                    of.costs.linkBytesPerSecond = 1e6 / usPerByte;
                    for (const double share : {70.0, 45.0}) {
                        const std::int64_t budget = of.percent(share);
                        const double us = timeOf(mixed(of, budget));
                        double others = std::numeric_limits<double>::infinity();
                        for (const char *other : {"offload-greedy", "offload-greedy-star", "pofo"})
                            others = std::min(others, timeOf(planned(other, of, budget)));
                        const std::int64_t left = budget - offload::plannedParameterBytes(of.graph);
                        Case resident = of;
                        resident.graph = offload::withResidentParameters(of.graph);
                        if (!onHost && left > 0) others = std::min(others, timeOf(plan("search", resident, left)));
                        QVERIFY2(us <= others * (1 + 1e-9),
                                 qPrintable(QString("%1 %2 %3").arg(us).arg(others).arg(share)));
                        ++rows;
                        plans += std::isfinite(us) ? 1 : 0;
                        better += us < others * (1 - 1e-6) ? 1 : 0;
                    }
                }
        QVERIFY2(plans == rows && better > (testsAll() ? 1 : 0), qPrintable(QString("%1 %2").arg(plans).arg(better)));
    }

    void againstEveryCombination()
    {
        Random random(3);
        int plans = 0, least = 0;
        double worst = 1;
        for (int i = 0; i < 6; ++i) {
            std::vector<WeightedLayer> layers;
            for (int layer = 0; layer < 2; ++layer)
                layers.push_back({random.between(5, 15), random.between(10, 40), 1.0 * random.between(5, 40)});
            Case of = trainingChain(layers, {"sgd", UpdateAt::Gradient, false});
            of.costs.linkBytesPerSecond = 1e6;
            for (const double share : {85.0, 75.0}) {
                const double exact = leastOfAll(of, of.percent(share));
                const double us = timeOf(planned("offmate", of, of.percent(share)));
                QCOMPARE(std::isfinite(us), std::isfinite(exact));
                if (!std::isfinite(us)) continue;
                ++plans;
                least += us <= exact * (1 + 1e-9) ? 1 : 0;
                worst = std::max(worst, us / exact);
            }
        }
        const QString found = QStringLiteral("%1 of %2 as fast as any, at worst %3").arg(least).arg(plans).arg(worst);
        qInfo("%s", qPrintable(found));
        QVERIFY2(plans > 6 && worst < 1.05, qPrintable(found));
    }

    void everyBudget()
    {
        int plans = 0;
        for (const std::uint64_t seed : seedsOfToday(1, 8, 2)) {
            const Case of(updatingGraph(seed));
            for (int share = 100; share >= 10; share -= 15) {
                const auto outcome = plan("offmate", of, std::max<std::int64_t>(of.percent(share), 1), {},
                                          {{"parameters", "on"}, {"tries", "60"}});
                QVERIFY2(outcome, sentenceOf(outcome).c_str()); // a plan that breaks a rule is a failed call
                plans += outcome->plan ? 1 : 0;
            }
        }
        QVERIFY2(plans > (testsAll() ? 20 : 8), qPrintable(QString::number(plans)));
    }

    void theSamePlanAgain()
    {
        const Case of =
            trainingChain(std::vector<WeightedLayer>(6, {20, 60, 40}), {"momentum", UpdateAt::Gradient, false});
        SolveContext two;
        two.threads = 2;
        const std::map<std::string, std::string> set{{"parameters", "on"}};
        const auto a = plan("offmate", of, of.percent(50), {}, set), b = plan("offmate", of, of.percent(50), two, set);
        QVERIFY2(a && a->plan && b && b->plan, sentenceOf(a).c_str());
        QVERIFY(a->plan->steps == b->plan->steps);
    }

    void automaticTakesIt()
    {
        for (const bool onHost : {false, true}) {
            const Case of =
                trainingChain(std::vector<WeightedLayer>(6, {20, 60, 40}), {"adamw", UpdateAt::Gradient, onHost});
            const auto automatic = planned("auto", of, of.percent(50));
            QVERIFY2(automatic && automatic->plan, sentenceOf(automatic).c_str());
            QCOMPARE(timeOf(automatic), timeOf(planned("offmate", of, of.percent(50))));
        }
    }

    void saysWhatLimits()
    {
        Case of = trainingChain(std::vector<WeightedLayer>(6, {20, 60, 40}), {"adamw", UpdateAt::Gradient, false});
        of.costs.linkBytesPerSecond = 1e4;
        const auto slow = planned("offload-greedy", of, of.percent(60));
        QVERIFY2(slow && slow->plan, sentenceOf(slow).c_str());
        const LaneUse use = laneUse(of.graph, of.costs, slow->plan->steps).value();
        QVERIFY(use.computeUs >= of.keepAllTimeUs - 1e-9 && use.hostUs == 0 && use.timeUs >= use.computeUs);
        QVERIFY2(use.toHostUs <= use.timeUs + 1e-9 && std::string(limitName(use)) != "computing", limitName(use));
        of.costs.linkBytesPerSecond = 1e12;
        const auto fast = planned("offload-greedy", of, of.percent(60));
        QCOMPARE(limitName(laneUse(of.graph, of.costs, fast->plan->steps).value()), "computing");
    }
};

QTEST_GUILESS_MAIN(TestOffmate)
#include "tst_offmate.moc"
