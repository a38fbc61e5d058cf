// SPDX-License-Identifier: Apache-2.0
#include "solvers/blocks/block_graph.h"
#include "solvers/chain/stage_chain.h"
#include "solvers/rockmate/block_grid.h"
#include "solvers/rockmate/priced_options.h"
#include "tests/solvers/solving.h"
#include "tests/support/brute_force.h"
#include "tests/support/patience.h"
#include "tests/support/sampled.h"
#include "tests/support/text_rows.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <queue>
#include <random>

using namespace remat;

namespace {

constexpr double kNothing = std::numeric_limits<double>::infinity();

/// A coarse grid for planners that have one.
std::map<std::string, std::string> fewOf(const std::string &planner)
{
    if (planner == "rk-rotor") return {};
    return {{"peaks", "2"}, {"saves", "3"}};
}

/// Least added time of any schedule that computes each op at most once between two first computations, in graph order,
/// within the budget: Dijkstra over (storages held, first computations done, last op computed again since). Infinite
/// when there is none.
double leastExtraUs(const FlatGraph &flat, std::int64_t budgetBytes)
{
    const auto storages = static_cast<unsigned>(flat.storages()), ops = static_cast<unsigned>(flat.ops);
    const auto bytesOf = [&](std::size_t held) {
        std::int64_t bytes = 0;
        for (unsigned s = 0; s < storages; ++s)
            bytes += (held >> s & 1U) != 0 ? flat.bytes[s] : 0;
        return bytes;
    };
    std::vector<double> reached(((ops + 1) * (ops + 1)) << storages, kNothing);
    using Entry = std::pair<double, std::size_t>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
    const auto reach = [&](std::size_t held, unsigned done, unsigned next, double us) {
        const std::size_t state = (std::size_t(done * (ops + 1) + next) << storages) | held;
        if (us >= reached[state]) return;
        reached[state] = us;
        open.emplace(us, state);
    };
    reach(0, 0, 0, 0);
    while (!open.empty()) {
        const auto [us, state] = open.top();
        open.pop();
        if (us > reached[state]) continue;
        const std::size_t held = state & ((std::size_t(1) << storages) - 1);
        const auto place = static_cast<unsigned>(state >> storages);
        const unsigned done = place / (ops + 1), next = place % (ops + 1);
        if (done == ops) return us;
        for (unsigned op = next; op <= done; ++op) {
            if (op < done && flat.once[op]) continue;
            std::int64_t making = flat.workspaceBytes[op];
            std::size_t made = 0, read = 0;
            for (const int s : flat.outputs[op]) {
                making += flat.bytes[s];
                made |= std::size_t(1) << unsigned(s);
            }
            for (const int s : flat.inputs[op])
                read |= std::size_t(1) << unsigned(s);
            if ((read & ~held) != 0 || bytesOf(held) + making > budgetBytes) continue;
            if (op == done)
                reach(held | made, done + 1, 0, us);
            else
                reach(held | made, done, op + 1, us + flat.timeUs[op]);
        }
        for (unsigned s = 0; s < storages; ++s)
            if ((held >> s & 1U) != 0) reach(held & ~(std::size_t(1) << s), done, next, us);
    }
    return kNothing;
}

/// An op, and after it `forks` of four forward ops: one makes something large, the next two run beside it, of which the
/// second needs room, and the last reads it. Backward ops read little.
Graph narrowForward(std::uint64_t seed, int forks)
{
    std::mt19937_64 random(seed);
    const auto upTo = [&](int least, int most) {
        return least + static_cast<int>(random() % static_cast<std::uint64_t>(most - least + 1));
    };
    test::GraphBuilder builder;
    StorageId current = builder.output(builder.op({builder.resident(1)}, {{upTo(1, 4)}}, upTo(1, 9)));
    std::vector<StorageId> narrow;
    for (int fork = 0; fork < forks; ++fork) {
        const StorageId wide = builder.output(builder.op({current}, {{upTo(15, 20)}}, upTo(1, 5)));
        const StorageId beside = builder.output(builder.op({fork == 0 ? wide : current}, {{upTo(1, 3)}}, upTo(1, 9)));
        const OpId room = builder.op({beside}, {{upTo(1, 4)}}, upTo(1, 9));
        builder.edit(room).workspaceBytes = upTo(12, 20);
        narrow.push_back(builder.output(room));
        current = builder.output(builder.op({wide, narrow.back()}, {{upTo(1, 4)}}, upTo(1, 9)));
    }
    StorageId gradient = builder.output(builder.op({current}, {{1, StorageKind::Activation, true}}, 1, Phase::Loss));
    for (int fork = forks; fork-- > 0;) {
        const OpId last = builder.op({narrow[std::size_t(fork)], gradient}, {{upTo(1, 4), StorageKind::Gradient}},
                                     upTo(1, 9), Phase::Backward);
        const OpId first =
            builder.op({builder.output(last)}, {{upTo(1, 4), StorageKind::Gradient, fork == 0}}, 2, Phase::Backward);
        builder.edit(first).workspaceBytes = upTo(0, 10);
        gradient = builder.output(first);
    }
    return builder.finish();
}

struct CellCount {
    int blocks = 0, cells = 0, infeasible = 0, solves = 0;
    int again = 0; ///< cells whose best schedule computes something again in the forward part
    QString wrong; ///< the first cell that is not as it must be

    QString text() const
    {
        return QStringLiteral(
                   "%1 blocks, %2 cells, %3 infeasible, %4 solved, %5 with recomputation in the forward part")
            .arg(blocks)
            .arg(cells)
            .arg(infeasible)
            .arg(solves)
            .arg(again);
    }
};

/// The grid of budgets of the whole graph as one block, each cell against Dijkstra; blocks with more storages than
/// `mostStorages` have too many states.
void compareCells(const test::Case &of, int budgets, std::size_t mostStorages, CellCount &count)
{
    const FlatGraph flat = flatten(of.graph, of.costs);
    const hiremate::Chain chain = hiremate::makeStages(flat, std::vector<int>(flat.ops, 0), of.keepAllPeakBytes);
    const hiremate::Block &block = chain.blocks.front();
    hiremate::BlockGraph alone = hiremate::blockGraph(flat, chain, block);
    if (alone.graph.storages.empty() || alone.graph.storages.size() > mostStorages) return;
    ++count.blocks;
    rockmate::GridSettings settings;
    settings.peaks = budgets;
    settings.saves = budgets;
    settings.mostUnproven = 1000;
    settings.iterations = 20'000;
    const rockmate::BlockGrid grid = rockmate::solveGrid(flat, chain, block, {}, settings);
    const auto expect = [&](bool right, const rockmate::GridCell &cell, double least) {
        if (right || !count.wrong.isEmpty()) return;
        count.wrong = QStringLiteral("%1: %2 within %3 and %4, not %5")
                          .arg(QString::fromStdString(of.graph.name))
                          .arg(cell.extraUs)
                          .arg(cell.peakBytes)
                          .arg(cell.savedBytes)
                          .arg(least);
    };
    if (grid.cells.size() != std::size_t(grid.peaks) * std::size_t(grid.saves) || grid.open() != 0)
        count.wrong = QStringLiteral("%1 of %2 cells are open").arg(grid.open()).arg(grid.cells.size());
    count.solves += grid.solves;
    for (const rockmate::GridCell &cell : grid.cells) {
        alone.costs.workspaceBytes[alone.between] = cell.peakBytes - cell.savedBytes;
        const double least = leastExtraUs(flatten(alone.graph, alone.costs), cell.peakBytes);
        const bool infeasible = cell.state == rockmate::CellState::Infeasible;
        ++count.cells;
        count.infeasible += infeasible ? 1 : 0;
        expect(infeasible == !(least < kNothing), cell, least);
        if (infeasible) continue;
        expect(std::abs(cell.extraUs - least) < 1e-6, cell, least);
        if (cell.option < 0) continue;
        const hiremate::Option &option = grid.options[cell.option];
        expect(std::abs(option.extraUs - least) < 1e-6 && option.keptBytes <= cell.savedBytes, cell, least);
        count.again += option.forwardAgain.empty() ? 0 : 1;
    }
}

} // namespace

class TestRockmate : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void noWorseThanItsHalves_data() { test::textRows("name", test::kTinySamples); }

    void noWorseThanItsHalves()
    {
        QFETCH(const QString, name);
        const auto of = test::sampleCase(name.toStdString());
        if (!of) QFAIL(of.error().message.c_str());
        const std::map<std::string, std::string> few = {{"peaks", "2"}, {"saves", "2"}, {"stages", "12"}};
        for (const double share : {50.0}) {
            const auto both = test::plan("rockmate", *of, of->percent(share), {}, few);
            QVERIFY2(both && both->plan, both ? both->message.c_str() : both.error().message.c_str());
            const double us = both->plan->predicted.timeUs + 1e-6;
            const auto one =
                test::plan("rk-rotor", *of, of->percent(share), {}, {{"options-per-block", "1"}, {"stages", "12"}});
            QVERIFY(one && (!one->plan || us <= one->plan->predicted.timeUs + 1e-6));
            const auto blocks = test::plan("rk-checkmate", *of, of->percent(share), {}, few);
            QVERIFY(blocks && (!blocks->plan || us <= blocks->plan->predicted.timeUs + 1e-6));
        }
    }

    void neverBeatsBruteForce()
    {
        int plans = 0;
        for (std::uint64_t seed = 1; seed <= 12; ++seed) {
            test::ChainParams params;
            params.seed = seed;
            const test::Case of(test::chainGraph(5, params));
            for (const int share : {90, 70, 55}) {
                const std::optional<double> best = test::bruteForceOptimum(of.graph, of.costs, of.percent(share));
                for (const char *planner : {"rockmate", "rk-rotor", "rk-checkmate"}) {
                    const auto outcome = test::plan(planner, of, of.percent(share), {}, fewOf(planner));
                    QVERIFY2(outcome.has_value(), test::sentenceOf(outcome).c_str());
                    if (!outcome->plan) continue;
                    ++plans;
                    QVERIFY(best && outcome->plan->predicted.timeUs >= *best - 1e-9);
                }
            }
        }
        QVERIFY(plans > 40);
    }

    void neverOverBudgetOnRandomTrainingGraphs()
    {
        int plans = 0;
        for (std::uint64_t seed = 0; seed < 8; ++seed) {
            test::RandomGraphParams params;
            params.joint = true;
            params.ops = 20 + 5 * static_cast<int>(seed);
            params.computeOnce = seed % 3 == 0 ? 10 : 0;
            const test::Case of(test::randomGraph(seed, params));
            for (const double share : {75.0, 60.0})
                for (const char *planner : {"rockmate", "rk-rotor", "rk-checkmate"}) {
                    const auto outcome = test::plan(planner, of, of.percent(share), {}, fewOf(planner));
                    QVERIFY2(outcome.has_value(), test::sentenceOf(outcome).c_str());
                    if (!outcome->plan) continue;
                    ++plans;
                    QVERIFY(outcome->plan->predicted.peakBytes <= of.percent(share));
                }
        }
        QVERIFY2(plans > 8, qPrintable(QString::number(plans)));
    }

    void identicalBlocksAreSolvedOnce()
    {
        const test::Case of(test::layeredGraph(8));
        SolveContext context;
        int saved = 0; // blocks that another one's solve served, at most
        context.progress = [&](const SolveProgress &progress) {
            int uses = 0;
            for (const ClusterProgress &row : progress.clusters)
                uses += row.uses;
            saved = std::max(saved, uses - static_cast<int>(progress.clusters.size()));
        };
        const auto outcome =
            test::plan("rockmate", of, of.percent(60), context, {{"points", "linearised"}, {"stages", "32"}});
        QVERIFY(outcome && outcome->plan);
        QVERIFY2(saved >= 7, qPrintable(QString::number(saved)));
    }

    void theSamePlanForAnyNumberOfThreads()
    {
        const test::Case of(test::layeredGraph(4));
        std::vector<Step> steps;
        for (const int threads : {1, 3}) {
            SolveContext context;
            context.threads = threads;
            const auto outcome = test::plan("rockmate", of, of.percent(60), context);
            QVERIFY(outcome && outcome->plan);
            if (steps.empty()) steps = outcome->plan->steps;
            QVERIFY(steps == outcome->plan->steps);
        }
    }

    void pricedOptionsGoFromEverythingToNothing()
    {
        const test::Case of(test::layeredGraph(2));
        const FlatGraph flat = flatten(of.graph, of.costs);
        const hiremate::Chain chain =
            hiremate::makeStages(flat, hiremate::partitionLabels(flat, {10, 20}), of.keepAllPeakBytes);
        for (const hiremate::Block &block : chain.blocks) {
            const std::vector<hiremate::Option> options = rockmate::pricedOptions(chain, block, 20);
            QVERIFY(!options.empty() && options.size() <= 20);
            QCOMPARE(options.front().extraUs, 0.0);
            QVERIFY(std::all_of(options.begin(), options.end(), [&](const hiremate::Option &option) {
                return option.keptBytes <= options.front().keptBytes;
            }));
            QCOMPARE(rockmate::pricedOptions(chain, block, 1).size(), chain::plainOptions(chain, block).size());
            // A block whose schedules are too many to be kept: the ends stay, and what lies between is as good.
            const std::vector<hiremate::Option> thinned = rockmate::pricedOptions(chain, block, 20, {}, 50);
            QVERIFY(!thinned.empty() && thinned.size() <= 20);
            QCOMPARE(thinned.front().keptBytes, options.front().keptBytes);
            QCOMPARE(thinned.back().keptBytes, options.back().keptBytes);
            QCOMPARE(thinned.back().extraUs, options.back().extraUs);
        }
    }

    /// Each cell of the grid of a small block: what the program proves is what Dijkstra finds over every state.
    void everyCellIsOptimal()
    {
        CellCount count;
        for (std::uint64_t seed = 0; seed < 30; ++seed) {
            test::RandomGraphParams params;
            params.joint = true;
            params.ops = 8 + static_cast<int>(seed % 3);
            params.computeOnce = seed % 4 == 3 ? 15 : 0;
            compareCells(test::Case(test::randomGraph(seed, params)), 5, 11, count);
        }
        QVERIFY2(count.wrong.isEmpty(), qPrintable(count.wrong));
        QVERIFY2(count.cells > 200 && count.infeasible > 0 && count.infeasible < count.cells / 2 &&
                     count.solves < count.cells,
                 qPrintable(count.text()));
        qInfo("%s", qPrintable(count.text()));
    }

    /// Blocks in which something large stands beside something that needs room before both are read: at tight budgets
    /// it has to be made twice before the backward part begins.
    void cellsThatComputeAgainInTheForwardPartAreOptimal()
    {
        CellCount count;
        for (std::uint64_t seed = 0; seed < 12; ++seed)
            compareCells(test::Case(narrowForward(seed, 1)), 5, 11, count);
        QVERIFY2(count.wrong.isEmpty(), qPrintable(count.wrong));
        QVERIFY2(count.blocks == 12 && count.again >= 2 * count.blocks, qPrintable(count.text()));
        qInfo("%s", qPrintable(count.text()));
    }

    void cellsOfALargerBlockAreOptimal()
    {
        CellCount count;
        const test::Case of(narrowForward(5, 2));
        QVERIFY(of.graph.ops.size() >= 14);
        compareCells(of, 3, 14, count);
        QVERIFY2(count.wrong.isEmpty(), qPrintable(count.wrong));
        QVERIFY2(count.blocks == 1 && count.cells == 9 && count.infeasible < 9 && count.again > 0,
                 qPrintable(count.text()));
        qInfo("%s", qPrintable(count.text()));
    }

    /// Added time in percent by the planner that stood here before the grid.
    void noWorseThanWithoutTheGrid_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<double>("budget");
        QTest::addColumn<double>("before");
        std::size_t number = 0;
        const auto row = [&](const char *name, double budget, double before) {
            if (test::isSampled(number++, 4)) QTest::addRow("%s %g", name, budget) << QString(name) << budget << before;
        };
        row("tiny_gpt2", 50, 12.2678);
        row("tiny_gpt2", 40, 22.0232);
        row("tiny_resnet", 50, 9.3456);
        row("tiny_resnet", 40, 39.7763);
        row("tiny_transformer", 40, 22.8463);
        row("tiny_transformer", 30, 30.3725);
        row("tiny_unet", 40, 25.8361);
        row("tiny_unet", 30, 63.7930);
    }

    void noWorseThanWithoutTheGrid()
    {
        QFETCH(const QString, name);
        QFETCH(const double, budget);
        QFETCH(const double, before);
        const auto of = test::sampleCase(name.toStdString());
        if (!of) QFAIL(of.error().message.c_str());
        SolveContext context;
        context.deadline = Deadline(5); // a second is enough on a machine that does nothing else
        context.threads = 2;
        const auto outcome = test::plan("rockmate", *of, of->percent(budget), context);
        QVERIFY2(outcome && outcome->plan, test::sentenceOf(outcome).c_str());
        QVERIFY2(test::overhead(*of, *outcome) <= before, qPrintable(QString::number(test::overhead(*of, *outcome))));
    }

    void whatIsNotProvenIsSaid()
    {
        const auto of = test::sampleCase("tiny_resnet");
        if (!of) QFAIL(of.error().message.c_str());
        SolveContext context;
        context.deadline = Deadline(1.5);
        const auto outcome =
            test::plan("rockmate", *of, of->percent(50), context, {{"stages", "4"}, {"points", "linearised"}});
        QVERIFY2(outcome && outcome->plan, test::sentenceOf(outcome).c_str());
        QVERIFY2(outcome->message.find("not solved to the end") != std::string::npos, outcome->message.c_str());
    }

    void aBlockThatIsTooLargeIsLeftAlone()
    {
        const test::Case of(test::layeredGraph(60));
        const FlatGraph flat = flatten(of.graph, of.costs);
        const hiremate::Chain chain = hiremate::makeStages(flat, std::vector<int>(flat.ops, 0), of.keepAllPeakBytes);
        QVERIFY(int(chain.blocks.front().ops.size()) > rockmate::kMostBlockOps);
        const rockmate::BlockGrid grid = rockmate::solveGrid(flat, chain, chain.blocks.front(), {}, {});
        QVERIFY(grid.tooLarge && grid.cells.empty() && grid.solves == 0);
    }

    void keepsTheDeadline()
    {
        const auto of = test::sampleCase("unet");
        if (!of) QFAIL(of.error().message.c_str());
        SolveContext context;
        context.deadline = Deadline(0.5);
        const auto start = std::chrono::steady_clock::now();
        const auto outcome = test::plan("rockmate", *of, of->percent(60), context);
        const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        QVERIFY(outcome.has_value());
        QVERIFY2(seconds < 0.5 + test::kPatienceSeconds, qPrintable(QString::number(seconds)));
    }
};

QTEST_GUILESS_MAIN(TestRockmate)
#include "tst_rockmate.moc"
