// SPDX-License-Identifier: Apache-2.0
// Puzzles: which moves are legal, what is said of those that are not, what a play is worth, what a file must have.
#include "core/plan/checker.h"
#include "core/teaching/puzzles/cluster_puzzle.h"
#include "core/teaching/puzzles/play.h"
#include "core/teaching/puzzles/puzzle_json.h"
#include "core/teaching/puzzles/tight_place.h"

#include <QtTest>

#include <algorithm>

using namespace remat;

namespace {

// Two layers and their backward pass; storages of 100 bytes, ops of 10 µs.
const char *const kGraph = R"({"format": "remat-graph/1", "name": "pair",
  "inputs": [{"name": "x", "bytes": 100}],
  "ops": [
   {"name": "f1", "time_us": 10, "inputs": ["x"], "outputs": [{"name": "a1", "bytes": 100}]},
   {"name": "f2", "time_us": 10, "inputs": ["a1"], "outputs": [{"name": "a2", "bytes": 100}]},
   {"name": "loss", "time_us": 10, "phase": "loss", "compute_once": true, "inputs": ["a2"], "outputs": [{"name": "g2", "bytes": 100}]},
   {"name": "b2", "time_us": 20, "phase": "backward", "inputs": ["a1", "g2"], "outputs": [{"name": "g1", "bytes": 100}]},
   {"name": "b1", "time_us": 20, "phase": "backward", "inputs": ["x", "g1"], "outputs": [{"name": "gx", "bytes": 100}]}],
  "outputs": ["gx"]})";

std::string text(const std::string &moves, const std::string &budget = "300", const std::string &rest = "")
{
    return "{\"format\": \"remat-puzzle/1\", \"title\": \"Pair\", \"text\": \"Two.\",\n \"graph\": " +
           std::string(kGraph) + ",\n \"budget_bytes\": " + budget + ",\n \"moves\": " + moves + rest + "}";
}

Puzzle pair(const std::string &moves = "{}", const std::string &budget = "300")
{
    auto puzzle = parsePuzzle(text(moves, budget), "pair.json");
    if (!puzzle) qFatal("%s", puzzle.error().message.c_str());
    return *puzzle;
}

PuzzleMove move(const Puzzle &puzzle, const std::string &written)
{
    const std::string verb = written.substr(0, written.find(' ')), name = written.substr(written.find(' ') + 1);
    const auto named = [&name](const auto &each) { return each.name == name; };
    const auto &ops = puzzle.graph.ops;
    const auto &storages = puzzle.graph.storages;
    const std::size_t op = static_cast<std::size_t>(std::find_if(ops.begin(), ops.end(), named) - ops.begin());
    const auto storage =
        StorageId(static_cast<std::size_t>(std::find_if(storages.begin(), storages.end(), named) - storages.begin()));
    if (verb == "compute" || verb == "top") return {Step::compute(OpId(op)), verb == "top"};
    if (verb == "free") return {Step::free(storage), false};
    return {verb == "out" ? Step::offload(storage) : Step::prefetch(storage), false};
}

/// Plays moves that must be legal; the last may not be. Returns what is said of it.
std::string play(PuzzlePlay &play, const std::vector<std::string> &moves)
{
    std::string last;
    for (std::size_t i = 0; i < moves.size(); ++i) {
        last = play.move(move(play.puzzle(), moves[i]));
        if (i + 1 < moves.size() && !last.empty()) qFatal("%s: %s", moves[i].c_str(), last.c_str());
    }
    return last;
}

const std::vector<std::string> kWhole = {"compute f1", "compute f2", "compute loss", "free a2",
                                         "compute b2", "free a1",    "free g2",      "compute b1"};

} // namespace

class TestPuzzles : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyIllegalMoveSaysWhy_data()
    {
        QTest::addColumn<QString>("rules");
        QTest::addColumn<QString>("budget");
        QTest::addColumn<QStringList>("moves");
        QTest::addColumn<QString>("says");
        const QString none = QStringLiteral("{}"), enough = QStringLiteral("500");
        const QString link = QStringLiteral("{\"copies\": {\"bytes_per_second\": 1e7}}");
        const auto row = [](const char *name, const QString &rules, const QString &budget, const char *moves,
                            const char *says) {
            QTest::newRow(name) << rules << budget << QString::fromLatin1(moves).split(QStringLiteral(", "))
                                << QString::fromUtf8(says);
        };
        row("still there", none, enough, "compute f1, compute f1",
            "What f1 makes is still there: use it, or free it first.");
        row("once", none, enough, "compute f1, compute f2, compute loss, free g2, compute loss",
            "loss changes what it reads, or stands for the rest of the network, and can be computed only once. Undo to "
            "keep what it made.");
        row("no op again", QStringLiteral("{\"again\": false}"), enough, "compute f1, free a1, compute f1",
            "In this puzzle every op is computed once, and f1 was. Undo to keep what it made.");
        row("not made", none, enough, "compute f2", "f2 needs a1, which f1 makes: compute that first.");
        row("freed", none, enough, "compute f1, free a1, compute f2",
            "f2 needs a1, which you freed: compute f1 again first.");
        row("on the host", link, enough, "compute f1, out a1, free a1, compute f2",
            "f2 needs a1, which is in host memory: bring it back first.");
        row("budget", none, QStringLiteral("300"), "compute f1, compute f2, compute loss, compute b2",
            "b2 needs 100 B while 300 B are held, and the budget is 300 B: free something first.");
        row("input", none, enough, "free x", "x is an input: it is always there and does not count.");
        row("not in memory", none, enough, "free a1", "a1 is not in memory.");
        row("no link", none, enough, "compute f1, out a1", "This puzzle has no link to host memory.");
        row("no link back", none, enough, "compute f1, back a1", "This puzzle has no link to host memory.");
        row("copy nothing", link, enough, "out a1", "a1 is not in memory, so there is nothing to copy.");
        row("copy input", link, enough, "out x", "x is an input: it is always there and does not count.");
        row("copied", link, enough, "compute f1, out a1, out a1",
            "a1 has a copy in host memory already: you can free it.");
        row("back while there", link, enough, "compute f1, out a1, back a1", "a1 is still in memory.");
        row("never copied", link, enough, "compute f1, free a1, back a1",
            "a1 has no copy in host memory: copy it out before you free it.");
        row("back over budget", link, QStringLiteral("300"),
            "compute f1, compute f2, out a2, compute loss, free a2, compute b2, back a2",
            "a2 needs 100 B while 300 B are held, and the budget is 300 B: free something first.");
    }
    void everyIllegalMoveSaysWhy()
    {
        QFETCH(QString, rules);
        QFETCH(QString, budget);
        QFETCH(QStringList, moves);
        QFETCH(QString, says);
        const Puzzle puzzle = pair(rules.toStdString(), budget.toStdString());
        PuzzlePlay tried(puzzle);
        std::vector<std::string> list;
        for (const QString &each : moves)
            list.push_back(each.toStdString());
        const std::string said = play(tried, list);
        QCOMPARE(QString::fromStdString(said), says);
        QCOMPARE(tried.moves().size(), list.size() - (said.empty() ? 0 : 1));
    }

    void aResultStays()
    {
        const Puzzle puzzle = pair();
        PuzzlePlay tried(puzzle);
        std::vector<std::string> moves = kWhole;
        moves.emplace_back("free gx");
        QCOMPARE(QString::fromStdString(play(tried, moves)), QStringLiteral("gx is a result: it stays to the end."));
    }

    /// Free bytes that are not neighbours are not memory.
    void aStorageNeedsOnePiece()
    {
        std::string graph = kGraph;
        graph.replace(graph.find("\"g1\", \"bytes\": 100"), 18, "\"g1\", \"bytes\": 200");
        const std::string file =
            "{\"format\": \"remat-puzzle/1\", \"title\": \"P\", \"text\": \"T\", \"graph\": " + graph +
            ", \"budget_bytes\": 400, \"moves\": {\"addresses\": true}}";
        const auto puzzle = parsePuzzle(file, "p.json");
        QVERIFY2(puzzle, puzzle ? "" : puzzle.error().message.c_str());
        PuzzlePlay apart(*puzzle); // a1 at 0, g2 at 200: 100 are free on either side of it
        const std::string said = play(apart, {"compute f1", "compute f2", "compute loss", "free a2", "compute b2"});
        QCOMPARE(QString::fromStdString(said),
                 QStringLiteral("b2 needs 200 B in one piece; 200 B are free, but the largest piece has 100 B: free a "
                                "neighbour of it."));
        PuzzlePlay beside(*puzzle); // g2 at the top: what a2 leaves is a neighbour of what was free
        QCOMPARE(play(beside, {"compute f1", "compute f2", "top loss", "free a2", "compute b2", "free g2", "free a1",
                               "compute b1"}),
                 std::string());
        const PuzzleScore score = beside.score();
        QVERIFY2(score.sound, score.sentence.c_str());
    }

    void undoAndRedo()
    {
        const Puzzle puzzle = pair();
        PuzzlePlay tried(puzzle);
        QVERIFY(!tried.undo() && !tried.redo());
        play(tried, {"compute f1", "compute f2"});
        QCOMPARE(tried.position().heldBytes, 200);
        QVERIFY(tried.undo());
        QCOMPARE(tried.position().heldBytes, 100);
        QVERIFY(tried.redo());
        QCOMPARE(tried.moves().size(), 2U);
        QVERIFY(tried.undo() && tried.undo());
        play(tried, {"compute f1"});
        QVERIFY2(!tried.canRedo(), "a new move forgets what was undone");
        tried.restart();
        QVERIFY(!tried.canUndo());
        QCOMPARE(tried.position().heldBytes, 0);
    }

    /// The position's figures are the simulator's and the checker's.
    void aPlayIsAnOrdinaryPlan()
    {
        const Puzzle puzzle = pair();
        PuzzlePlay tried(puzzle);
        QVERIFY(!tried.score().sound);
        QCOMPARE(play(tried, kWhole), std::string());
        QVERIFY(tried.finished());
        const PuzzleScore score = tried.score();
        QVERIFY2(score.sound, score.sentence.c_str());
        QCOMPARE(score.figures.peakBytes, 300);
        QCOMPARE(score.figures.extraUs, 0.0);
        QCOMPARE(checkPlan(puzzle.graph, puzzle.costs, tried.plan()).peakBytes, 300);
    }

    void stars()
    {
        Puzzle puzzle = pair();
        puzzle.parUs = 20;
        const PuzzleFigures good{300, 5, 0}, fair{300, 20, 0}, poor{300, 30, 0}, copied{300, 5, 100};
        QCOMPARE(starsOf(puzzle, good), 2); // nobody knows the optimum
        puzzle.optimum = good;
        QCOMPARE(starsOf(puzzle, good), 3);
        QCOMPARE(starsOf(puzzle, copied), 2);
        QCOMPARE(starsOf(puzzle, fair), 2);
        QCOMPARE(starsOf(puzzle, poor), 1);
    }

    void copiesRunBesideCompute()
    {
        const Puzzle puzzle = pair("{\"copies\": {\"bytes_per_second\": 1e7}}", "500"); // 10 µs a storage
        PuzzlePlay tried(puzzle);
        play(tried, {"compute f1", "out a1", "compute f2", "free a1", "compute loss", "free a2", "back a1",
                     "compute b2", "free a1", "free g2", "compute b1"});
        const PuzzleScore score = tried.score();
        QVERIFY2(score.sound, score.sentence.c_str());
        QCOMPARE(score.figures.copiedBytes, 200);
        QCOMPARE(score.figures.extraUs, 10.0); // the copy back is waited for
    }

    void legalMovesAreThoseWithoutAReason()
    {
        const Puzzle puzzle = pair();
        PuzzlePlay tried(puzzle);
        QCOMPARE(legalMoves(puzzle, tried.position()).size(), 1U);
        play(tried, {"compute f1"});
        const auto moves = legalMoves(puzzle, tried.position());
        QCOMPARE(moves.size(), 2U);
        QVERIFY(moves[0] == move(puzzle, "compute f2") && moves[1] == move(puzzle, "free a1"));
    }

    void theTightPlaceIsTheFirstThatDoesNotFit()
    {
        const Puzzle puzzle = pair("{}", "300");
        QVERIFY(!tightPlace(puzzle, startPosition(puzzle)));
        Puzzle tighter = puzzle;
        tighter.budgetBytes = 250;
        const auto place = tightPlace(tighter, startPosition(tighter));
        QVERIFY(place.has_value());
        QCOMPARE(tighter.graph.op(place->op).name, std::string("loss"));
        QCOMPARE(QString::fromStdString(tightSentence(tighter, place)),
                 QStringLiteral("At loss (op 3 of 5) you would hold 100 B that nobody needs before b2: a1. It is 50 B "
                                "too much, so some of it must go before and come back after."));
        QVERIFY(tightSentence(puzzle, {}).find("nothing") != std::string::npos);
    }

    void aPartOfAModelBecomesAPuzzle()
    {
        const Puzzle whole = pair();
        const Graph &graph = whole.graph;
        const auto part = clusterPuzzle(graph, whole.costs, {OpId(0), OpId(4)}, "first");
        QVERIFY2(part, part ? "" : part.error().message.c_str());
        QCOMPARE(part->graph.ops.size(), 3U); // f1, the rest, b1
        QCOMPARE(part->graph.ops[1].name, std::string("rest_of_network"));
        QVERIFY(part->graph.ops[1].computeOnce);
        const auto again = parsePuzzle(puzzleFileText(*part), "first.json");
        QVERIFY2(again, again ? "" : again.error().message.c_str());
        QCOMPARE(again->graph.fingerprint, part->graph.fingerprint);
        QCOMPARE(again->costs.timeUs, part->costs.timeUs);
        QVERIFY(!clusterPuzzle(graph, whole.costs, {}, "nothing"));
    }

    void mistakesHaveLineAndField_data()
    {
        QTest::addColumn<QByteArray>("file");
        QTest::addColumn<QString>("says");
        const auto row = [](const char *name, const std::string &file, const char *says) {
            QTest::newRow(name) << QByteArray::fromStdString(file) << QString::fromLatin1(says);
        };
        row("no json", "{", "pair.json");
        row("format", "{\"format\": \"remat-graph/1\"}", "pair.json, line 1: format is \"remat-graph/1\"");
        row("budget", text("{}", "100"),
            "pair.json, line 11: budget_bytes cannot be used: The budget of 100 B is less");
        row("number", text("{}", "\"much\""), "pair.json, line 11: budget_bytes");
        row("rules", text("{\"agian\": true}"), "pair.json, line 12: moves.agian is not known here. There are: again");
        row("link", text("{\"copies\": {}}"), "pair.json, line 12: moves.copies");
        row("verb", text("{}", "300", ",\n \"solution\": [\n  {\"do\": \"fetch\"}]"),
            "pair.json, line 14: solution[0].do is \"fetch\". It must be compute, free, offload or prefetch.");
        row("op", text("{}", "300", ",\n \"solution\": [\n  {\"do\": \"compute\", \"op\": \"f9\"}]"),
            "pair.json, line 14: solution[0].op is \"f9\", which the graph does not have.");
        row("illegal", text("{}", "300", ",\n \"solution\": [\n  {\"do\": \"compute\", \"op\": \"f2\"}]"),
            "pair.json, line 14: solution[0] is no legal move: f2 needs a1, which f1 makes");
        row("end", text("{}", "300", ",\n \"solution\": [\n  {\"do\": \"compute\", \"op\": \"f1\"}]"),
            "pair.json, line 13: solution ends before every result is there.");
        row("optimum", text("{}", "300", ",\n \"optimum\": {\"peak_bytes\": 1, \"extra_us\": 0, \"copied_bytes\": 0}"),
            "pair.json, line 13: optimum has no \"solution\" beside it");
        row("graph file",
            "{\"format\": \"remat-puzzle/1\", \"title\": \"P\", \"text\": \"T\",\n \"graph\": \"../x.json\"}",
            "pair.json, line 2: graph is \"../x.json\"; it must be a file beside the puzzle.");
        row("no graph",
            "{\"format\": \"remat-puzzle/1\", \"title\": \"P\", \"text\": \"T\",\n \"graph\": \"none.json\"}",
            "pair.json, line 2: graph cannot be used: ");
        row("both", text("{\"addresses\": true, \"copies\": {\"bytes_per_second\": 1}}"),
            "pair.json, line 11: budget_bytes cannot be used: A puzzle has copies or addresses, not both");
    }
    void mistakesHaveLineAndField()
    {
        QFETCH(QByteArray, file);
        QFETCH(QString, says);
        const auto puzzle = parsePuzzle(file.toStdString(), "pair.json");
        QVERIFY(!puzzle);
        QVERIFY2(QString::fromStdString(puzzle.error().message).startsWith(says), puzzle.error().message.c_str());
    }

    void textsInOtherLanguages()
    {
        Puzzle puzzle = pair();
        puzzle.translations["de"] = {"Paar", "Zwei."};
        QCOMPARE(puzzleText(puzzle, "de_DE").title, std::string("Paar"));
        QCOMPARE(puzzleText(puzzle, "fr").title, std::string("Pair"));
    }
};

QTEST_APPLESS_MAIN(TestPuzzles)
#include "tst_puzzles.moc"
