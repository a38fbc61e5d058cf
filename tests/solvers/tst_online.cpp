// SPDX-License-Identifier: Apache-2.0
#include "core/addresses/memory_instance.h"
#include "solvers/online/neighbours.h"
#include "solvers/online/policies.h"
#include "solvers/online/scores.h"
#include "tests/solvers/solving.h"
#include "tests/support/brute_force.h"
#include "tests/support/text_rows.h"

#include <map>

using namespace remat;

namespace {

bool never()
{
    return false;
}

/// One run of DTR on a graph, with all that it needs kept alive.
struct Run {
    FlatGraph flat;
    online::CountingPolicy policy;
    online::Runtime runtime;
    std::unique_ptr<online::Score> score;
    online::RunEnd end;

    Run(const test::Case &of, std::int64_t budget, online::ScoreKind kind, double thrashLimit = 1000)
        : flat(flatten(of.graph, of.costs)),
          policy(budget),
          runtime(flat, policy, thrashLimit),
          score(online::makeScore(kind, runtime, 0))
    {
        policy.setScore(*score);
        end = runtime.run(never);
    }

    /// `0 1 -0 2`: computed ops, and freed storages with a minus.
    QString trace() const
    {
        std::string text;
        for (const Step &step : runtime.steps()) {
            if (!text.empty()) text += ' ';
            if (step.kind == StepKind::Free) text += '-';
            text += std::to_string(step.kind == StepKind::Compute ? step.op.value : step.storage.value);
        }
        return QString::fromStdString(text);
    }
};

/// a → b → c → d, then d and a are read together by the last op, whose result is the output.
/// Sizes 4, 2, 2, 2, 1; times 8, 1, 1, 1, 1. Storage i is made by op i.
Graph ladder()
{
    test::GraphBuilder builder;
    const OpId a = builder.op({}, {{4}}, 8);
    const OpId b = builder.op({builder.output(a)}, {{2}}, 1);
    const OpId c = builder.op({builder.output(b)}, {{2}}, 1);
    const OpId d = builder.op({builder.output(c)}, {{2}}, 1);
    builder.op({builder.output(d), builder.output(a), builder.output(b)}, {{1, StorageKind::ParameterGradient, true}},
               1, Phase::Backward);
    return builder.finish();
}

/// A chain of forward ops of 1, 2, … µs, all read by the one op of the backward pass.
test::Case heldChain(int ops)
{
    test::GraphBuilder builder;
    std::vector<StorageId> made;
    for (int i = 0; i < ops; ++i) {
        const OpId op =
            builder.op(made.empty() ? std::vector<StorageId>{} : std::vector<StorageId>{made.back()}, {{1}}, i + 1);
        made.push_back(builder.output(op));
    }
    builder.op(made, {{1, StorageKind::ParameterGradient, true}}, 1, Phase::Backward);
    return test::Case(builder.finish());
}

/// Layers that keep a large cheap storage and a small one that may be made only once, then one storage as large as
/// half of all layers, and a backward part that reads everything.
Graph scattered(int layers)
{
    constexpr std::int64_t kCheap = 10;
    test::GraphBuilder builder;
    const StorageId input = builder.resident(1);
    std::vector<OpId> cheap, once;
    for (int i = 0; i < layers; ++i) {
        cheap.push_back(builder.op({i == 0 ? input : builder.output(once.back())}, {{kCheap}}));
        once.push_back(builder.op({builder.output(cheap.back())}, {{1}}, 5));
        builder.edit(once.back()).kind = "mm";
        builder.edit(once.back()).computeOnce = true;
    }
    const OpId wide = builder.op({builder.output(once.back())}, {{kCheap * layers / 2}});
    StorageId gradient =
        builder.output(builder.op({builder.output(wide)}, {{1, StorageKind::Gradient}}, 1, Phase::Backward));
    for (int i = layers; i-- > 0;) {
        const auto at = static_cast<std::size_t>(i);
        gradient = builder.output(builder.op({gradient, builder.output(cheap[at]), builder.output(once[at])},
                                             {{1, StorageKind::Gradient, i == 0}}, 1, Phase::Backward));
    }
    return builder.finish();
}

/// In percent of the keep-all peak; 0 when nothing up to twice of that works.
int smallestPercent(const test::Case &of, const char *eviction)
{
    for (int share = 10; share <= 200; ++share) {
        const auto outcome =
            test::plan("coop", of, of.percent(share), {}, {{"eviction", eviction}, {"neighbours", "false"}});
        if (outcome && outcome->plan) return share;
    }
    return 0;
}

} // namespace

class TestOnline : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    // Worked by hand. b's last reader is the last op; c dies after op 3. When d is computed, a 4 + b 2 + c 2 are there:
    // with 9 bytes, 1 is free and 2 are wanted; c is locked, so a or b goes.
    void localEvictsWhatIsCheapPerByteAndStaleness()
    {
        // At op 3 the clock is 10 and op 2 read b at 9, op 1 read a at 8.
        // a: 8 / (4 · 2) = 1, b: 1 / (2 · 1) = 0.5. b goes, and comes back for the last op.
        const test::Case of(ladder());
        const Run run(of, 9, online::ScoreKind::Local);
        QCOMPARE(run.end, online::RunEnd::Done);
        QCOMPARE(run.trace(), QString("0 1 2 -1 3 -2 1 4 -0 -1 -3"));
    }

    void lruEvictsWhatWasReadLongestAgo()
    {
        // a was read at 8, b at 9: a goes, at the price of 8. After it is back, 4 + 2 + 2 + 1 are 9.
        const test::Case of(ladder());
        const Run run(of, 9, online::ScoreKind::Lru);
        QCOMPARE(run.trace(), QString("0 1 2 -0 3 -2 0 4 -0 -1 -3"));
    }

    void sizeEvictsTheLargest()
    {
        const test::Case of(ladder());
        QCOMPARE(Run(of, 9, online::ScoreKind::Size).trace(), QString("0 1 2 -0 3 -2 0 4 -0 -1 -3"));
    }

    void enoughMemoryEvictsNothing()
    {
        const test::Case of(ladder());
        using enum online::ScoreKind;
        for (const online::ScoreKind score : {Dtr, DtrEq, Local, Msps, Lru, Size, Random})
            QCOMPARE(Run(of, 10, score).trace(), QString("0 1 2 3 -2 4 -0 -1 -3"));
    }

    void tooLittleMemoryNamesTheOp()
    {
        const test::Case of(ladder());
        const Run run(of, 8, online::ScoreKind::Dtr);
        QCOMPARE(run.end, online::RunEnd::OutOfMemory);
        QCOMPARE(run.runtime.failedOp(), 4); // reads 4 + 2 + 2 and makes 1
    }

    void thrashingIsGivenUp()
    {
        const test::Case of(ladder());
        const Run run(of, 9, online::ScoreKind::Lru, 0.5); // 8 of 12 are spent again
        QCOMPARE(run.end, online::RunEnd::Thrashing);
    }

    void theNeighbourhoodIsWhatWouldHaveToComeBack()
    {
        // A chain of six, all alive until the end; 1, 2 and 4 are evicted by hand.
        const test::Case of = heldChain(6);
        const FlatGraph flat = flatten(of.graph, of.costs);

        struct Watch final : online::MemoryPolicy {
            bool allocate(online::Runtime &, int) override { return true; }
            void endOp(online::Runtime &runtime, int op) override
            {
                if (op == 5) atOp5(runtime);
            }
            void release(online::Runtime &, int) override {}
            std::function<void(online::Runtime &)> atOp5;
        } policy;
        online::Runtime runtime(flat, policy, 1000);
        online::Neighbourhood neighbourhood(runtime);
        bool asked = false;
        policy.atOp5 = [&](online::Runtime &r) {
            if (asked) return;
            asked = true;
            QCOMPARE(neighbourhood.ancestorsUs(3), 0.0);
            for (const int s : {1, 2})
                r.evict(s);
            QCOMPARE(neighbourhood.ancestorsUs(3), 5.0);   // 2 and 1, whose times are 3 and 2
            QCOMPARE(neighbourhood.descendantsUs(0), 5.0); // 1 needs 0, and 2 needs 1
            QCOMPARE(neighbourhood.descendantsUs(3), 0.0);
            // 4 is locked by op 5, which reads it.
            QVERIFY(!r.evictable(4));
        };
        QCOMPARE(runtime.run(never), online::RunEnd::Done);
        QVERIFY(asked);
    }

    void classesJoinAndNeverSplit()
    {
        const test::Case of = heldChain(5);
        const FlatGraph flat = flatten(of.graph, of.costs);
        struct Watch final : online::MemoryPolicy {
            bool allocate(online::Runtime &, int) override { return true; }
            void endOp(online::Runtime &runtime, int op) override
            {
                if (op == 4 && hook)
                    std::exchange(hook, nullptr)(runtime);
                else if (op == 2 && later)
                    std::exchange(later, nullptr)(runtime);
            }
            void release(online::Runtime &, int) override {}
            std::function<void(online::Runtime &)> hook, later;
        } policy;
        online::Runtime runtime(flat, policy, 1000);
        online::EvictedClasses classes(runtime);
        double before = -1, after = -1;
        policy.hook = [&](online::Runtime &r) {
            r.evict(1);
            r.evict(2);
            before = classes.neighboursUs(3); // 1 and 2 are one class: 2 + 3
            policy.later = [&](online::Runtime &) { after = classes.neighboursUs(3); };
        };
        QCOMPARE(runtime.run(never), online::RunEnd::Done);
        QCOMPARE(before, 5.0);
        // By the time 2 is computed again 1 has come back and taken its 2 out of the class.
        QCOMPARE(after, 3.0);
    }

    void runsArePlansWithinTheBudgetAndNeverBeatTheOptimum()
    {
        int plans = 0;
        for (std::uint64_t seed = 0; seed < 60; ++seed) {
            test::RandomGraphParams params;
            params.ops = 6;
            params.computeOnce = seed % 3 == 0 ? 15 : 0;
            const test::Case of(test::randomGraph(seed, params));
            for (const char *planner : {"dtr", "coop"})
                for (const double share : {95.0, 80.0, 65.0}) {
                    const auto outcome = test::plan(planner, of, of.percent(share), {}, {{"thrash-limit", "100"}});
                    QVERIFY2(outcome.has_value(), test::sentenceOf(outcome).c_str());
                    if (!outcome->plan) continue;
                    ++plans;
                    const std::optional<double> best = test::bruteForceOptimum(of.graph, of.costs, of.percent(share));
                    QVERIFY(best.has_value());
                    QVERIFY(outcome->plan->predicted.timeUs >= *best - 1e-9);
                }
        }
        QVERIFY2(plans > 40, qPrintable(QString::number(plans)));
    }

    void everyScoreAndEvictionPlansTrainingGraphs()
    {
        for (std::uint64_t seed = 0; seed < 25; ++seed) {
            test::RandomGraphParams params;
            params.joint = true;
            params.ops = 40;
            params.computeOnce = seed % 2 == 0 ? 10 : 0;
            const test::Case of(test::randomGraph(seed, params));
            for (const std::string &score : test::choicesOf("dtr", "score"))
                for (const char *frees : {"as run", "earliest"}) {
                    const auto outcome =
                        test::plan("dtr", of, of.percent(85), {}, {{"score", score}, {"frees", frees}});
                    QVERIFY2(outcome.has_value(), test::sentenceOf(outcome).c_str());
                    QVERIFY(outcome->plan || !outcome->message.empty());
                }
            for (const char *eviction : {"coop", "dte", "dtr"}) {
                const auto outcome = test::plan("coop", of, of.percent(90), {}, {{"eviction", eviction}});
                QVERIFY2(outcome.has_value(), test::sentenceOf(outcome).c_str());
                QVERIFY(!outcome->message.empty());
            }
        }
    }

    void aWindowFreesOnePieceWhereScoresScatter()
    {
        // Eight unit tensors fill memory. Every second one is cheap, and the last one nearly so: a tensor of two fits
        // in the place of the last two, while scores pick the scattered cheap ones first.
        test::GraphBuilder builder;
        std::vector<StorageId> made;
        made.reserve(8);
        for (int i = 0; i < 8; ++i)
            made.push_back(builder.output(builder.op({}, {{1}}, i == 7 ? 3 : i % 2 == 0 ? 1 : 50)));
        builder.op({}, {{0}}, 10000); // all are about equally stale after this
        builder.op({}, {{2, StorageKind::ParameterGradient, true}}, 1);
        for (const StorageId s : made)
            builder.op({s}, {{0}}, 1, Phase::Backward);
        const test::Case of(builder.finish());
        const std::map<std::string, std::string> plain{{"partition", "false"}, {"thrash-limit", "100"}};
        std::map<std::string, double> time;
        for (const char *eviction : {"coop", "dtr"}) {
            std::map<std::string, std::string> set = plain;
            set["eviction"] = eviction;
            const auto outcome = test::plan("coop", of, 8, {}, set);
            QVERIFY2(outcome && outcome->plan, test::sentenceOf(outcome).c_str());
            time[eviction] = outcome->plan->predicted.timeUs;
            const std::vector<MemoryInstance> instances = memoryInstances(of.graph, of.costs, outcome->plan->steps);
            QVERIFY(largestLoad(instances) <= 8);
        }
        QVERIFY2(time["coop"] < time["dtr"], qPrintable(QString("%1 %2").arg(time["coop"]).arg(time["dtr"])));
    }

    void aBudgetThatWorksIsNotFollowedByOneThatFails()
    {
        int holes = 0, helped = 0;
        for (std::uint64_t seed = 0; seed < 30; ++seed) {
            test::RandomGraphParams params;
            params.joint = true;
            params.ops = 30;
            const test::Case of(test::randomGraph(seed, params));
            for (const char *planner : {"dtr", "coop"}) {
                bool worked = false, workedAlone = false;
                for (int share = 50; share <= 95; share += 5) {
                    const std::int64_t budget = of.percent(share);
                    const auto outcome = test::plan(planner, of, budget);
                    QVERIFY2(outcome.has_value(), test::sentenceOf(outcome).c_str());
                    QVERIFY2(outcome->plan || !worked, qPrintable(QString("%1, seed %2, %3 %%: %4")
                                                                      .arg(planner)
                                                                      .arg(seed)
                                                                      .arg(share)
                                                                      .arg(outcome->message.c_str())));
                    worked = worked || outcome->plan;
                    const auto alone = test::plan(planner, of, budget, {}, {{"neighbours", "false"}});
                    QVERIFY2(alone.has_value(), test::sentenceOf(alone).c_str());
                    holes += workedAlone && !alone->plan ? 1 : 0;
                    workedAlone = workedAlone || alone->plan;
                    if (!outcome->plan || alone->plan) continue;
                    ++helped;
                    QVERIFY(outcome->message.find("the run fails; this is the one with") != std::string::npos);
                }
            }
        }
        QVERIFY2(holes > 0 && helped >= holes, qPrintable(QString("%1 holes, %2 helped").arg(holes).arg(helped)));
    }

    void outputsStayInPlaceOverIterations()
    {
        const test::Case of(test::chainGraph(12, {.parameterBytes = 3}));
        for (const char *eviction : {"coop", "dte", "dtr"})
            for (const char *iterations : {"1", "2", "5"}) {
                const auto outcome =
                    test::plan("coop", of, 2 * of.keepAllPeakBytes, {},
                               {{"eviction", eviction}, {"iterations", iterations}, {"neighbours", "false"}});
                QVERIFY2(outcome && outcome->plan, test::sentenceOf(outcome).c_str());
                // Enough memory: nothing is evicted, in no step.
                QCOMPARE(outcome->plan->predicted.timeUs, of.keepAllTimeUs);
            }
    }

    /// Steps over the same addresses: what the step before left is where it was with Coop, and moves with the others.
    void theOutputsOfAStepNeverMoveWithCoop()
    {
        const test::Case of(test::chainGraph(6, {.parameterBytes = 3}));
        const FlatGraph flat = flatten(of.graph, of.costs);
        const auto offsetsAfter = [&](online::Eviction eviction, int steps) {
            online::AddressPolicy policy(4 * of.keepAllPeakBytes, eviction, true);
            for (int step = 0; step < steps; ++step) {
                if (step > 0) policy.keepOutputs();
                online::Runtime runtime(flat, policy, 1000);
                const auto score = online::makeScore(online::ScoreKind::DtrEq, runtime, 0);
                policy.setScore(*score);
                if (runtime.run(never) != online::RunEnd::Done) return std::map<int, std::int64_t>{};
            }
            return policy.offsets();
        };
        const auto first = offsetsAfter(online::Eviction::Window, 1);
        QVERIFY(!first.empty());
        QCOMPARE(offsetsAfter(online::Eviction::Window, 4), first);
        const auto moved = offsetsAfter(online::Eviction::Single, 2);
        QCOMPARE(moved.size(), first.size());
        QVERIFY(moved != offsetsAfter(online::Eviction::Single, 1));
    }

    void coopNeedsHalfOfDtrsMemory()
    {
        const test::Case of(scattered(24));
        const int coop = smallestPercent(of, "coop"), dtr = smallestPercent(of, "dtr");
        QVERIFY2(coop > 0 && 2 * coop <= dtr, qPrintable(QString("%1 and %2 %").arg(coop).arg(dtr)));
    }

    void ancestorsGoWhenTheyHaveServed()
    {
        // c is evicted for d, and e reads it: a and b, which nothing else reads, come back for it.
        test::GraphBuilder builder;
        const OpId a = builder.op({}, {{1}}, 1);
        const OpId b = builder.op({builder.output(a)}, {{1}}, 1);
        const OpId c = builder.op({builder.output(b)}, {{1}}, 1);
        const OpId d = builder.op({}, {{1}}, 1);
        builder.op({builder.output(c)}, {{1, StorageKind::ParameterGradient, true}}, 1, Phase::Backward);
        builder.op({builder.output(d)}, {{1, StorageKind::ParameterGradient, true}}, 1, Phase::Backward);
        const test::Case of(builder.finish());
        const FlatGraph flat = flatten(of.graph, of.costs);
        struct Watch final : online::MemoryPolicy {
            bool allocate(online::Runtime &runtime, int op) override
            {
                if (op == 3) runtime.evict(2);
                if (op == 5) ancestorsThere = runtime.isThere(0) || runtime.isThere(1);
                return true;
            }
            void endOp(online::Runtime &, int) override {}
            void release(online::Runtime &, int) override {}
            bool ancestorsThere = false;
        };
        for (const auto ancestor : {online::Ancestor::Stays, online::Ancestor::GoesAtOnce}) {
            Watch policy;
            online::Runtime runtime(flat, policy, 1000, ancestor);
            QCOMPARE(runtime.run(never), online::RunEnd::Done);
            QCOMPARE(policy.ancestorsThere, ancestor == online::Ancestor::Stays);
            Plan plan;
            plan.steps = runtime.steps();
            QCOMPARE(computeSequence(plan).size(), std::size_t(9)); // six, and three again
        }
    }

    void coopCountsWhatATensorIsMadeFrom()
    {
        const test::Case of = heldChain(5);
        const FlatGraph flat = flatten(of.graph, of.costs);
        struct Watch final : online::MemoryPolicy {
            bool allocate(online::Runtime &, int) override { return true; }
            void endOp(online::Runtime &runtime, int op) override
            {
                if (op == 4 && hook) std::exchange(hook, nullptr)(runtime);
            }
            void release(online::Runtime &, int) override {}
            std::function<void(online::Runtime &)> hook;
        } policy;
        online::Runtime runtime(flat, policy, 1000);
        online::EvictedClasses classes(runtime, online::Around::Before);
        double before = -1, after = -1;
        policy.hook = [&](online::Runtime &r) {
            r.evict(1);
            r.evict(2);
            before = classes.neighboursUs(0); // 1 is made from it, which does not count
            after = classes.neighboursUs(3);  // it is made from 2, and that from 1
        };
        QCOMPARE(runtime.run(never), online::RunEnd::Done);
        QCOMPARE(before, 0.0);
        QCOMPARE(after, 5.0);
    }

    /// On the same addresses, as its authors compare, the method as it is; and as the planners are, even than DTR that
    /// counts bytes and has no addresses to care for.
    void coopIsNoSlowerThanDtrOnResnet()
    {
        const auto of = test::sampleCase("resnet50");
        if (!of) QFAIL(of.error().message.c_str());
        const auto timeUs = [&](const char *planner, const std::map<std::string, std::string> &set) {
            const auto outcome = test::plan(planner, *of, of->percent(70), {}, set);
            return outcome && outcome->plan ? outcome->plan->predicted.timeUs : 0.0;
        };
        const double method = timeUs("coop", {{"cost", "inputs"}, {"either", "off"}});
        for (const char *other : {"dtr", "dte"}) {
            const double us = timeUs("coop", {{"eviction", other}});
            QVERIFY2(method > 0 && method <= us, qPrintable(QString("%1 µs, %2 %3").arg(method).arg(other).arg(us)));
        }
        const double coop = timeUs("coop", {}), dtr = timeUs("dtr", {});
        QVERIFY2(coop > 0 && coop <= std::min(method, dtr), qPrintable(QString("%1 µs, dtr %2").arg(coop).arg(dtr)));
    }

    void samplesAtSeventyPercent_data()
    {
        test::textRows("name", {"tiny_gpt2", "tiny_resnet", "tiny_unet", "tiny_transformer", "gpt2"});
    }

    void samplesAtSeventyPercent()
    {
        QFETCH(const QString, name);
        const auto of = test::sampleCase(name.toStdString());
        if (!of) QFAIL(of.error().message.c_str());
        const auto dtr = test::plan("dtr", *of, of->percent(70));
        QVERIFY2(dtr && dtr->plan, dtr ? dtr->message.c_str() : dtr.error().message.c_str());
        const auto again = test::plan("dtr", *of, of->percent(70));
        QCOMPARE(again->plan->steps, dtr->plan->steps);
        const auto tidy = test::plan("dtr", *of, of->percent(70), {}, {{"frees", "earliest"}});
        QVERIFY(tidy->plan->predicted.peakBytes <= dtr->plan->predicted.peakBytes);
        QVERIFY(tidy->plan->predicted.timeUs <= dtr->plan->predicted.timeUs);
        const auto coop = test::plan("coop", *of, of->percent(70));
        QVERIFY2(coop && coop->plan, coop ? coop->message.c_str() : coop.error().message.c_str());
    }
};

QTEST_APPLESS_MAIN(TestOnline)
#include "tst_online.moc"
