// SPDX-License-Identifier: Apache-2.0
// The puzzles that come with the program: each optimum is proven anew; and the search beside brute force.
#include "core/base/resources.h"
#include "core/teaching/puzzles/play.h"
#include "core/teaching/puzzles/puzzle_json.h"
#include "solvers/puzzles/optimum.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <queue>
#include <random>
#include <set>

using namespace remat;

namespace {

/// The least extra time and copies by looking at every position there is, move by move, with the rules of the player
/// and nothing of the search. Positions are told apart by what is where, and by what copies still run.
std::optional<PuzzleFigures> everyPosition(const Puzzle &puzzle, std::size_t most)
{
    using Key = std::vector<double>;
    const auto keyOf = [&puzzle](const PuzzlePosition &at) {
        Key key;
        const auto left = [&at](double untilUs) { return std::max(0.0, untilUs - at.nowUs); };
        for (const PuzzleStorage &each : at.storages) {
            key.push_back(each.held ? 1 : 0);
            if (puzzle.rules.addresses) key.push_back(each.held ? static_cast<double>(each.offsetBytes) : -1);
            if (!puzzle.rules.copies) continue;
            key.push_back(each.hostReadyUs < 0 ? -1 : left(each.hostReadyUs));
            key.push_back(each.held ? left(each.readyUs) : 0);
            key.push_back(each.held ? left(each.busyUntilUs) : 0);
        }
        for (std::size_t op = 0; op < at.computed.size(); ++op)
            if (!puzzle.rules.again || puzzle.graph.ops[op].computeOnce) key.push_back(at.computed[op]);
        key.push_back(left(at.toHostFreeUs));
        key.push_back(left(at.toDeviceFreeUs));
        return key;
    };
    using Cost = std::pair<double, std::int64_t>;
    struct Open {
        Cost cost;
        PuzzlePosition at;
        bool last;
        bool operator<(const Open &other) const { return cost > other.cost; }
    };
    std::priority_queue<Open> open;
    std::map<Key, Cost> reached;
    const auto reach = [&](const PuzzlePosition &at) {
        const Cost cost{at.nowUs, at.copiedBytes};
        const auto [entry, isNew] = reached.try_emplace(keyOf(at), cost);
        if (!isNew && entry->second <= cost) return;
        entry->second = cost;
        open.push({cost, at, false});
        if (isFinished(puzzle, at))
            open.push({{std::max({at.nowUs, at.toHostFreeUs, at.toDeviceFreeUs}), at.copiedBytes}, at, true});
    };
    reach(startPosition(puzzle));
    while (!open.empty() && reached.size() < most) {
        const Open now = open.top();
        open.pop();
        if (now.last) return PuzzleFigures{0, now.cost.first - puzzleBaseUs(puzzle), now.cost.second};
        if (reached[keyOf(now.at)] < now.cost) continue;
        for (const PuzzleMove &move : legalMoves(puzzle, now.at)) {
            PuzzlePosition next = now.at;
            applyMove(puzzle, next, move);
            reach(next);
        }
    }
    return std::nullopt;
}

/// Four or five ops forward and back, with sizes and times of one to three, and all kinds of rules.
Puzzle randomPuzzle(std::uint32_t seed)
{
    std::mt19937 random(seed);
    const auto upTo = [&random](std::uint32_t most) { return random() % most; };
    Puzzle puzzle;
    puzzle.rules.again = upTo(5) != 0;
    puzzle.rules.copies = seed % 4 == 1;
    puzzle.rules.addresses = seed % 4 == 2;
    const bool plain = puzzle.rules.copies || puzzle.rules.addresses;
    const std::size_t ops = plain ? 5 : 6;
    Graph graph;
    graph.storages.push_back({"x", 1, StorageKind::Input, {}, false, false, {}});
    std::int64_t total = 0;
    for (std::size_t i = 0; i < ops; ++i) {
        Op op;
        op.name = "op" + std::to_string(i);
        op.computeOnce = upTo(6) == 0;
        const std::size_t there = graph.storages.size();
        op.inputs.emplace_back(there - 1);
        const StorageId other(static_cast<std::size_t>(upTo(static_cast<std::uint32_t>(there))));
        if (other != op.inputs[0]) op.inputs.push_back(other);
        for (std::size_t made = 0; made < (!plain && upTo(4) == 0 ? 2U : 1U); ++made) {
            Storage storage;
            storage.name = "s" + std::to_string(graph.storages.size());
            storage.bytes = static_cast<std::int64_t>(1 + upTo(3));
            storage.isOutput = i + 1 == ops || upTo(8) == 0;
            storage.producer = OpId(i);
            total += storage.bytes;
            op.outputs.emplace_back(graph.storages.size());
            graph.storages.push_back(storage);
        }
        graph.ops.push_back(op);
        puzzle.costs.timeUs.push_back(static_cast<double>(1 + upTo(3)));
        puzzle.costs.workspaceBytes.push_back(plain ? 0 : static_cast<std::int64_t>(upTo(2)));
    }
    puzzle.costs.linkBytesPerSecond = 1e6; // a byte a microsecond
    auto finished = finishGraph(std::move(graph));
    if (!finished) qFatal("%s", finished.error().message.c_str());
    puzzle.graph = std::move(*finished);
    setSource(puzzle.costs, "graph", "");
    for (puzzle.budgetBytes = total / 2; !checkPuzzle(puzzle); ++puzzle.budgetBytes) {
    }
    return puzzle;
}

std::filesystem::path folder()
{
    return resourceDir() / "puzzles";
}

} // namespace

class TestPuzzleOptimum : public QObject
{
    Q_OBJECT

    std::vector<Puzzle> m_puzzles;

    void rows()
    {
        QTest::addColumn<int>("index");
        for (std::size_t i = 0; i < m_puzzles.size(); ++i)
            QTest::newRow(m_puzzles[i].name.c_str()) << static_cast<int>(i);
    }
    const Puzzle &puzzle(int index) const { return m_puzzles[static_cast<std::size_t>(index)]; }

private Q_SLOTS:
    void initTestCase()
    {
        for (const auto &entry : std::filesystem::directory_iterator(folder())) {
            if (entry.path().extension() != ".json") continue;
            const auto puzzle = readPuzzle(entry.path());
            QVERIFY2(puzzle, puzzle ? "" : puzzle.error().message.c_str());
        }
        m_puzzles = readPuzzles();
        QCOMPARE(m_puzzles.size(), 25U);
        for (std::size_t i = 0; i < m_puzzles.size(); ++i)
            QCOMPARE(m_puzzles[i].number, static_cast<int>(i) + 1);
    }

    void theOptimumIsProvenAnew_data() { rows(); }
    void theOptimumIsProvenAnew()
    {
        QFETCH(int, index);
        const Puzzle &said = puzzle(index);
        QVERIFY(said.optimum.has_value());
        Puzzle proven = said;
        const auto positions = proveOptimum(proven);
        QVERIFY2(positions, positions ? "" : positions.error().message.c_str());
        QVERIFY(*proven.optimum == *said.optimum);
        QCOMPARE(proven.parUs, said.parUs);
        const PuzzleScore score = scoreOf(said, said.solution);
        QVERIFY2(score.sound, score.sentence.c_str());
        QVERIFY(score.figures == *said.optimum);
        QCOMPARE(score.stars, 3);
        QVERIFY(!puzzleText(said, "de").title.empty() && puzzleText(said, "de").title != said.title);
    }

    /// A hint is not out of positions anywhere on the way of the solution, nor after what a person may do wrong.
    void aHintIsProvenEverywhere_data() { rows(); }
    void aHintIsProvenEverywhere()
    {
        QFETCH(int, index);
        const Puzzle &given = puzzle(index);
        PuzzlePosition position = startPosition(given);
        std::size_t moves = 0;
        const std::size_t stride = std::max<std::size_t>(given.solution.size() / 5, 1);
        for (const PuzzleMove &move : given.solution) {
            if (moves++ % stride == 0) {
                const PuzzleWay way = bestWay(given, position, given.budgetBytes, hintEffort());
                QCOMPARE(way.end, PuzzleEnd::Proven);
                PuzzlePosition end = position;
                for (const PuzzleMove &each : way.moves) {
                    QCOMPARE(QString::fromStdString(whyNot(given, end, each)), QString());
                    applyMove(given, end, each);
                }
                QVERIFY(isFinished(given, end));
                const double extraUs =
                    std::max({end.nowUs, end.toHostFreeUs, end.toDeviceFreeUs}) - puzzleBaseUs(given);
                QVERIFY2(std::abs(extraUs - given.optimum->extraUs) < 1e-3, qPrintable(QString::number(extraUs)));
            }
            applyMove(given, position, move);
        }
    }

    /// With the rules of the player alone, wherever all positions can be looked at.
    void smallOnesAgreeWithEveryPosition_data() { rows(); }
    void smallOnesAgreeWithEveryPosition()
    {
        QFETCH(int, index);
        const std::set<std::string> small = {"chain1", "chain2", "chain3", "diamond1", "skip1", "dropout1", "places1"};
        const Puzzle &given = puzzle(index);
        if (small.count(given.name) == 0) return;
        const auto best = everyPosition(given, 300'000);
        QVERIFY2(best.has_value(), "the puzzle is small enough");
        QVERIFY(std::abs(best->extraUs - given.optimum->extraUs) < 1e-3);
        QCOMPARE(best->copiedBytes, given.optimum->copiedBytes);
    }

    void randomOnesAgreeWithEveryPosition_data()
    {
        QTest::addColumn<int>("seed");
        for (int seed = 1; seed <= 60; ++seed)
            QTest::newRow(qPrintable(QString::number(seed))) << seed;
    }
    void randomOnesAgreeWithEveryPosition()
    {
        QFETCH(int, seed);
        const Puzzle made = randomPuzzle(static_cast<std::uint32_t>(seed));
        const auto best = everyPosition(made, 400'000);
        PuzzleEffort plain;
        plain.dominance = false;
        const PuzzleWay way = bestWay(made, startPosition(made), made.budgetBytes);
        const PuzzleWay slow = bestWay(made, startPosition(made), made.budgetBytes, plain);
        QCOMPARE(way.end, best ? PuzzleEnd::Proven : PuzzleEnd::NoWay);
        QCOMPARE(slow.end, way.end);
        QVERIFY(way.positions <= slow.positions);
        if (!best) return;
        for (const PuzzleWay &each : {way, slow}) {
            const PuzzleScore score = scoreOf(made, each.moves);
            QVERIFY2(score.sound, score.sentence.c_str());
            QVERIFY(std::abs(score.figures.extraUs - best->extraUs) < 1e-3);
            QCOMPARE(score.figures.copiedBytes, best->copiedBytes);
        }
    }

    void aDeadEndIsSeen()
    {
        const Puzzle &given = puzzle(0); // every op once
        PuzzlePlay play(given);
        QVERIFY(play.move({Step::compute(OpId(0)), false}).empty());
        QVERIFY(play.move({Step::free(given.graph.ops[0].outputs[0]), false}).empty());
        QCOMPARE(bestWay(given, play.position(), given.budgetBytes).end, PuzzleEnd::NoWay);
    }

    void outOfPositionsThereIsStillAWay()
    {
        const Puzzle &given = m_puzzles.back();
        PuzzleEffort little;
        little.mostMoves = 2000;
        const PuzzleWay way = bestWay(given, startPosition(given), given.budgetBytes, little);
        QVERIFY(way.end == PuzzleEnd::Found || way.end == PuzzleEnd::Unknown);
        if (way.end == PuzzleEnd::Found) QVERIFY(scoreOf(given, way.moves).sound);
        PuzzleEffort none;
        none.stop = [] { return true; };
        none.mostMoves = 1;
        QCOMPARE(bestWay(given, startPosition(given), given.budgetBytes, none).end, PuzzleEnd::Unknown);
    }

    void aPuzzleFromOps()
    {
        const Puzzle &block = m_puzzles.back();
        std::vector<OpId> ops;
        for (std::size_t i = 0; i < block.graph.ops.size(); ++i)
            if (block.graph.ops[i].phase != Phase::Loss) ops.push_back(OpId(i));
        const auto made = puzzleFromOps(block.graph, block.costs, ops, "block");
        QVERIFY2(made, made ? "" : made.error().message.c_str());
        QVERIFY(made->optimum->extraUs > 0);
        QCOMPARE(scoreOf(*made, made->solution).stars, 3);
        const auto tiny = puzzleFromOps(block.graph, block.costs, {OpId(0)}, "norm1");
        QVERIFY(!tiny);
        QVERIFY2(tiny.error().message.find("norm1") != std::string::npos, tiny.error().message.c_str());
    }
};

QTEST_APPLESS_MAIN(TestPuzzleOptimum)
#include "tst_puzzles.moc"
