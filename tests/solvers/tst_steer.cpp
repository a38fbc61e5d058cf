// SPDX-License-Identifier: Apache-2.0
#include "core/plan/pin_names.h"
#include "solvers/solve/steer/repair.h"
#include "solvers/solve/steer/steered_graph.h"
#include "tests/solvers/fake_planner.h"
#include "tests/solvers/solving.h"
#include "tests/support/brute_force.h"
#include "tests/support/random.h"
#include "tests/support/text_rows.h"

using namespace remat;

namespace {

Expected<SolveOutcome> steered(const std::string &planner, const test::Case &of, std::int64_t budget, const Pins &pins,
                               const std::map<std::string, std::string> &set = {}, const SolveContext &context = {})
{
    return test::plan(planner, of, budget, context, set, nullptr, pins);
}

/// At most one decision about an op, of every kind.
Pins randomPins(const Graph &graph, test::Random &random)
{
    Pins pins;
    for (std::size_t i = 0; i < graph.ops.size(); ++i) {
        const OpId op(i);
        const int dice = random.below(10);
        if (dice == 0) pins = decide(graph, pins, Decision::Keep, {op});
        if (dice == 1) pins = decide(graph, pins, Decision::Never, {op});
        if (dice == 2 || dice == 3) pins = decide(graph, pins, Decision::Recompute, {op});
    }
    return pins;
}

int timesComputed(const Plan &plan, OpId op)
{
    const std::vector<OpId> sequence = computeSequence(plan);
    return static_cast<int>(std::count(sequence.begin(), sequence.end(), op));
}

} // namespace

/// Plans around decisions made by hand.
class TestSteer : public QObject
{
    Q_OBJECT

private:
    const test::Case m_chain{test::chainGraph(6)};

private Q_SLOTS:
    void aTwinServesWhatComesAfterTheForwardPass()
    {
        Pins pins;
        pins.recompute = {OpId(1), OpId(2)};
        const auto steered = steer::steerGraph(m_chain.graph, m_chain.costs, pins, steer::Strictness::Relaxed);
        QVERIFY2(steered, test::sentenceOf(steered).c_str());
        QVERIFY(steered->hasTwins);
        QCOMPARE(steered->graph.ops.size(), m_chain.graph.ops.size() + 2);
        // f2's twin reads f1's twin, and both stand before the backward op that reads f2's copy.
        std::vector<std::string> names;
        for (const Op &op : steered->graph.ops)
            names.push_back(op.name);
        const std::string f1 = m_chain.graph.ops[1].name, f2 = m_chain.graph.ops[2].name;
        const auto at = std::find(names.begin(), names.end(), f1 + " again");
        QVERIFY(at != names.end());
        QCOMPARE(*std::next(at), f2 + " again");
        const auto place = static_cast<std::size_t>(at - names.begin());
        const StorageId copy = steered->graph.ops[place + 1].outputs.front();
        QCOMPARE(steered->graph.ops[place + 1].inputs, steered->graph.ops[place].outputs);
        const std::vector<StorageId> &read = steered->graph.ops[place + 2].inputs;
        QVERIFY(std::find(read.begin(), read.end(), copy) != read.end());
        for (std::size_t i = 0; i < place; ++i)
            for (const StorageId input : steered->graph.ops[i].inputs)
                QVERIFY(input.index() < m_chain.graph.storages.size());
    }

    void theWayBackComputesAgain()
    {
        Pins pins;
        pins.recompute = {OpId(2)};
        const auto outcome = steered("keep-all", m_chain, m_chain.keepAllPeakBytes, pins);
        QVERIFY2(outcome, test::sentenceOf(outcome).c_str());
        QVERIFY2(outcome->plan, outcome->message.c_str());
        QCOMPARE(timesComputed(*outcome->plan, OpId(2)), 2);
        QCOMPARE(outcome->plan->predicted.timeUs, m_chain.keepAllTimeUs + m_chain.costs.timeUs[2]);
        QCOMPARE(outcome->plan->origin.options.at("recompute"), m_chain.graph.ops[2].name);
        QVERIFY(!pinsViolated(m_chain.graph, outcome->plan->steps, pins));
    }

    void neverAndKeepHold()
    {
        Pins pins;
        pins.never = {OpId(1)};
        pins.keep = m_chain.graph.ops[2].outputs;
        const std::int64_t budget = m_chain.percent(90);
        const auto outcome = steered("search", m_chain, budget, pins);
        QVERIFY2(outcome && outcome->plan, test::sentenceOf(outcome).c_str());
        QCOMPARE(timesComputed(*outcome->plan, OpId(1)), 1);
        QCOMPARE(timesComputed(*outcome->plan, OpId(2)), 1);
        QVERIFY(!pinsViolated(m_chain.graph, outcome->plan->steps, pins));
    }

    /// With decisions of every kind: the plan follows them, passes the checker (or `solve` fails), is not faster than
    /// the best plan that follows them, and the exact planner reaches that where nothing is to be recomputed.
    void againstBruteForce()
    {
        int plans = 0, exact = 0, recomputed = 0;
        for (std::uint64_t seed = 1; seed <= 60; ++seed) {
            test::RandomGraphParams params;
            params.joint = true;
            params.ops = 7;
            params.multiOutput = 0;
            const test::Case of(test::randomGraph(seed, params));
            if (of.graph.storages.size() > 16) continue;
            test::Random random(seed);
            const Pins pins = randomPins(of.graph, random);
            if (pins.empty()) continue;
            for (const double share : {100.0, 85.0, 70.0}) {
                const std::int64_t budget = of.percent(share);
                const std::optional<double> best = test::bruteForceOptimum(of.graph, of.costs, budget, pins);
                for (const std::string planner : {"search", "checkmate"}) {
                    const auto outcome = steered(planner, of, budget, pins);
                    QVERIFY2(outcome, (planner + ": " + test::sentenceOf(outcome)).c_str());
                    if (!outcome->plan) {
                        const bool mustFind = best && planner == "checkmate" && pins.recompute.empty();
                        QVERIFY2(!mustFind, ("seed " + std::to_string(seed) + ": " + outcome->message).c_str());
                        continue;
                    }
                    ++plans;
                    QVERIFY2(!pinsViolated(of.graph, outcome->plan->steps, pins), "the plan leaves the decisions");
                    QVERIFY2(best, ("seed " + std::to_string(seed) + " " + planner).c_str());
                    QVERIFY2(outcome->plan->predicted.timeUs >= *best - 1e-9,
                             ("seed " + std::to_string(seed) + " " + planner).c_str());
                    recomputed += pins.recompute.empty() ? 0 : 1;
                    if (planner != "checkmate") continue;
                    exact += outcome->plan->predicted.timeUs <= *best + 1e-9 ? 1 : 0;
                    if (pins.recompute.empty()) QCOMPARE(outcome->plan->predicted.timeUs, *best);
                }
            }
        }
        QVERIFY2(plans > 60 && exact > 25 && recomputed > 30,
                 (std::to_string(plans) + " " + std::to_string(exact) + " " + std::to_string(recomputed)).c_str());
    }

    void aKeptStorageIsNotOffloaded()
    {
        int offloads = 0;
        for (const char *planner : {"offload-greedy", "offload-greedy-star", "pofo", "poet"}) {
            Pins pins;
            pins.keep = m_chain.graph.ops[2].outputs;
            const auto outcome = steered(planner, m_chain, m_chain.percent(75), pins);
            QVERIFY2(outcome, test::sentenceOf(outcome).c_str());
            QVERIFY2(outcome->plan, outcome->message.c_str());
            for (const Step &step : outcome->plan->steps) {
                if (step.kind != StepKind::Offload) continue;
                QVERIFY(step.storage != pins.keep.front());
                ++offloads;
            }
        }
        QVERIFY(offloads > 0);
    }

    /// A copy from the forward pass that is read to compute another op again is no copy dropped.
    void repairsWhatReadsTheOldCopy()
    {
        Pins pins;
        pins.recompute = {OpId(1)};
        std::vector<OpId> sequence = computeSequence(keepAllPlan(m_chain.graph));
        const auto firstBackward = static_cast<std::ptrdiff_t>(firstBackwardOp(m_chain.graph));
        sequence.insert(sequence.begin() + firstBackward, OpId(2)); // reads what op 1 made in the forward pass
        QVERIFY(pinsViolated(m_chain.graph, withEarliestFrees(m_chain.graph, sequence), pins));
        const std::vector<OpId> better = steer::repaired(m_chain.graph, pins, sequence);
        QVERIFY(!pinsViolated(m_chain.graph, withEarliestFrees(m_chain.graph, better), pins));
        QVERIFY(simulate(m_chain.graph, m_chain.costs, withEarliestFrees(m_chain.graph, better)));
    }

    void violationsAreSentences()
    {
        const std::vector<Step> plan = keepAllPlan(m_chain.graph).steps;
        Pins pins;
        pins.recompute = {OpId(1)};
        const auto kept = pinsViolated(m_chain.graph, plan, pins);
        QVERIFY(kept);
        QVERIFY2(kept->find("it is to be computed again") != std::string::npos, kept->c_str());
        pins = {};
        pins.keep = m_chain.graph.ops[1].outputs;
        std::vector<Step> offloads = plan;
        const auto made = std::find(offloads.begin(), offloads.end(), Step::compute(OpId(1)));
        offloads.insert(std::next(made), Step::offload(pins.keep.front()));
        const auto copied = pinsViolated(m_chain.graph, offloads, pins);
        QVERIFY(copied);
        QVERIFY2(copied->find("to be kept on the device") != std::string::npos, copied->c_str());
    }

    void namesTheDecisionThatBindsMost()
    {
        // Everything kept does not fit under the keep-all peak; the largest storage makes the difference.
        test::GraphBuilder builder;
        const StorageId x = builder.resident(8);
        std::vector<StorageId> made;
        for (const std::int64_t bytes : {10, 60, 10})
            made.push_back(builder.output(builder.op({made.empty() ? x : made.back()}, {{bytes}}, 1)));
        StorageId gradient = builder.output(builder.op({made.back()}, {{5, StorageKind::Gradient}}, 1, Phase::Loss));
        for (std::size_t i = made.size(); i-- > 0;)
            gradient = builder.output(
                builder.op({made[i], gradient}, {{5, StorageKind::Gradient, i == 0}}, 1, Phase::Backward));
        const test::Case of(builder.finish());
        Pins pins;
        pins.keep = made;
        const auto free = steered("search", of, of.keepAllPeakBytes - 2, {});
        QVERIFY2(free && free->plan, test::sentenceOf(free).c_str());
        const auto outcome = steered("search", of, of.keepAllPeakBytes - 2, pins);
        QVERIFY2(outcome, test::sentenceOf(outcome).c_str());
        QVERIFY(!outcome->plan);
        QCOMPARE(outcome->status, SolveStatus::Infeasible);
        QVERIFY2(outcome->message.find("binds most") != std::string::npos, outcome->message.c_str());
        QVERIFY2(outcome->message.find("To keep ") != std::string::npos, outcome->message.c_str());
    }

    void aPlannerThatCannotSaysSo()
    {
        SolveRequest request;
        request.graph = &m_chain.graph;
        request.costs = &m_chain.costs;
        request.budgetBytes = m_chain.keepAllPeakBytes;
        request.pins.never = {OpId(1)};
        const Planner fake =
            test::fakePlanner([](const SolveRequest &, const SolveContext &) -> Expected<SolveOutcome> {
                return fail("It is no chain.");
            });
        const auto outcome = solve(fake, request, {});
        QVERIFY(!outcome);
        QVERIFY(outcome.error().message.starts_with("It is no chain.")); // the cause before the way out
        QVERIFY(outcome.error().message.find("Around decisions made by hand") != std::string::npos);
    }

    void contradictionsAreRefused()
    {
        Pins pins;
        pins.never = pins.recompute = {OpId(1)};
        const auto outcome = steered("search", m_chain, m_chain.keepAllPeakBytes, pins);
        QVERIFY(!outcome);
        QVERIFY(outcome.error().message.find("Take one of the two decisions back") != std::string::npos);
    }

    void incumbentsFollowThePins()
    {
        Pins pins;
        pins.recompute = {OpId(1), OpId(3)};
        int told = 0;
        bool good = true;
        SolveContext context;
        context.progress = [&](const SolveProgress &progress) {
            if (!progress.incumbent) return;
            ++told;
            good = good && !pinsViolated(m_chain.graph, progress.incumbent->steps, pins) &&
                   progress.incumbent->steps.size() > m_chain.graph.ops.size();
        };
        const auto outcome = steered("search", m_chain, m_chain.percent(80), pins, {}, context);
        QVERIFY2(outcome && outcome->plan, test::sentenceOf(outcome).c_str());
        QVERIFY(told > 0 && good);
    }

    void sampleUnderAModule_data()
    {
        test::textRows("planner", {"auto", "search", "hiremate", "rotor", "chen-sqrt", "xla-greedy", "pofo"});
    }
    void sampleUnderAModule()
    {
        QFETCH(QString, planner);
        const auto of = test::sampleCase("tiny_gpt2");
        if (!of) QFAIL(of.error().message.c_str());
        PinNames names;
        std::string module;
        for (const Op &op : of->graph.ops)
            if (op.module.ends_with("h.0.mlp")) module = op.module;
        for (const Op &op : of->graph.ops)
            if (module.empty() && op.module.find("h.0.mlp") != std::string::npos)
                module = op.module.substr(0, op.module.find("h.0.mlp") + 7);
        names.recompute = {module};
        const Expected<Pins> pins = pinsByName(of->graph, names);
        QVERIFY2(pins, test::sentenceOf(pins).c_str());
        QVERIFY(!pins->recompute.empty());
        SolveContext context;
        context.deadline = Deadline(1.5);
        const auto outcome = steered(planner.toStdString(), *of, of->percent(80), *pins, {}, context);
        QVERIFY2(outcome, test::sentenceOf(outcome).c_str());
        QVERIFY2(outcome->plan, outcome->message.c_str());
        QVERIFY(!pinsViolated(of->graph, outcome->plan->steps, *pins));
    }
};

QTEST_GUILESS_MAIN(TestSteer)
#include "tst_steer.moc"
