// SPDX-License-Identifier: Apache-2.0
// What planners tell of themselves is what they did.
#include "core/graph/model.h"
#include "core/plan/sequence_evaluator.h"
#include "solvers/chain/chain_table.h"
#include "solvers/chain/plan_chain.h"
#include "solvers/uses/record.h"
#include "tests/solvers/solving.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace remat;
using namespace remat::test;

namespace {

Expected<Recorded> record(const char *planner, const Case &of, std::int64_t budget,
                          const std::map<std::string, std::string> &set = {})
{
    const Planner &chosen = **findPlanner(planner);
    SolveRequest request;
    request.graph = &of.graph;
    request.costs = &of.costs;
    request.budgetBytes = budget;
    request.options = *makeOptions(chosen.info.options, set);
    return solveAndRecord(chosen, request, {});
}

Case chainOf(int stages, std::uint64_t seed = 3)
{
    ChainParams params;
    params.seed = seed;
    return Case(chainGraph(stages, params));
}

/// Opt(m, s, t) by its definition, without a table: all terms, tried by recursion.
double bruteForce(const chain::ChainTable &table, int s, int t, int memory)
{
    double best = kInfinity;
    for (const auto &term : table.terms(chain::ChainTable::Input::Freed, s, t)) {
        if (memory < std::max(term.least, term.less)) continue;
        double us = term.us;
        if (s != t) {
            const int next = term.checkpoint < 0 ? s + 1 : term.checkpoint;
            us += bruteForce(table, next, t, std::min(memory - term.less, table.memorySlots()));
            if (term.checkpoint >= 0) us += bruteForce(table, s, next - 1, memory);
        }
        best = std::min(best, us);
    }
    return best;
}

double number(const std::string &text)
{
    return std::stod(text);
}

} // namespace

class TestRecord : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void nothingIsToldWhereNobodyAsks()
    {
        const Case of = chainOf(6);
        for (const std::string &planner : tellingPlanners()) {
            const std::map<std::string, std::string> set = planner == "search"
                                                               ? std::map<std::string, std::string>{{"moves", "1"}}
                                                               : std::map<std::string, std::string>{};
            const std::int64_t budget = of.percent(planner == "search" ? 80 : 60);
            const auto quiet = plan(planner, of, budget, {}, set);
            const auto told = record(planner.c_str(), of, budget, set);
            QVERIFY2(quiet && told, planner.c_str());
            QVERIFY2(quiet->plan && told->outcome.plan, planner.c_str());
            QVERIFY2(quiet->plan->steps == told->outcome.plan->steps, planner.c_str());
            QVERIFY(!told->story.frames.empty());
            const auto read = parseStory(storyText(told->story), "story");
            QVERIFY2(read, read ? "" : read.error().message.c_str());
            QVERIFY(read->frames == told->story.frames);
            for (const StoryFrame &frame : told->story.frames) {
                for (const std::string &name : frame.ops)
                    QVERIFY2(std::any_of(of.graph.ops.begin(), of.graph.ops.end(),
                                         [&](const Op &op) { return op.name == name; }),
                             name.c_str());
                for (const std::string &name : frame.storages)
                    QVERIFY2(std::any_of(of.graph.storages.begin(), of.graph.storages.end(),
                                         [&](const Storage &storage) { return storage.name == name; }),
                             name.c_str());
            }
        }
    }

    /// Every value of every cell is the recursion's own.
    void rotorTellsItsTable()
    {
        const Case of = chainOf(5);
        const std::int64_t budget = of.percent(60);
        const auto told = record("rotor", of, budget, {{"slots", "40"}});
        QVERIFY2(told, told ? "" : told.error().message.c_str());

        const FlatGraph flat = flatten(of.graph, of.costs);
        const StopCheck never = [] { return false; };
        const auto labels = chain::stageLabels(flat, {}, never);
        const chain::StageChain stages =
            chain::makeStageChain(flat, labels->front(), of.keepAllPeakBytes, chain::plainSource(never), never);
        const std::int64_t most = std::min(chain::fullBytes(stages.model), budget + budget / 2);
        const chain::ChainTable table(stages.model, {most, 40, true, nullptr}, never);
        std::size_t frame = 0;
        for (int t = 0; t < stages.model.size(); ++t)
            for (int s = t; s >= 0; --s, ++frame) {
                const StoryFrame &cell = told->story.frames[frame];
                QCOMPARE(cell.table->marked, (std::vector<std::pair<int, int>>{{s, t + 1}}));
                std::vector<std::pair<double, double>> expected;
                for (int m = 0; m <= table.memorySlots(); ++m) {
                    // The kept input of a stage is a table of its own, which these chains do not need.
                    const double us = bruteForce(table, s, t, m);
                    if (std::isfinite(us)) expected.emplace_back(double(m * table.memorySlotBytes()), us);
                }
                QCOMPARE(cell.chart->series[0].points.size(), expected.size());
                for (std::size_t i = 0; i < expected.size(); ++i) {
                    QCOMPARE(cell.chart->series[0].points[i].first, expected[i].first);
                    QVERIFY(std::abs(cell.chart->series[0].points[i].second - expected[i].second) < 1e-9);
                }
            }
        QCOMPARE(told->story.frames.size(), frame + 1); // and what became of it
    }

    /// What goes has the lowest of the scores that were looked at, and went in that order.
    void dtrEvictsTheLowest()
    {
        const Case of = chainOf(10);
        const auto told = record("dtr", of, of.percent(60));
        QVERIFY2(told, told ? "" : told.error().message.c_str());
        int evictions = 0;
        for (const StoryFrame &frame : told->story.frames) {
            if (!frame.table) continue;
            ++evictions;
            double lowest = kInfinity;
            for (const auto &row : frame.table->rows)
                lowest = std::min(lowest, number(row.back()));
            const auto &marked = frame.table->rows[static_cast<std::size_t>(frame.table->marked.front().first)];
            QCOMPARE(number(marked.back()), lowest);
            QCOMPARE(marked.front(), frame.storages.front());
            QVERIFY(frame.chart->series[0].points.back().second <= double(of.percent(60)));
        }
        QVERIFY(evictions > 1);
    }

    /// Bounds only rise, the best plan only falls, and the last frame is what the solve gives back.
    void checkmateTellsBoundAndBest()
    {
        for (const std::uint64_t seed : {3U, 5U, 9U}) {
            const Case of = chainOf(7, seed);
            const auto told = record("checkmate", of, of.percent(55));
            QVERIFY2(told, told ? "" : told.error().message.c_str());
            if (!told->outcome.plan) continue;
            const StoryChart &chart = *told->story.frames.back().chart;
            const auto &best = chart.series[0].points, &bound = chart.series[1].points;
            for (std::size_t i = 1; i < best.size(); ++i)
                QVERIFY(best[i].second <= best[i - 1].second + 1e-9);
            for (std::size_t i = 1; i < bound.size(); ++i)
                QVERIFY(bound[i].second >= bound[i - 1].second);
            const double extra = told->outcome.plan->predicted.timeUs - of.keepAllTimeUs;
            QVERIFY(std::abs(best.back().second - extra) < 1e-6 * of.keepAllTimeUs);
            if (told->outcome.status == SolveStatus::Optimal)
                QVERIFY(std::abs(bound.back().second - extra) < 1e-5 * of.keepAllTimeUs);
            for (const StoryFrame &frame : told->story.frames)
                if (frame.table)
                    for (const auto &row : frame.table->rows)
                        QVERIFY(number(row.back()) >= 0 && number(row.back()) <= 1);
        }
    }

    /// Each drop was worth most of what was tried since the one before; annealing cools, and its best never gets worse.
    void searchTellsDropsAndMoves()
    {
        int drops = 0, moves = 0;
        for (const std::uint64_t seed : {3U, 4U, 5U, 6U}) {
            const Case of = chainOf(12, seed);
            const auto told = record("search", of, of.percent(50), {{"moves", "1"}});
            QVERIFY2(told, told ? "" : told.error().message.c_str());
            for (const StoryFrame &frame : told->story.frames) {
                if (!frame.table) continue;
                if (frame.table->columns.front() == "Tried") {
                    ++drops;
                    QCOMPARE(frame.table->marked.front().first, int(frame.table->rows.size()) - 1);
                    QCOMPARE(frame.table->rows.back().front(), frame.storages.front());
                    continue;
                }
                ++moves;
                const auto &best = frame.chart->series[1].points, &heat = frame.chart->series[2].points;
                for (std::size_t i = 1; i < best.size(); ++i)
                    QVERIFY(best[i].second <= best[i - 1].second + 1e-9);
                for (std::size_t i = 1; i < heat.size(); ++i)
                    QVERIFY(heat[i].second < heat[i - 1].second);
            }
            // The last peak of the greedy is the plan's own where annealing has changed nothing.
            const double extra = told->outcome.plan->predicted.timeUs - of.keepAllTimeUs;
            QVERIFY(extra >= 0);
        }
        QVERIFY2(drops > 5, qPrintable(QString::number(drops)));
        QVERIFY2(moves > 5, qPrintable(QString::number(moves)));
    }

    void refusalsSayWhatToDo()
    {
        const Case of = chainOf(6);
        const auto other = record("chen-sqrt", of, of.percent(60));
        QVERIFY(!other && other.error().message.find("These do: ") != std::string::npos);
        const auto large = record("rotor", chainOf(60), chainOf(60).percent(60));
        QVERIFY(!large && large.error().message.find("up to 80 ops") != std::string::npos);
        const auto easy = record("rotor", of, 2 * of.keepAllPeakBytes);
        QVERIFY(!easy && easy.error().message.find("Lower the budget.") != std::string::npos);
    }
};

QTEST_GUILESS_MAIN(TestRecord)
#include "tst_record.moc"
