// SPDX-License-Identifier: Apache-2.0
#include "core/bounds/bounds.h"
#include "core/plan/energy.h"
#include "solvers/checkmate/model.h"
#include "solvers/ilp/cbc.h"
#include "tests/solvers/solving.h"
#include "tests/support/brute_force.h"
#include "tests/support/energy_search.h"
#include "tests/support/least_energy.h"
#include "tests/support/random_layered.h"
#include "tests/support/sampled.h"
#include "tests/support/u_shaped.h"

#include <QtTest>

using namespace remat;
using namespace remat::test;

namespace {

/// Ops at 10 W, copies at `share` of that.
Case withPower(Case of, double share)
{
    of.costs.watts = 10;
    of.costs.linkWatts = 10 * share;
    return of;
}

double joulesOf(const Case &of, const SolveOutcome &outcome)
{
    return planJoules(of.graph, of.costs, outcome.plan->steps);
}

/// From what the largest op needs, 0, to the keep-all peak, 1.
std::int64_t between(const Case &of, double share)
{
    const std::int64_t least = workingSetBound(of.graph, of.costs).bytes;
    return std::max<std::int64_t>(
        least + static_cast<std::int64_t>(static_cast<double>(of.keepAllPeakBytes - least) * share), 1);
}

int plannedStorages(const Graph &graph)
{
    int count = 0;
    for (std::size_t s = 0; s < graph.storages.size(); ++s)
        count += graph.planned(StorageId(s)) ? 1 : 0;
    return count;
}

/// POET proves its plan, which computes or copies something, and the search through all states finds none for less.
void nothingTakesLess(const Case &of, std::int64_t budget)
{
    const auto outcome = plan("poet", of, budget, {}, {{"objective", "energy"}});
    QVERIFY2(outcome && outcome->plan, sentenceOf(outcome).c_str());
    QCOMPARE(outcome->status, SolveStatus::Optimal);
    const double joules = joulesOf(of, *outcome);
    QVERIFY(joules > of.costs.watts * of.keepAllTimeUs * 1e-6);
    const EnergySearch less = searchLessEnergy(of.graph, of.costs, budget, joules);
    QVERIFY2(less.ended, qPrintable(QString::number(less.states)));
    QVERIFY2(less.joules >= joules * (1 - 1e-6), qPrintable(QString::number(less.joules / joules, 'g', 9)));
}

} // namespace

class TestPoet : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void withoutALinkItIsOptimal()
    {
        int recomputed = 0;
        for (std::uint64_t seed = 1; seed <= 16; ++seed) {
            Graph chain = chainGraph(5, {.seed = seed});
            for (Storage &storage : chain.storages) // the slots do not know what is made again in the end, as the loss
                if (storage.producer && chain.op(storage.producer).phase == Phase::Loss) storage.isOutput = false;
            const Case of = withLink(Case(chain), 1);
            for (const double share : {85.0, 70.0, 60.0}) {
                const std::optional<double> optimum = bruteForceOptimum(of.graph, of.costs, of.percent(share));
                const auto outcome = plan("poet", of, of.percent(share));
                QVERIFY2(outcome, sentenceOf(outcome).c_str());
                if (!optimum) continue;
                QVERIFY(outcome->plan);
                QCOMPARE(outcome->plan->predicted.timeUs, *optimum);
                recomputed += *optimum > of.keepAllTimeUs ? 1 : 0;
            }
        }
        QVERIFY(recomputed > 10);
        for (std::uint64_t seed = 1; seed <= 24; ++seed) {
            const Case of = withLink(Case(randomGraph(seed, {.ops = 7})), 1);
            const std::optional<double> optimum = bruteForceOptimum(of.graph, of.costs, of.percent(85));
            const auto outcome = plan("poet", of, std::max<std::int64_t>(of.percent(85), 1));
            QVERIFY2(outcome, sentenceOf(outcome).c_str());
            if (!optimum) continue;
            QVERIFY(outcome->plan);
            QVERIFY(outcome->plan->predicted.timeUs >= *optimum - 1e-6);
        }
    }

    void pagingOnlyHelps()
    {
        int faster = 0;
        for (std::uint64_t seed = 1; seed <= 16; ++seed) {
            const Case of = withLink(Case(chainGraph(5, {.seed = seed})), 20e6);
            const std::int64_t budget = of.percent(60);
            const auto outcome = plan("poet", of, budget);
            QVERIFY2(outcome, sentenceOf(outcome).c_str());
            const std::optional<double> alone = bruteForceOptimum(of.graph, of.costs, budget);
            if (!alone) continue;
            QVERIFY(outcome->plan && outcome->plan->predicted.timeUs <= *alone + 1e-6);
            faster += outcome->plan->predicted.timeUs < *alone - 1e-6 ? 1 : 0;
        }
        QVERIFY(faster > 3);
    }

    void aFastLinkCostsNothing()
    {
        for (std::uint64_t seed = 1; seed <= 8; ++seed) {
            const Case of = withLink(Case(chainGraph(6, {.seed = seed})), 1e30);
            const auto outcome = plan("poet", of, workingSetBound(of.graph, of.costs).bytes);
            QVERIFY2(outcome && outcome->plan, sentenceOf(outcome).c_str());
            QCOMPARE(outcome->plan->predicted.timeUs, of.keepAllTimeUs);
        }
    }

    void leastEnergy()
    {
        Case of(chainGraph(5, {.seed = 3}));
        const std::int64_t budget = of.percent(60);
        const auto unknown = plan("poet", of, budget, {}, {{"objective", "energy"}});
        QVERIFY(!unknown && unknown.error().message.find("energy") != std::string::npos);

        of.costs.watts = 10;
        for (const double joulesPerByte : {1e-9, 1e-3}) { // copies for nothing, copies that cost more than anything
            of.costs.linkWatts = joulesPerByte * of.costs.linkBytesPerSecond;
            const auto least = plan("poet", of, budget, {}, {{"objective", "energy"}});
            const auto fastest = plan("poet", of, budget);
            QVERIFY(least && least->plan && fastest && fastest->plan);
            const auto joules = [&](const SolveOutcome &outcome) {
                return planJoules(of.graph, of.costs, outcome.plan->steps);
            };
            QVERIFY(joules(*least) <= joules(*fastest) * (1 + 1e-9));
            QVERIFY(least->message.find("Energy") != std::string::npos);
            const bool copies = std::any_of(least->plan->steps.begin(), least->plan->steps.end(),
                                            [](const Step &step) { return step.kind == StepKind::Prefetch; });
            QCOMPARE(copies, joulesPerByte < 1e-6);
        }
    }

    void leastEnergyIsThatOfBruteForce_data()
    {
        QTest::addColumn<bool>("chain");
        QTest::addColumn<double>("price");
        std::size_t row = 0;
        for (const bool chain : {true, false})
            for (const double price : {0.2, 1., 4.})
                if (isSampled(row++, 3))
                    QTest::addRow("%s, copies at %g of the ops' power", chain ? "chains" : "random graphs", price)
                        << chain << price;
    }

    void leastEnergyIsThatOfBruteForce()
    {
        QFETCH(bool, chain);
        QFETCH(double, price);
        int compared = 0;
        for (std::uint64_t seed = 1; seed <= 6; ++seed) {
            const Case of =
                withPower(Case(chain ? chainGraph(4, {.seed = seed}) : randomGraph(seed, {.ops = 5})), price);
            if (plannedStorages(of.graph) > 9) continue;
            for (const double share : {0., 0.5}) {
                const std::int64_t budget = between(of, share);
                const std::optional<double> least = bruteForceLeastJoules(of.graph, of.costs, budget);
                const auto outcome = plan("poet", of, budget, {}, {{"objective", "energy"}});
                QVERIFY2(outcome, sentenceOf(outcome).c_str());
                QCOMPARE(outcome->plan.has_value(), least.has_value());
                if (!least) continue;
                QVERIFY(std::abs(joulesOf(of, *outcome) / *least - 1) < 1e-6);
                QCOMPARE(outcome->status, SolveStatus::Optimal);
                ++compared;
            }
        }
        QVERIFY2(compared >= 5, qPrintable(QString::number(compared)));
    }

    void leastEnergyWithinALimitOnTime()
    {
        int compared = 0;
        for (std::uint64_t seed = 1; seed <= 4; ++seed) {
            const Case of = withPower(Case(chainGraph(3, {.seed = seed})), 0.2);
            for (const double percent : {10., 40.}) {
                const std::int64_t budget = between(of, 0);
                const std::optional<double> least =
                    bruteForceLeastJoules(of.graph, of.costs, budget, of.keepAllTimeUs * (1 + percent / 100));
                const auto outcome = plan("poet", of, budget, {},
                                          {{"objective", "energy"}, {"overhead-limit", std::to_string(percent)}});
                QVERIFY2(outcome, sentenceOf(outcome).c_str());
                if (!outcome->plan) continue;
                QVERIFY(least && overhead(of, *outcome) <= percent + 1e-6);
                QVERIFY(joulesOf(of, *outcome) >= *least * (1 - 1e-6));
                if (outcome->status != SolveStatus::Optimal) continue;
                QVERIFY(joulesOf(of, *outcome) <= *least * (1 + 1e-6));
                ++compared;
            }
        }
        QVERIFY2(compared >= 3, qPrintable(QString::number(compared)));
    }

    /// The search that judges the larger graphs is itself judged.
    void theSearchAgreesWithBruteForce()
    {
        int compared = 0;
        for (std::uint64_t seed = 1; seed <= 20; ++seed)
            for (const double price : {0.2, 2.}) {
                RandomGraphParams params;
                params.ops = 5;
                params.computeOnce = seed % 3 == 0 ? 20 : 0;
                const Case of =
                    withPower(Case(seed % 2 == 0 ? chainGraph(4, {.seed = seed}) : randomGraph(seed, params)), price);
                if (plannedStorages(of.graph) > 9) continue;
                for (const double share : {0., 0.5}) {
                    const std::int64_t budget = between(of, share);
                    const std::optional<double> least = bruteForceLeastJoules(of.graph, of.costs, budget);
                    const EnergySearch found = searchLessEnergy(of.graph, of.costs, budget, 1e30);
                    QVERIFY(found.ended);
                    QCOMPARE(found.joules < 1e29, least.has_value());
                    if (!least) continue;
                    QVERIFY2(std::abs(found.joules / *least - 1) < 1e-9,
                             qPrintable(QStringLiteral("%1: %2, not %3").arg(seed).arg(found.joules).arg(*least)));
                    QCOMPARE(searchLessEnergy(of.graph, of.costs, budget, *least).joules, *least);
                    ++compared;
                }
            }
        QVERIFY2(compared > 30, qPrintable(QString::number(compared)));
    }

    void nothingTakesLessOnGraphsOfSixtyOps_data()
    {
        QTest::addColumn<QString>("device");
        QTest::addColumn<bool>("chain");
        for (const char *device : {"mkr1000", "nrf52840", "raspberry-pi-4", "jetson-tx2"})
            for (const bool chain : {true, false})
                QTest::addRow("%s on %s", chain ? "chain" : "U-net", device) << device << chain;
    }

    /// On the authors' devices, whose copies are dear beside ops (the microcontrollers) or cheap (the others): the
    /// search looks at every state from which less might be reached. REMAT_CHECK_WALK: more graphs and budgets.
    void nothingTakesLessOnGraphsOfSixtyOps()
    {
        QFETCH(const QString, device);
        QFETCH(const bool, chain);
        const auto found = findDevice(device.toStdString());
        QVERIFY2(found, sentenceOf(found).c_str());
        const auto walk = static_cast<std::uint64_t>(qEnvironmentVariableIntValue("REMAT_CHECK_WALK"));
        for (std::uint64_t seed = 1; seed <= std::max<std::uint64_t>(walk, 1); ++seed)
            for (const double share : walk > 0 ? std::vector{0.6, 0.3} : std::vector{0.6}) {
                ChainParams params;
                params.activationBytes = params.gradientBytes = 1000;
                params.forwardUs = 300;
                params.backwardUs = 600;
                params.seed = seed;
                Case of(chain ? chainGraph(29, params) : uShapedGraph(3, 2));
                QVERIFY(of.graph.ops.size() > 40 && of.graph.ops.size() <= 60);
                setLink(of.costs, *found);
                nothingTakesLess(of, between(of, share));
            }
    }

    void nothingTakesLessOnRandomGraphs_data()
    {
        QTest::addColumn<int>("ops");
        QTest::addColumn<int>("seed");
        QTest::addColumn<QString>("device");
        QTest::addColumn<double>("share");
        const auto row = [](int ops, int seed, const char *device, double share) {
            QTest::addRow("%d ops, seed %d on %s at %g", ops, seed, device, share) << ops << seed << device << share;
        };
        for (const char *device : {"mkr1000", "nrf52840", "raspberry-pi-4", "jetson-tx2"}) {
            row(20, 1, device, 0.6);
            row(40, 1, device, 0.6);
        }
        for (const char *device : {"nrf52840", "raspberry-pi-4"}) {
            row(30, 2, device, 0.3);
            row(40, 3, device, 0.6);
        }
    }

    /// Forward passes whose ops stand in layers, with skips: of those that end soon. Which do not, solvers/PAPERS.md
    /// says.
    void nothingTakesLessOnRandomGraphs()
    {
        QFETCH(const int, ops);
        QFETCH(const int, seed);
        QFETCH(const QString, device);
        QFETCH(const double, share);
        RandomLayeredParams params;
        params.ops = ops;
        Case of(randomLayeredGraph(static_cast<std::uint64_t>(seed), params));
        setLink(of.costs, *findDevice(device.toStdString()));
        nothingTakesLess(of, between(of, share));
    }

    /// Under a limit on time the search sees all but waits, so where POET has a proof, it must find nothing better.
    void nothingTakesLessWithinALimitOnTime()
    {
        int proven = 0;
        for (const char *device : {"mkr1000", "nrf52840", "raspberry-pi-4", "jetson-tx2"})
            for (const double overheadLimit : {4., 15.}) {
                ChainParams params;
                params.activationBytes = params.gradientBytes = 1000;
                params.forwardUs = 300;
                params.backwardUs = 600;
                params.seed = 1;
                Case of(chainGraph(6, params));
                setLink(of.costs, *findDevice(device));
                const std::int64_t budget = between(of, 0.6);
                const auto outcome = plan("poet", of, budget, {},
                                          {{"objective", "energy"}, {"overhead-limit", std::to_string(overheadLimit)}});
                QVERIFY2(outcome, sentenceOf(outcome).c_str());
                if (!outcome->plan) continue;
                QVERIFY(overhead(of, *outcome) <= overheadLimit + 1e-6);
                if (outcome->status != SolveStatus::Optimal) continue;
                const double joules = joulesOf(of, *outcome);
                const EnergySearch less =
                    searchLessEnergy(of.graph, of.costs, budget, joules, of.keepAllTimeUs * (1 + overheadLimit / 100));
                QVERIFY(less.ended && less.joules >= joules * (1 - 1e-6));
                ++proven;
            }
        QVERIFY2(proven >= 4, qPrintable(QString::number(proven)));
    }

    /// The whole program with every slot fine from the start, without cuts, starts or windows.
    void oneProgramSaysTheSame()
    {
        for (std::uint64_t seed = 1; seed <= 3; ++seed) {
            const Case of = withPower(Case(chainGraph(7, {.seed = seed})), 1);
            const FlatGraph flat = flatten(of.graph, of.costs);
            checkmate::ModelSettings settings;
            settings.budgetBytes = of.percent(55);
            settings.passes.assign(flat.ops + 1, 1);
            checkmate::PagingPrices &prices = settings.paging.emplace();
            for (int s = 0; s < flat.storages(); ++s) {
                prices.mayLeave.push_back(1);
                prices.copyUs.push_back(copyTimeUs(of.costs, flat.bytes[s]));
            }
            prices.priceUs = prices.copyUs;
            const checkmate::SlotProgram program = checkmate::buildSlotProgram(flat, settings);
            const ilp::Solution solution = ilp::solve(program.model, {});
            const auto outcome = plan("poet", of, settings.budgetBytes, {}, {{"objective", "energy"}});
            QVERIFY2(outcome, sentenceOf(outcome).c_str());
            QCOMPARE(solution.found(), outcome->plan.has_value());
            if (!solution.found()) continue;
            QCOMPARE(outcome->status, SolveStatus::Optimal);
            const double us = of.keepAllTimeUs + solution.objective * program.unitUs;
            QVERIFY(std::abs(joulesOf(of, *outcome) / (of.costs.watts * us * 1e-6) - 1) < 1e-5);
            const auto unpaged = plan("checkmate", of, settings.budgetBytes);
            QVERIFY(unpaged && (!unpaged->plan || joulesOf(of, *outcome) <= joulesOf(of, *unpaged) * (1 + 1e-6)));
        }
    }

    void noOtherTakesLessEnergy_data()
    {
        QTest::addColumn<QString>("device");
        std::size_t row = 0;
        const auto add = [&](const char *sample, const char *device) {
            if (isSampled(row++, 2)) QTest::addRow("%s", sample) << device;
        };
        add("tiny_unet", "raspberry-pi-4");
        add("tiny_gpt2", "nrf52840");
        add("tiny_resnet", "mkr1000");
        add("tiny_transformer", "jetson-tx2");
    }

    /// With next to no work: what the others find is where POET starts.
    void noOtherTakesLessEnergy()
    {
        QFETCH(QString, device);
        const auto model = loadSample(QTest::currentDataTag());
        const auto found = findDevice(device.toStdString());
        QVERIFY(model && found);
        const Case of(model->graph, rooflineCosts(*model, *found));
        const std::int64_t budget = of.percent(55);
        for (const char *name : {"pofo", "rotor"}) {
            const auto other = plan(name, of, budget);
            QVERIFY2(other, sentenceOf(other).c_str());
            if (!other->plan) continue;
            const double limit = overhead(of, *other) + 0.01;
            const auto outcome = plan(
                "poet", of, budget, {},
                {{"objective", "energy"}, {"work", "1"}, {"runs", "8"}, {"overhead-limit", std::to_string(limit)}});
            QVERIFY2(outcome && outcome->plan, sentenceOf(outcome).c_str());
            QVERIFY(overhead(of, *outcome) <= limit);
            QVERIFY(joulesOf(of, *outcome) <= joulesOf(of, *other) * (1 + 1e-9));
        }
    }

    void devicesOfThePaper()
    {
        const auto model = loadSample("tiny_unet");
        QVERIFY(model);
        for (const char *name : {"mkr1000", "nrf52840", "raspberry-pi-4", "jetson-tx2"}) {
            const auto device = findDevice(name);
            QVERIFY2(device, sentenceOf(device).c_str());
            const CostTable costs = rooflineCosts(*model, *device);
            QVERIFY(costs.watts > 0 && costs.linkWatts > 0);
            const double joules = planJoules(model->graph, costs, keepAllPlan(model->graph).steps);
            QVERIFY(std::abs(joules / (costs.watts * keepAllTimeUs(costs) * 1e-6) - 1) < 1e-9);
        }
    }

    void limitOnTime()
    {
        const Case of(chainGraph(6));
        const std::int64_t budget = of.percent(45);
        const auto free = plan("poet", of, budget);
        QVERIFY(free && free->plan);
        const double needed = overhead(of, *free);
        QVERIFY(needed > 1);
        const auto tight = plan("poet", of, budget, {}, {{"overhead-limit", std::to_string(needed / 2)}});
        QVERIFY(tight && !tight->plan);
        QVERIFY(tight->message.find("overhead-limit") != std::string::npos);
        const auto wide = plan("poet", of, budget, {}, {{"overhead-limit", std::to_string(needed * 1.01)}});
        QVERIFY(wide && wide->plan);
    }

    void everyBudgetOfRandomGraphs()
    {
        int plans = 0;
        for (std::uint64_t seed = 1; seed <= 10; ++seed) {
            const Case of(randomGraph(seed, {.ops = 12, .joint = true, .computeOnce = seed % 3 == 0 ? 20 : 0}));
            for (int share = 90; share >= 30; share -= 20) {
                SolveContext context;
                context.deadline = Deadline(1);
                const auto outcome = plan("poet", of, std::max<std::int64_t>(of.percent(share), 1), context);
                QVERIFY2(outcome, sentenceOf(outcome).c_str());
                plans += outcome->plan ? 1 : 0;
            }
        }
        QVERIFY2(plans > 10, qPrintable(QString::number(plans)));
    }

    void mergedRuns()
    {
        const auto of = sampleCase("tiny_unet");
        if (!of) QFAIL(of.error().message.c_str());
        Case slow = *of;
        slow.costs.linkBytesPerSecond /= 100;
        SolveContext context;
        context.deadline = Deadline(4);
        const auto outcome = plan("poet", slow, slow.percent(60), context, {{"runs", "10"}});
        QVERIFY2(outcome && outcome->plan, sentenceOf(outcome).c_str());
        QVERIFY(outcome->message.find("merged into") != std::string::npos);
        QVERIFY(overhead(slow, *outcome) < 60);
        const auto tooMany = plan("poet", slow, slow.percent(60), context, {{"runs", "100"}});
        QVERIFY(tooMany || tooMany.error().message.find("too many") != std::string::npos);
    }

    void stops()
    {
        const Case of(chainGraph(30, {.seed = 1}));
        StopToken stop;
        stop.requestStop();
        SolveContext context;
        context.stop = &stop;
        const auto outcome = plan("poet", of, of.percent(50), context);
        QVERIFY(outcome);
        QCOMPARE(outcome->status, SolveStatus::Stopped);
    }
};

QTEST_GUILESS_MAIN(TestPoet)
#include "tst_poet.moc"
