// SPDX-License-Identifier: Apache-2.0
#include "core/plan/sequence_evaluator.h"
#include "solvers/blocks/block_search.h"
#include "solvers/blocks/closure.h"
#include "solvers/blocks/lite.h"
#include "tests/solvers/solving.h"

#include <QtTest>

#include <limits>
#include <set>

using namespace remat;
using namespace remat::hiremate;

namespace {

/// A graph as one single block, or cut by `sizes`.
struct ClosureCut {
    test::Case of;
    FlatGraph flat;
    Chain chain;

    ClosureCut(const Graph &graph, const PartitionSizes &sizes) : of(graph)
    {
        flat = flatten(of.graph, of.costs);
        chain = makeChain(flat, partitionLabels(flat, sizes), of.keepAllPeakBytes);
    }
};

const PartitionSizes kOneBlock{1, 1000};

/// Least added time over everything a block may keep within `bytes`, by trying all subsets.
double bestByTrying(const ClosureCut &cut, const Block &block, std::int64_t bytes)
{
    std::vector<int> forward;
    for (std::size_t s = 0; s < block.storages.size(); ++s)
        if (block.storages[s].forward) forward.push_back(static_cast<int>(s));
    double best = 1e300;
    for (unsigned set = 0; set < (1U << forward.size()); ++set) {
        std::vector<char> kept(block.storages.size(), 0);
        for (std::size_t i = 0; i < forward.size(); ++i)
            if (set >> i & 1U) kept[static_cast<std::size_t>(forward[i])] = 1;
        const Option option = makeOption(cut.chain, block, kept, justInTime(block, kept, true));
        bool possible = option.keptBytes <= bytes;
        for (const ProgramStep &step : option.program)
            possible = possible && !(step.recompute() && block.ops[static_cast<std::size_t>(step.op)].once);
        if (possible) best = std::min(best, option.extraUs);
    }
    return best;
}

} // namespace

/// Blocks, their options, and the programs that choose what is kept.
class TestClosure : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void identicalLayersAreOneBlock()
    {
        const ClosureCut cut(test::layeredGraph(12), {10, 18});
        std::set<int> distinct;
        for (const Block &block : cut.chain.blocks)
            distinct.insert(block.representative);
        QVERIFY(cut.chain.blocks.size() >= 12);
        QVERIFY2(distinct.size() <= 4, qPrintable(QString::number(distinct.size())));
    }

    void everyOpIsInOneBlock()
    {
        const ClosureCut cut(test::layeredGraph(5), {8, 20});
        std::vector<int> seen(static_cast<std::size_t>(cut.flat.ops), 0);
        for (const Block &block : cut.chain.blocks)
            for (int local = 0; local < static_cast<int>(block.ops.size()); ++local)
                ++seen[static_cast<std::size_t>(block.globalOp(local))];
        QVERIFY(std::all_of(seen.begin(), seen.end(), [](int times) { return times == 1; }));
    }

    void optionsAreTheBestOfAllSubsets_data()
    {
        QTest::addColumn<int>("once");
        QTest::newRow("all ops may be computed again") << 0;
        QTest::newRow("some only once") << 25;
    }

    void optionsAreTheBestOfAllSubsets()
    {
        QFETCH(const int, once);
        int compared = 0;
        for (std::uint64_t seed = 0; seed < 40; ++seed) {
            test::RandomGraphParams params;
            params.joint = true;
            params.ops = 14;
            params.computeOnce = once;
            params.zeroBytes = 0;
            const ClosureCut cut(test::randomGraph(seed, params), kOneBlock);
            if (cut.chain.blocks.size() != 1 || cut.chain.blocks[0].storages.size() > 18) continue;
            const Block &block = cut.chain.blocks[0];
            ClosureSettings settings;
            settings.levels = 400;
            settings.optionLimit = 400;
            const std::vector<Option> options = closureOptions(cut.flat, cut.chain, block, settings, {});
            for (const Option &option : options) {
                QVERIFY(option.extraUs >= bestByTrying(cut, block, option.keptBytes) - 1e-9);
                ++compared;
            }
            for (std::int64_t bytes = options.front().keptBytes; bytes >= 0; bytes -= 3) {
                double best = 1e300;
                for (const Option &option : options)
                    if (option.keptBytes <= bytes) best = std::min(best, option.extraUs);
                QVERIFY2(best <= bestByTrying(cut, block, bytes) + 1e-6,
                         qPrintable(QString("seed %1, %2 bytes").arg(seed).arg(bytes)));
            }
        }
        QVERIFY(compared > 50);
    }

    void searchedOptionsNeedLessMemoryThanJustInTimeOnes()
    {
        int smaller = 0, blocks = 0;
        for (std::uint64_t seed = 0; seed < 40; ++seed) {
            test::RandomGraphParams params;
            params.joint = true;
            params.ops = 40;
            params.computeOnce = seed % 2 == 0 ? 10 : 0;
            const ClosureCut cut(test::randomGraph(seed, params), kOneBlock);
            if (cut.chain.blocks.size() != 1) continue;
            const Block &block = cut.chain.blocks[0];
            std::int64_t least = std::numeric_limits<std::int64_t>::max(), leastSearched = least;
            ClosureSettings settings;
            for (const Option &option : closureOptions(cut.flat, cut.chain, block, settings, {})) {
                std::set<int> again;
                bool twice = false;
                for (const ProgramStep &step : option.program)
                    twice = twice || (step.recompute() && !again.insert(step.op).second);
                if (!twice) least = std::min(least, option.backwardPeakBytes);
            }
            for (const Option &option : searchedOptions(cut.flat, cut.chain, block, nullptr, {})) {
                leastSearched = std::min(leastSearched, option.backwardPeakBytes);
                for (const ProgramStep &step : option.program)
                    QVERIFY(!step.recompute() || !block.ops[static_cast<std::size_t>(step.op)].once);
            }
            ++blocks;
            smaller += leastSearched < least ? 1 : 0;
        }
        QVERIFY2(blocks > 20 && smaller > 0, qPrintable(QString("%1 of %2").arg(smaller).arg(blocks)));
    }

    void memoryOfAnOptionIsThatOfTheWholePlan()
    {
        // With one block and everything internal the option's own replay must give the graph's exact peak.
        for (std::uint64_t seed = 0; seed < 30; ++seed) {
            test::RandomGraphParams params;
            params.joint = true;
            params.ops = 16;
            const ClosureCut cut(test::randomGraph(seed, params), kOneBlock);
            if (cut.chain.blocks.size() != 1) continue;
            const Block &block = cut.chain.blocks[0];
            ClosureSettings settings;
            SequenceEvaluator evaluator(cut.of.graph, cut.of.costs);
            for (const Option &option : closureOptions(cut.flat, cut.chain, block, settings, {})) {
                std::vector<Recompute> recomputes;
                for (const ProgramStep &step : option.program)
                    if (step.recompute()) recomputes.push_back({block.globalOp(step.before), block.globalOp(step.op)});
                std::sort(recomputes.begin(), recomputes.end());
                std::int64_t peak = 0;
                for (int i = 0; i < block.forwardOps(); ++i)
                    peak = std::max(peak, option.forwardBytes[static_cast<std::size_t>(i)] +
                                              cut.chain.constantAt[static_cast<std::size_t>(i)]);
                peak = std::max(peak, option.backwardPeakBytes +
                                          cut.chain.constantBefore[static_cast<std::size_t>(block.backwardBegin)]);
                const SequenceCost cost = evaluator(toSequence(cut.flat, recomputes));
                QVERIFY(cost.peakBytes <= peak);
                QVERIFY(std::abs(cost.timeUs - cut.of.keepAllTimeUs - option.extraUs) < 1e-9);
            }
        }
    }

    void dominatedOptionsGoAndThinningKeepsTheEnds()
    {
        std::vector<Option> options;
        for (int i = 0; i < 200; ++i) {
            Option option;
            option.keptBytes = 1000 - 5 * i;
            option.extraUs = i;
            option.backwardPeakBytes = 2000;
            options.push_back(option);
            option.extraUs += 1;
            option.backwardPeakBytes += 1;
            options.push_back(option);
        }
        dropDominated(options, 60);
        QVERIFY(options.size() <= 60 && options.size() > 50);
        QCOMPARE(options.front().keptBytes, std::int64_t(1000));
        QCOMPARE(options.back().keptBytes, std::int64_t(1000 - 5 * 199));
        for (const Option &option : options)
            QCOMPARE(option.backwardPeakBytes, std::int64_t(2000));
    }

    void anInterfaceIsRebuiltFromWhatIsKept()
    {
        const ClosureCut cut(test::layeredGraph(6), {10, 18});
        const Block &block = cut.chain.blocks[1];
        std::vector<int> made;
        for (const LocalOp &op : block.ops)
            made.insert(made.end(), op.madeInterfaces.begin(), op.madeInterfaces.end());
        QVERIFY(!made.empty());
        const std::vector<char> nothing(block.storages.size(), 0), all(block.storages.size(), 1);
        const Rebuild whole = rebuild(cut.flat, block, nothing, {made.back()});
        const Rebuild last = rebuild(cut.flat, block, all, {made.back()});
        QVERIFY(whole.possible && last.possible);
        QCOMPARE(last.ops.size(), std::size_t(1));
        QVERIFY(whole.ops.size() > last.ops.size() && whole.timeUs > last.timeUs);
    }
};

QTEST_GUILESS_MAIN(TestClosure)
#include "tst_closure.moc"
