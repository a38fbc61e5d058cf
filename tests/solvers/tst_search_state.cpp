// SPDX-License-Identifier: Apache-2.0
// The incremental profile says what the evaluator says, after any number of changes and their undoing.
#include "core/plan/sequence_evaluator.h"
#include "solvers/search/state.h"
#include "solvers/tools/random.h"
#include "tests/solvers/solving.h"
#include "tests/support/random.h"

#include <QtTest>

#include <algorithm>

using namespace remat;
using namespace remat::search;

namespace {

/// Stage memory, overflow, time and peak as a replay of the whole sequence gives them.
struct Replayed {
    std::vector<std::int64_t> stageBytes;
    std::int64_t peakBytes = 0, overflow = 0;

    Replayed(const FlatGraph &flat, SequenceEvaluator &evaluator, const std::vector<Recompute> &set,
             std::int64_t budgetBytes)
    {
        std::vector<std::int64_t> held;
        peakBytes = evaluator.profile(toSequence(flat, set), held).peakBytes;
        std::size_t position = 0, next = 0;
        for (int t = 0; t < flat.ops; ++t) {
            std::int64_t highest = 0;
            for (; next < set.size() && set[next].slot == t; ++next)
                highest = std::max(highest, held[position++]);
            stageBytes.push_back(std::max(highest, held[position++]));
            overflow += std::max<std::int64_t>(0, stageBytes.back() - budgetBytes);
        }
    }
};

bool sameAsReplayed(const State &state, SequenceEvaluator &evaluator)
{
    const Replayed replayed(state.flat(), evaluator, state.recomputes(), state.budgetBytes());
    for (int t = 0; t < state.flat().ops; ++t)
        if (state.memory().at(t) != replayed.stageBytes[t]) return false;
    return state.memory().peak() == replayed.peakBytes && state.overflow() == replayed.overflow &&
           std::abs(state.extraUs() - extraTimeUs(state.flat(), state.recomputes())) < 1e-6;
}

Key anyStep(const FlatGraph &flat, test::Random &random)
{
    const int stage = 1 + random.below(flat.ops - 1);
    return keyOf(stage, random.below(stage));
}

/// Toggles at random, collects, rolls back and changes the budget.
bool agreesOnRandomMoves(const test::Case &of, std::uint64_t seed, int moves)
{
    const FlatGraph flat = flatten(of.graph, of.costs);
    SequenceEvaluator evaluator(of.graph, of.costs);
    State state(flat, of.percent(60));
    if (!sameAsReplayed(state, evaluator)) return false;
    test::Random random(seed);
    for (int move = 0; move < moves; ++move) {
        const std::vector<Recompute> before = state.recomputes();
        const std::int64_t overflowBefore = state.overflow();
        const std::size_t mark = state.mark();
        for (int toggles = random.between(1, 4); toggles > 0; --toggles) {
            const Key step = anyStep(flat, random);
            if (state.has(step))
                state.remove(step);
            else if (state.canAdd(slotOf(step), opOf(step)))
                state.add(step);
        }
        if (!sameAsReplayed(state, evaluator)) return false;
        if (random.percent(50)) {
            state.rollback(mark);
            if (state.recomputes() != before || state.overflow() != overflowBefore) return false;
        } else {
            state.commit();
        }
        if (random.percent(5)) state.setBudget(of.percent(random.between(30, 100)));
        if (!sameAsReplayed(state, evaluator)) return false;
    }
    return true;
}

} // namespace

class TestSearchState : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void smallRandomGraphs()
    {
        for (std::uint64_t seed = 0; seed < 300; ++seed) {
            test::RandomGraphParams params;
            params.ops = 3 + static_cast<int>(seed % 14);
            params.joint = seed % 2 == 1;
            params.computeOnce = seed % 3 == 0 ? 15 : 0;
            const test::Case of(test::randomGraph(seed, params));
            QVERIFY2(agreesOnRandomMoves(of, seed, 40), std::to_string(seed).c_str());
        }
    }

    void largerThanABlock()
    {
        for (std::uint64_t seed = 0; seed < 6; ++seed) {
            test::RandomGraphParams params;
            params.ops = 190 + 10 * static_cast<int>(seed);
            params.joint = seed % 2 == 1;
            const test::Case of(test::randomGraph(seed, params));
            QVERIFY2(agreesOnRandomMoves(of, seed, 400), std::to_string(seed).c_str());
        }
    }

    void collectLeavesWhatIsRead()
    {
        for (std::uint64_t seed = 0; seed < 200; ++seed) {
            test::RandomGraphParams params;
            params.ops = 12;
            params.joint = seed % 2 == 1;
            const test::Case of(test::randomGraph(seed, params));
            const FlatGraph flat = flatten(of.graph, of.costs);
            SequenceEvaluator evaluator(of.graph, of.costs);
            State state(flat, of.percent(50));
            test::Random random(seed);
            for (int round = 0; round < 30; ++round) {
                const Key step = anyStep(flat, random);
                if (state.has(step))
                    state.remove(step);
                else if (state.canAdd(slotOf(step), opOf(step)))
                    state.add(step);
                std::vector<Recompute> tidy = state.recomputes();
                tidyRecomputes(flat, tidy);
                state.collect();
                QVERIFY(state.recomputes() == tidy);
                QVERIFY(sameAsReplayed(state, evaluator));
                if (random.percent(70)) state.commit();
            }
        }
    }

    void assignTakesASet()
    {
        const test::Case of(test::chainGraph(40, {.seed = 3}));
        const FlatGraph flat = flatten(of.graph, of.costs);
        SequenceEvaluator evaluator(of.graph, of.costs);
        State state(flat, of.percent(50));
        const std::vector<Recompute> set = {{50, 3}, {50, 4}, {60, 2}, {70, 1}};
        state.assign(set);
        QVERIFY(state.recomputes() == set);
        QVERIFY(sameAsReplayed(state, evaluator));
        state.assign({{60, 2}});
        QCOMPARE(state.recomputes().size(), std::size_t(1));
        QVERIFY(sameAsReplayed(state, evaluator));
    }

    void whatIsOnceStays()
    {
        test::RandomGraphParams params;
        params.computeOnce = 100;
        const test::Case of(test::randomGraph(1, params));
        const FlatGraph flat = flatten(of.graph, of.costs);
        const State state(flat, 1);
        for (int t = 0; t < flat.ops; ++t)
            for (int i = 0; i < t; ++i)
                QVERIFY(!state.canAdd(t, i));
    }

    void overflowOfMoreAndLess()
    {
        test::Random random(5);
        SlotMemory memory(200, 100);
        for (int round = 0; round < 500; ++round) {
            const int from = random.below(201), to = random.below(201);
            const std::int64_t bytes = random.between(1, 60);
            const std::int64_t before = memory.overflow();
            const std::int64_t more = memory.overflowOfMore(from, to, bytes);
            memory.add(from, to, bytes);
            QCOMPARE(memory.overflow() - before, more);
            QCOMPARE(memory.overflowOfLess(from, to, bytes), more);
            if (random.percent(45)) memory.add(from, to, -bytes);
            std::int64_t overflow = 0, highest = memory.at(0);
            for (int t = 0; t < 200; ++t) {
                overflow += std::max<std::int64_t>(0, memory.at(t) - 100);
                highest = std::max(highest, memory.at(t));
            }
            QCOMPARE(memory.overflow(), overflow);
            QCOMPARE(memory.peak(), highest);
            const int start = random.below(200), found = memory.nextAbove(start, 100);
            int expected = -1;
            for (int k = 0; k < 200 && expected < 0; ++k)
                if (memory.at((start + k) % 200) > 100) expected = (start + k) % 200;
            QCOMPARE(found, expected);
        }
    }
};

QTEST_GUILESS_MAIN(TestSearchState)
#include "tst_search_state.moc"
