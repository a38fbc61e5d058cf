#include "core/base/expected.h"
#include "core/bounds/bounds.h"
#include "solvers/offload/candidates.h"
#include "tests/solvers/solving.h"
#include "tests/support/brute_force.h"

#include <QTest>

using namespace remat;
using namespace remat::test;

namespace {

Case withLink(Case of, double bytesPerSecond)
{
    of.costs.linkBytesPerSecond = bytesPerSecond;
    of.costs.linkLatencyUs = 0;
    return of;
}

} // namespace

class TestPoet : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void withoutALinkItIsOptimal();
    void pagingOnlyHelps();
    void aFastLinkCostsNothing();
    void leastEnergy();
    void limitOnTime();
    void everyBudgetOfRandomGraphs();
    void mergedRuns();
    void stops();
};

void TestPoet::withoutALinkItIsOptimal()
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

void TestPoet::pagingOnlyHelps()
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

void TestPoet::aFastLinkCostsNothing()
{
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
        const Case of = withLink(Case(chainGraph(6, {.seed = seed})), 1e30);
        const auto outcome = plan("poet", of, workingSetBound(of.graph, of.costs).bytes);
        QVERIFY2(outcome && outcome->plan, sentenceOf(outcome).c_str());
        QCOMPARE(outcome->plan->predicted.timeUs, of.keepAllTimeUs);
    }
}

void TestPoet::leastEnergy()
{
    Case of(chainGraph(5, {.seed = 3}));
    const std::int64_t budget = of.percent(60);
    const auto unknown = plan("poet", of, budget, {}, {{"objective", "energy"}});
    QVERIFY(!unknown && unknown.error().message.find("energy") != std::string::npos);

    of.costs.watts = 10;
    for (const double joulesPerByte : {1e-9, 1e-3}) { // copies for nothing, copies that cost more than anything
        of.costs.linkJoulesPerByte = joulesPerByte;
        const auto least = plan("poet", of, budget, {}, {{"objective", "energy"}});
        const auto fastest = plan("poet", of, budget);
        QVERIFY(least && least->plan && fastest && fastest->plan);
        const auto joules = [&](const SolveOutcome &outcome) {
            return offload::planJoules(of.graph, of.costs, outcome.plan->steps);
        };
        QVERIFY(joules(*least) <= joules(*fastest) * (1 + 1e-9));
        QVERIFY(least->message.find("Energy") != std::string::npos);
        const bool copies = std::any_of(least->plan->steps.begin(), least->plan->steps.end(),
                                        [](const Step &step) { return step.kind == StepKind::Prefetch; });
        QCOMPARE(copies, joulesPerByte < 1e-6);
    }
}

void TestPoet::limitOnTime()
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

void TestPoet::everyBudgetOfRandomGraphs()
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

void TestPoet::mergedRuns()
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

void TestPoet::stops()
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

QTEST_GUILESS_MAIN(TestPoet)
#include "tst_poet.moc"
