// SPDX-License-Identifier: Apache-2.0
#include "solvers/chain/revolve.h"
#include "solvers/offload/multistage.h"
#include "tests/solvers/planner_checks.h"
#include "tests/solvers/uniform_chains.h"

#include <QtTest>

#include <cmath>
#include <queue>
#include <tuple>

using namespace remat;
using offload::HostCopies;
using offload::MultistageTable;

namespace {

const std::vector<HostCopies> kCopies = {{0, 0}, {0, 1}, {1, 0}, {1, 1}, {2, 0.5}, {0.25, 3}, {5, 5}};

/// Forward steps beyond one per stage and copies, by Dijkstra over everything that may be done: a state is at hand or
/// none, some are in memory, some on the host, and the stages from `left` on have been reversed. Stages are reversed
/// from the state before them, at no cost; writing to memory and reading from it are free.
double leastSteps(int length, int snapshots, const HostCopies &copies)
{
    using State = std::tuple<int, unsigned, unsigned, int>; // at hand (−1: none), in memory, on the host, left
    std::map<State, double> reached;
    using Entry = std::pair<double, State>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
    const auto reach = [&](double steps, const State &state) {
        const auto [entry, isNew] = reached.try_emplace(state, steps);
        if (!isNew && entry->second <= steps) return;
        entry->second = steps;
        open.emplace(steps, state);
    };
    reach(0, {0, 0U, 0U, length});
    while (!open.empty()) {
        const auto [steps, state] = open.top();
        open.pop();
        if (steps > reached[state]) continue;
        const auto [at, memory, host, left] = state;
        if (left == 0) return steps;
        if (at >= 0 && at + 1 < left) reach(steps + 1, {at + 1, memory, host, left});
        if (at + 1 == left && at >= 0) reach(steps, {-1, memory, host, left - 1});
        if (at >= 0 && __builtin_popcount(memory) < snapshots) reach(steps, {at, memory | 1U << at, host, left});
        if (at >= 0) reach(steps + copies.writeSteps, {at, memory, host | 1U << at, left});
        for (int s = 0; s < left; ++s) {
            if ((memory >> s & 1U) != 0) {
                reach(steps, {s, memory, host, left});
                reach(steps, {at, memory & ~(1U << s), host, left});
            }
            if ((host >> s & 1U) != 0) reach(steps + copies.readSteps, {s, memory, host, left});
        }
        for (int s = left; s < length; ++s) // what is behind is dropped
            if ((memory >> s & 1U) != 0) reach(steps, {at, memory & ~(1U << s), host, left});
    }
    return std::numeric_limits<double>::infinity();
}

/// What a schedule takes, counted as `leastSteps` does; −1 when it holds more than `snapshots` in memory.
double replay(const offload::PagedSchedule &paged, int stages, int snapshots, const HostCopies &copies)
{
    std::vector<std::size_t> order;
    for (std::size_t h = 0; h < paged.schedule.holds.size(); ++h)
        if (paged.schedule.holds[h].option < 0) order.push_back(h);
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return paged.schedule.holds[a].at > paged.schedule.holds[b].at;
    });
    std::set<int> memory, host;
    std::size_t next = 0;
    double steps = 0;
    for (int t = stages - 1; t >= 0; --t) {
        int from = 0;
        if (t < stages - 1) {
            const auto last = [t](const std::set<int> &held) {
                const auto after = held.upper_bound(t);
                return after == held.begin() ? -1 : *std::prev(after);
            };
            from = std::max(last(memory), last(host));
            if (from < 0) return -1;
            if (memory.count(from) == 0) steps += copies.readSteps;
        }
        steps += t - from;
        for (; next < order.size() && paged.schedule.holds[order[next]].at >= t; ++next) {
            const bool leaves = paged.leaves[order[next]] != 0;
            (leaves ? host : memory).insert(paged.schedule.holds[order[next]].stage);
            if (leaves) steps += copies.writeSteps;
        }
        if (static_cast<int>(memory.size()) > snapshots) return -1;
        memory.erase(t);
        host.erase(t);
    }
    return steps;
}

} // namespace

class TestMultistageRevolve : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void nothingTakesFewerSteps()
    {
        int useful = 0;
        for (int length = 1; length <= 6; ++length)
            for (int snapshots = 0; snapshots <= 3; ++snapshots)
                for (const HostCopies &copies : kCopies) {
                    const double least = leastSteps(length, snapshots, copies);
                    QCOMPARE(MultistageTable(length, snapshots, copies).steps(), least);
                    if (snapshots > 0)
                        useful += least < static_cast<double>(chain::revolveExtraSteps(length, snapshots)) ? 1 : 0;
                }
        QVERIFY2(useful > 20, "the host hardly ever helps");
    }

    void countsOfTheAuthorsCode()
    {
        // checkpoint_schedules 1.0.4, get_opt_inf_table with forward steps of 1 and backward steps of 0.
        struct Known {
            int length, snapshots;
            HostCopies copies;
            double steps;
        };
        for (const Known &known : {Known{10, 2, {1, 1}, 18}, Known{20, 3, {2, 0.5}, 39}, Known{50, 3, {5, 5}, 150},
                                   Known{100, 4, {10, 4}, 314}, Known{100, 2, {3, 2}, 305}, Known{60, 1, {4, 1}, 197}})
            QCOMPARE(MultistageTable(known.length, known.snapshots, known.copies).steps(), known.steps);
    }

    void withoutAHostItIsRevolve()
    {
        const HostCopies never{1e9, 0};
        for (int length = 1; length <= 120; length += length < 20 ? 1 : 10)
            for (int snapshots = 1; snapshots <= 12; ++snapshots)
                QCOMPARE(MultistageTable(length, snapshots, never).steps(),
                         static_cast<double>(chain::revolveExtraSteps(length, snapshots)));
    }

    void freeCopiesLeaveOneStepAStage()
    {
        for (int length = 1; length <= 60; ++length)
            for (int snapshots = 0; snapshots <= 4; ++snapshots)
                QCOMPARE(MultistageTable(length, snapshots, {0, 0}).steps(), length - 1.0);
    }

    void theScheduleTakesAsManySteps()
    {
        for (int length = 1; length <= 60; ++length) {
            const chain::ChainModel model = test::uniformChain(length);
            for (int snapshots = 0; snapshots <= 6; ++snapshots)
                for (const HostCopies &copies : kCopies) {
                    const MultistageTable table(length, snapshots, copies);
                    QCOMPARE(replay(table.schedule(model), length, snapshots, copies), table.steps());
                }
        }
    }

    void moreSnapshotsAndCheaperCopiesNeverTakeMore()
    {
        for (int length = 2; length <= 80; length += 13)
            for (int snapshots = 1; snapshots <= 6; ++snapshots) {
                const double steps = MultistageTable(length, snapshots, {3, 2}).steps();
                QVERIFY(steps <= MultistageTable(length, snapshots - 1, {3, 2}).steps());
                QVERIFY(steps <= MultistageTable(length, snapshots, {4, 2}).steps());
                QVERIFY(steps <= MultistageTable(length, snapshots, {3, 3}).steps());
                QVERIFY(steps <= static_cast<double>(chain::revolveExtraSteps(length, snapshots)));
            }
    }

    void thePlanComputesThatOften()
    {
        for (const int stages : {2, 5, 12, 20}) {
            const test::Case of(test::tapedChain(stages));
            for (const int snapshots : {0, 1, 2, 4}) {
                const auto outcome = test::plan("multistage-revolve", of, of.keepAllPeakBytes - 1, {},
                                                {{"snapshots", std::to_string(snapshots)},
                                                 {"write", "1.5"},
                                                 {"read", "1"},
                                                 {"points", "articulation"}});
                QVERIFY2(outcome && outcome->plan, test::sentenceOf(outcome).c_str());
                const auto computed = static_cast<double>(computeSequence(*outcome->plan).size());
                // The loss is the last stage; what copies take is no computation.
                const offload::PagedSchedule paged =
                    MultistageTable(stages + 1, snapshots, {1.5, 1}).schedule(test::uniformChain(stages + 1));
                QCOMPARE(computed - (2 * stages + 1), replay(paged, stages + 1, snapshots, {0, 0}));
            }
        }
    }

    void theHostMakesRoom()
    {
        // Inputs are what fills memory here; the link copies them while a stage runs.
        test::Case of(test::chainGraph(24, {.activationBytes = 100, .gradientBytes = 10}));
        of.costs.linkBytesPerSecond = 1e9;
        of.costs.linkLatencyUs = 0;
        int useful = 0;
        for (int share = 90; share >= 20; share -= 10) {
            const auto revolve = test::plan("revolve", of, of.percent(share));
            const auto both = test::plan("multistage-revolve", of, of.percent(share));
            QVERIFY2(revolve && both, test::sentenceOf(both).c_str());
            if (!revolve->plan) continue;
            QVERIFY2(both->plan, both->message.c_str());
            QVERIFY(both->plan->predicted.timeUs <= revolve->plan->predicted.timeUs + 1e-9);
            useful += both->plan->predicted.timeUs < 0.95 * revolve->plan->predicted.timeUs ? 1 : 0;
            for (const Step &step : both->plan->steps) // only inputs of stages leave
                QVERIFY(step.kind != StepKind::Offload ||
                        of.graph.op(of.graph.storage(step.storage).producer).phase == Phase::Forward);
        }
        QVERIFY2(useful > 2, qPrintable(QString::number(useful)));
    }

    void neverOverBudgetOnRandomTrainingGraphs() { test::neverOverBudget("multistage-revolve", 60); }

    void needsABackwardPart() { test::needsABackwardPart("multistage-revolve"); }
};

QTEST_GUILESS_MAIN(TestMultistageRevolve)
#include "tst_multistage_revolve.moc"
