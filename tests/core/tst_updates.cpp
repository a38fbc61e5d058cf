// SPDX-License-Identifier: Apache-2.0
// Updates of parameters and states: what a plan may do around them, in the simulator's and in the checker's words.
#include "core/io/graph_json.h"
#include "core/plan/checker.h"
#include "core/plan/simulator.h"
#include "core/teaching/puzzles/graph_text.h"
#include "tests/support/graphs.h"

#include <QtTest>

#include <nlohmann/json.hpp>

using namespace remat;
using namespace remat::test;

namespace {

/// One layer of training with momentum. Copies of w take 12 µs, of m 22 µs, of its gradient 12 µs.
struct Training {
    explicit Training(bool onHost = false)
    {
        GraphBuilder builder;
        const StorageId x = builder.resident(3, StorageKind::Input, "x");
        w = builder.resident(10, StorageKind::Parameter, "w");
        m = builder.resident(20, StorageKind::State, "m");
        forward = builder.op({x, w}, {{1, StorageKind::Activation, false, "a"}}, 5);
        backward = builder.op({builder.output(forward), w}, {{10, StorageKind::ParameterGradient, true, "g"}}, 10,
                              Phase::Backward);
        g = builder.output(backward);
        update = builder.op({g, w, m}, {}, 4, Phase::Backward);
        builder.edit(update).updates = {w, m};
        builder.edit(update).onHost = onHost;
        builder.edit(forward).name = "F";
        builder.edit(backward).name = "B";
        builder.edit(update).name = "U";
        graph = builder.finish();
        planned = withPlannedParameters(graph);
        costs = graphCosts(graph);
        F = Step::compute(forward), B = Step::compute(backward), U = Step::compute(update);
        dropA = Step::free(builder.output(forward));
    }

    struct Said {
        bool ok = false;
        std::string simulator, checker; ///< why not
        double timeUs = 0;
        std::int64_t peakBytes = 0;
    };
    /// What both say, which is the same.
    Said judge(std::vector<Step> steps, bool parameters = true) const
    {
        Plan plan;
        plan.steps = std::move(steps);
        plan.parametersPlanned = parameters;
        const Verdict verdict = checkPlan(graph, costs, plan);
        const Expected<Simulation> simulation = simulatePlan(graph, costs, plan);
        if (simulation.has_value() != verdict.ok) qFatal("simulator and checker differ: %s", verdict.sentence.c_str());
        if (!simulation) return {false, simulation.error().message, verdict.sentence, 0, 0};
        if (simulation->peakBytes != verdict.peakBytes || std::abs(simulation->timeUs - verdict.timeUs) > 1e-9)
            qFatal("simulator and checker see other figures");
        return {true, {}, {}, verdict.timeUs, verdict.peakBytes};
    }

    Graph graph, planned;
    CostTable costs;
    OpId forward, backward, update;
    StorageId w, m, g;
    Step F, B, U, dropA;
};

} // namespace

class TestUpdates : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void graphsSayIt()
    {
        const Training t;
        QVERIFY(t.graph.op(t.update).computeOnce);
        QVERIFY(!t.graph.storage(t.g).isOutput); // its update has read it
        QVERIFY(isResident(t.graph.storage(t.m).kind) && !t.graph.planned(t.m));
        QVERIFY(t.planned.planned(t.w) && t.planned.planned(t.m) && t.planned.keptToEnd(t.m));
        // What only the host touches stays there.
        const Training host(true);
        QVERIFY(host.planned.planned(host.w) && !host.planned.planned(host.m));
        QVERIFY(host.graph.fingerprint != t.graph.fingerprint);
    }

    void isReadAndWritten()
    {
        const auto graph = parseGraphJson(R"({"format": "remat-graph/1", "name": "t",
            "inputs": [{"name": "w", "bytes": 8, "kind": "parameter"}, {"name": "m", "bytes": 8, "kind": "state"}],
            "ops": [{"name": "b", "inputs": ["w"], "outputs": [{"name": "g", "bytes": 8}], "phase": "backward"},
                    {"name": "u", "inputs": ["g"], "outputs": [], "updates": ["w", "m"], "on": "host",
                     "phase": "backward"}],
            "outputs": ["g"]})",
                                          "t.json");
        QVERIFY2(graph, graph ? "" : graph.error().message.c_str());
        const Op &update = graph->ops[1];
        QVERIFY(update.onHost && update.computeOnce);
        QCOMPARE(update.inputs,
                 (std::vector<StorageId>{StorageId(2), StorageId(0), StorageId(1)})); // it reads them, too
        QCOMPARE(update.updates, (std::vector<StorageId>{StorageId(0), StorageId(1)}));
        QCOMPARE(graph->storages[1].kind, StorageKind::State);
        QCOMPARE(graph->storages[2].kind, StorageKind::ParameterGradient);
        for (const Graph &each : {*graph, Training().graph}) {
            const auto again = parseGraphJson(graphAsJson(each, graphCosts(each)).dump(), "again");
            QVERIFY2(again, again ? "" : again.error().message.c_str());
            QCOMPARE(again->fingerprint, each.fingerprint);
        }
    }

    void fingerprintsCoverThem()
    {
        const Training t;
        Graph other = t.graph;
        other.ops[t.update.index()].updates = {t.w};
        QVERIFY(graphFingerprint(other) != t.graph.fingerprint);
    }

    void refusals_data()
    {
        QTest::addColumn<QString>("op");
        QTest::addColumn<QString>("part");
        const auto row = [](const char *name, const char *op, const char *part) { QTest::newRow(name) << op << part; };
        row("a buffer", R"({"name": "u", "inputs": [], "outputs": [], "updates": ["b"]})",
            "which is neither a parameter nor a state");
        row("unknown", R"({"name": "u", "inputs": [], "outputs": [], "updates": ["q"]})", "ops[0].updates[0]");
        row("twice", R"({"name": "u", "inputs": [], "outputs": [], "updates": ["w", "w"]})", "updates \"w\" twice");
        row("elsewhere", R"({"name": "u", "inputs": [], "outputs": [], "updates": ["w"], "on": "moon"})",
            "it must be device or host");
        row("nothing", R"({"name": "u", "inputs": ["w"], "outputs": [], "on": "host"})", "it must update something");
        row("makes", R"({"name": "u", "inputs": [], "outputs": [{"name": "a", "bytes": 1}], "updates": ["w"],
                         "on": "host"})",
            "make nothing");
    }

    void refusals()
    {
        QFETCH(const QString, op);
        QFETCH(const QString, part);
        const auto graph = parseGraphJson(
            R"({"format": "remat-graph/1", "inputs": [{"name": "w", "kind": "parameter"}, {"name": "b", "kind": "buffer"}],
                "ops": [)" +
                op.toStdString() + "]}",
            "t.json");
        QVERIFY(!graph);
        QVERIFY2(graph.error().message.find(part.toStdString()) != std::string::npos, graph.error().message.c_str());
    }

    void gradientsMayGo()
    {
        const Training t;
        const auto gone = t.judge({t.F, t.B, t.dropA, t.U, Step::free(t.g)}, false);
        QVERIFY2(gone.ok, gone.checker.c_str());
        QCOMPARE(gone.peakBytes, 11);
        const auto kept = t.judge({t.F, t.B, t.U}, false);
        QVERIFY2(kept.ok, kept.checker.c_str());
        const auto early = t.judge({t.F, t.B, Step::free(t.g), t.U}, false);
        QCOMPARE(early.checker, std::string("Step 3 reads g, which was freed at step 2."));
        // Without the update it is an output, as ever.
        Graph without = t.graph;
        without.ops.pop_back();
        without.storages[t.g.index()].isOutput = true;
        Plan plan;
        plan.steps = {t.F, t.B, Step::free(t.g)};
        QCOMPARE(checkPlan(without, t.costs, plan).sentence,
                 std::string("The plan ends without g, an output of the graph."));
    }

    void computedOnceAndInOrder()
    {
        const Training t;
        const auto twice = t.judge({t.F, t.B, t.U, t.U});
        QCOMPARE(twice.checker,
                 std::string("Step 3 computes U again, which writes to its inputs or is a collective and may "
                             "be computed only once."));
        QCOMPARE(twice.simulator, twice.checker);
        const auto never = t.judge({t.F, t.B});
        QVERIFY(never.checker.find("never computes U") != std::string::npos);
        // What is read is the parameter as it was before the update.
        const auto late = t.judge({t.F, t.B, t.U, t.dropA, t.F});
        QCOMPARE(late.checker, std::string("Step 4 computes F and reads w, which step 2 has changed too early."));
        QCOMPARE(late.simulator, std::string("Step 4 computes F, which reads w as it was before step 2 updated it."));
        const auto resident = t.judge({t.F, t.B, t.U, t.dropA, t.F}, false);
        QCOMPARE(resident.checker, late.checker);
        QVERIFY(t.judge({t.F, t.dropA, t.F, t.B, t.U}).ok);
    }

    void noWholeCopyIsLost()
    {
        const Training t;
        const Step dropW = Step::free(t.w), inW = Step::prefetch(t.w), outW = Step::offload(t.w);
        const auto lost = t.judge({t.F, t.B, t.U, dropW, inW});
        QCOMPARE(lost.simulator,
                 std::string("Step 3 frees w, of which this is the only whole copy since step 2 updated it; "
                             "offload it first."));
        QCOMPARE(
            lost.checker,
            std::string("Step 3 frees w, which step 2 updated, before it was offloaded: its value would be lost."));
        // A copy that was sent before the update is stale.
        const auto stale = t.judge({t.F, outW, t.B, t.U, dropW, inW});
        QVERIFY(stale.checker.starts_with("Step 4 frees w, which step 3 updated"));
        const auto sent = t.judge({t.F, t.B, t.U, outW, dropW, inW});
        QVERIFY2(sent.ok, sent.checker.c_str());
        // On the device at the beginning, and nowhere else, since it ends so.
        const auto early = t.judge({t.F, dropW, inW, t.B, t.U});
        QVERIFY(early.simulator.starts_with("Step 1 frees w, of which this is the only whole copy; offload"));
        QVERIFY(early.checker.starts_with("Step 1 frees w, which the plan updates, before"));
        // It ends with a copy in host memory, too, so it began with one: no second prefetch, no second offload.
        const auto both = t.judge({t.F, dropW, inW, t.B, t.U, outW});
        QVERIFY2(both.ok, both.checker.c_str());
        QCOMPARE(both.timeUs, 5.0 + 12 + 10 + 4 + 12);
    }

    void endsFreshWhereItBegan()
    {
        const Training t;
        const Step dropM = Step::free(t.m), inM = Step::prefetch(t.m), outM = Step::offload(t.m);
        const auto away = t.judge({inM, t.F, t.B, t.U, outM, dropM});
        QVERIFY2(away.ok, away.checker.c_str());
        QCOMPARE(away.timeUs, 22.0 + 4 + 22);
        const auto stays = t.judge({inM, t.F, t.B, t.U, outM});
        QVERIFY(stays.checker.find("ends with m on the device") != std::string::npos);
        const auto lost = t.judge({inM, t.F, t.B, t.U, dropM});
        QVERIFY(lost.checker.starts_with("Step 4 frees m"));
        const auto unread = t.judge({t.F, t.B, inM, dropM, t.U});
        QVERIFY(unread.checker.starts_with("Step 4 reads m"));
        const auto gone = t.judge({t.F, t.B, t.U, outM, dropM});
        QVERIFY(gone.checker.find("ends without m") != std::string::npos);
    }

    void waitsForCopies()
    {
        const Training t;
        // A copy of w on its way to host memory, 5..17, is not written over: U begins at 17, not at 15.
        const auto waits = t.judge({t.F, Step::offload(t.w), t.B, t.U});
        QVERIFY2(waits.ok, waits.checker.c_str());
        QCOMPARE(waits.timeUs, 21.0);
        QCOMPARE(t.judge({t.F, t.B, t.U}).timeUs, 19.0);
    }

    void onTheHost()
    {
        const Training t(true);
        const Step outG = Step::offload(t.g), dropG = Step::free(t.g), dropW = Step::free(t.w),
                   inW = Step::prefetch(t.w);
        const auto missing = t.judge({t.F, t.B, t.U});
        QCOMPARE(missing.checker,
                 std::string("Step 2 runs on the host and reads g, of which host memory has no whole copy."));
        QCOMPARE(missing.simulator,
                 std::string("Step 2 reads g in host memory, where no whole copy of it is; offload it."));
        // Out 15..27, on the host 27..31, back 31..43; the states never move and never count.
        const auto round = t.judge({t.F, t.B, outG, t.U, dropG, dropW, inW});
        QVERIFY2(round.ok, round.checker.c_str());
        QCOMPARE(round.timeUs, 43.0);
        QCOMPARE(round.peakBytes, 10 + 1 + 10);
        const auto stale = t.judge({t.F, t.B, outG, t.U, dropG});
        QVERIFY(stale.simulator.starts_with("The plan ends with a stale copy of w on the device"));
        QVERIFY(stale.checker.find("is stale, since an op on the host updated it") != std::string::npos);
        // Every op once says it by itself.
        const auto keepAll = t.judge(keepAllPlan(t.planned).steps);
        QVERIFY2(keepAll.ok, keepAll.checker.c_str());
        const auto resident = t.judge(keepAllPlan(t.graph).steps, false);
        QVERIFY2(resident.ok, resident.checker.c_str());
        QCOMPARE(resident.timeUs, 31.0);
        // Ops on the device go on meanwhile.
        const auto beside = simulate(t.graph, t.costs, {t.F, t.B, outG, t.U, t.dropA});
        QVERIFY(beside);
        QCOMPARE(beside->steps[4].startUs, 15.0);
    }

    void stalenessOnTheDevice()
    {
        GraphBuilder builder;
        const StorageId w = builder.resident(10, StorageKind::Parameter, "w");
        const OpId u = builder.op({w}, {}, 4, Phase::Backward);
        builder.edit(u).updates = {w};
        builder.edit(u).onHost = true;
        const OpId after = builder.op({w}, {{1, StorageKind::Gradient, true, "y"}}, 7, Phase::Backward);
        const Graph graph = builder.finish();
        const CostTable costs = graphCosts(graph);
        const auto judge = [&](std::vector<Step> steps) {
            Plan plan;
            plan.steps = std::move(steps);
            plan.parametersPlanned = true;
            const Verdict verdict = checkPlan(graph, costs, plan);
            const auto simulation = simulatePlan(graph, costs, plan);
            if (simulation.has_value() != verdict.ok) qFatal("simulator and checker differ");
            return std::pair(simulation ? std::string() : simulation.error().message, verdict);
        };
        const Step U = Step::compute(u), A = Step::compute(after);
        const auto [simulator, checker] = judge({U, A});
        QCOMPARE(checker.sentence,
                 std::string("Step 1 reads w, whose copy on the device is stale: step 0 updated the one in "
                             "host memory."));
        QCOMPARE(simulator,
                 std::string("Step 1 reads w, of which the copy on the device is stale: step 0 has changed the "
                             "one in host memory. Free it and prefetch it."));
        QVERIFY(judge({U, Step::offload(w), A}).second.sentence.starts_with("Step 1 offloads w, whose copy"));
        const auto fine = judge({U, Step::free(w), Step::prefetch(w), A});
        QVERIFY2(fine.second.ok, fine.second.sentence.c_str());
        QCOMPARE(fine.second.timeUs, 4.0 + 12 + 7);
        const auto early = judge({A, U});
        QVERIFY(early.second.sentence.find("has yet to update") != std::string::npos);
        QVERIFY(early.first.find("after an update that the plan has not computed yet") != std::string::npos);
    }
};

QTEST_APPLESS_MAIN(TestUpdates)
#include "tst_updates.moc"
