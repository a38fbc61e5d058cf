// SPDX-License-Identifier: Apache-2.0
#include "core/teaching/puzzles/puzzle_json.h"

#include "core/base/file.h"
#include "core/base/resources.h"
#include "core/base/text.h"
#include "core/graph/model.h"
#include "core/io/graph_header.h"
#include "core/io/graph_json.h"
#include "core/io/json_lines.h"
#include "core/io/written_by_hand.h"
#include "core/teaching/puzzles/graph_text.h"
#include "core/teaching/puzzles/position.h"

#include <algorithm>
#include <array>
#include <system_error>

namespace remat {

namespace {

constexpr const char *kFormat = "remat-puzzle/1";
constexpr std::int64_t kMostBytes = 8 << 20;
constexpr double kMostUs = 1e12;
constexpr double kMostBytesPerSecond = 1e15;
constexpr std::size_t kMostMoves = 10000;
constexpr std::array kVerbs = {std::pair{"compute", StepKind::Compute}, std::pair{"free", StepKind::Free},
                               std::pair{"offload", StepKind::Offload}, std::pair{"prefetch", StepKind::Prefetch}};

const char *verbOf(StepKind kind)
{
    return kVerbs[static_cast<std::size_t>(kind)].first;
}

/// The sentence of a reader that knows less of where it is, as the end of one about this field.
void failWith(const JsonCursor &cursor, const Error &error)
{
    cursor.fail("cannot be used: " + error.message);
}

void readGraph(const JsonCursor &cursor, Puzzle &puzzle)
{
    if (cursor.isObject()) {
        auto graph = parseGraphJson(cursor.written(), "the graph");
        if (graph)
            puzzle.graph = std::move(*graph);
        else
            failWith(cursor, graph.error());
        return;
    }
    puzzle.graphFile = cursor.text();
    if (cursor.failed()) return;
    const std::filesystem::path name(puzzle.graphFile);
    if (name.is_absolute() || puzzle.graphFile.find("..") != std::string::npos) {
        cursor.fail("is {}; it must be a file beside the puzzle.", quotedName(puzzle.graphFile));
        return;
    }
    auto model = readModel(puzzle.path.parent_path() / name);
    if (model && !model->program)
        puzzle.graph = std::move(model->graph);
    else if (model)
        cursor.fail("is a trace; a puzzle needs a small graph as JSON (remat-graph/1).");
    else
        failWith(cursor, model.error());
}

void readRules(const JsonCursor &cursor, Puzzle &puzzle)
{
    onlyMembers(cursor, {"again", "copies", "addresses"});
    puzzle.rules.again = cursor.booleanOr("again", true);
    puzzle.rules.addresses = cursor.booleanOr("addresses", false);
    if (const JsonCursor link = cursor.find("copies")) {
        onlyMembers(link, {"bytes_per_second", "latency_us"});
        puzzle.rules.copies = true;
        puzzle.costs.linkBytesPerSecond = link["bytes_per_second"].number(1, kMostBytesPerSecond);
        puzzle.costs.linkLatencyUs = link.numberOr("latency_us", 0, 0, kMostUs);
    }
}

template <class Each>
int indexOf(const std::vector<Each> &all, const std::string &name)
{
    const auto found = std::find_if(all.begin(), all.end(), [&name](const Each &each) { return each.name == name; });
    return found == all.end() ? -1 : static_cast<int>(found - all.begin());
}

PuzzleMove readMove(const JsonCursor &cursor, const Puzzle &puzzle)
{
    onlyMembers(cursor, {"do", "op", "storage", "top"});
    PuzzleMove move;
    const std::string verb = filledText(cursor, "do");
    const auto known =
        std::find_if(kVerbs.begin(), kVerbs.end(), [&verb](const auto &each) { return each.first == verb; });
    if (known == kVerbs.end()) {
        cursor["do"].fail("is {}. It must be compute, free, offload or prefetch.", quotedName(verb));
        return move;
    }
    move.step.kind = known->second;
    const bool computes = move.step.kind == StepKind::Compute;
    const char *key = computes ? "op" : "storage";
    const std::string name = filledText(cursor, key);
    const int index = computes ? indexOf(puzzle.graph.ops, name) : indexOf(puzzle.graph.storages, name);
    if (index < 0 && !cursor.failed()) cursor[key].fail("is {}, which the graph does not have.", quotedName(name));
    if (computes)
        move.step.op = OpId(index);
    else
        move.step.storage = StorageId(index);
    move.top = cursor.booleanOr("top", false);
    return move;
}

void readSolution(const JsonCursor &cursor, Puzzle &puzzle)
{
    PuzzlePosition position = startPosition(puzzle);
    for (const JsonCursor &each : cursor.items()) {
        const PuzzleMove move = readMove(each, puzzle);
        if (cursor.failed()) return;
        if (puzzle.solution.size() == kMostMoves) {
            cursor.fail("has more moves than any puzzle needs.");
            return;
        }
        if (const std::string why = whyNot(puzzle, position, move); !why.empty()) {
            each.fail("is no legal move: " + why);
            return;
        }
        applyMove(puzzle, position, move);
        puzzle.solution.push_back(move);
    }
    if (!isFinished(puzzle, position)) cursor.fail("ends before every result is there.");
}

void readRoot(const JsonCursor &root, Puzzle &puzzle)
{
    checkFormat(root, kFormat, "a puzzle");
    onlyMembers(root, {"format", "written_by", "number", "title", "text", "translations", "graph", "budget_bytes",
                       "moves", "par_extra_us", "optimum", "solution"});
    puzzle.number = static_cast<int>(root.integerOr("number", 0, 0, 1000));
    puzzle.title = filledText(root, "title");
    puzzle.text = filledText(root, "text");
    if (const JsonCursor languages = root.find("translations"))
        for (const auto &[language, texts] : languages.members()) {
            onlyMembers(texts, {"title", "text"});
            puzzle.translations[language] = {filledText(texts, "title"), filledText(texts, "text")};
        }
    readGraph(root["graph"], puzzle);
    if (root.failed()) return;
    for (const Op &op : puzzle.graph.ops) {
        puzzle.costs.timeUs.push_back(op.timeUs);
        puzzle.costs.workspaceBytes.push_back(op.workspaceBytes);
        if (op.timeUs < 0) root["graph"].fail("has no time_us for its op {}.", quotedName(op.name));
    }
    puzzle.budgetBytes = root["budget_bytes"].integer(1);
    if (const JsonCursor moves = root.find("moves")) readRules(moves, puzzle);
    setSource(puzzle.costs, "graph", "");
    puzzle.parUs = root.numberOr("par_extra_us", 0, 0, kMostUs);
    if (root.failed()) return;
    if (const auto sound = checkPuzzle(puzzle); !sound) {
        failWith(root["budget_bytes"], sound.error());
        return;
    }
    if (const JsonCursor optimum = root.find("optimum")) {
        onlyMembers(optimum, {"peak_bytes", "extra_us", "copied_bytes"});
        puzzle.optimum = {optimum["peak_bytes"].integer(0), optimum["extra_us"].number(-kMostUs, kMostUs),
                          optimum["copied_bytes"].integer(0)};
    }
    if (const JsonCursor solution = root.find("solution")) readSolution(solution, puzzle);
    if (puzzle.optimum && puzzle.solution.empty() && !root.failed())
        root["optimum"].fail("has no \"solution\" beside it that reaches it. `remat puzzle make` writes both.");
}

} // namespace

Expected<Puzzle> parsePuzzle(std::string_view text, const std::filesystem::path &path)
{
    const std::string title = path.filename().string();
    auto document = JsonDocument::parse(text, title);
    if (!document) return tl::unexpected(document.error());
    Puzzle puzzle;
    puzzle.path = path;
    puzzle.name = path.stem().string();
    puzzle.source = text;
    readRoot(document->root(), puzzle);
    if (!document->failed()) return puzzle;
    const int line = lineOfPath(text, document->failedPath());
    const std::string sentence = document->failure().value().message;
    const bool placed = line > 0 && sentence.compare(0, title.size() + 2, printable(title) + ": ") == 0;
    if (!placed) return document->failure();
    return fail("{}, line {}{}", printable(title), line, sentence.substr(title.size()));
}

Expected<Puzzle> readPuzzle(const std::filesystem::path &path)
{
    auto text = readFile(path, kMostBytes);
    if (!text) return tl::unexpected(text.error());
    return parsePuzzle(*text, path);
}

std::string puzzleFileText(const Puzzle &puzzle)
{
    nlohmann::ordered_json head = {{"format", kFormat}};
    if (puzzle.number > 0) head["number"] = puzzle.number;
    head["title"] = puzzle.title;
    head["text"] = puzzle.text;
    for (const auto &[language, texts] : puzzle.translations)
        head["translations"][language] = {{"title", texts.title}, {"text", texts.text}};
    if (puzzle.graphFile.empty())
        head["graph"] = graphAsJson(puzzle.graph, puzzle.costs);
    else
        head["graph"] = puzzle.graphFile;
    head["budget_bytes"] = puzzle.budgetBytes;
    nlohmann::ordered_json moves = {{"again", puzzle.rules.again}};
    if (puzzle.rules.copies)
        moves["copies"] = {{"bytes_per_second", puzzle.costs.linkBytesPerSecond},
                           {"latency_us", puzzle.costs.linkLatencyUs}};
    if (puzzle.rules.addresses) moves["addresses"] = true;
    head["moves"] = moves;
    if (puzzle.parUs > 0) head["par_extra_us"] = puzzle.parUs;
    if (puzzle.optimum)
        head["optimum"] = {{"peak_bytes", puzzle.optimum->peakBytes},
                           {"extra_us", puzzle.optimum->extraUs},
                           {"copied_bytes", puzzle.optimum->copiedBytes}};
    if (puzzle.solution.empty()) return head.dump(1) + "\n";
    std::vector<nlohmann::ordered_json> lines;
    for (const PuzzleMove &move : puzzle.solution) {
        nlohmann::ordered_json line = {{"do", verbOf(move.step.kind)}};
        if (move.step.kind == StepKind::Compute)
            line["op"] = puzzle.graph.op(move.step.op).name;
        else
            line["storage"] = puzzle.graph.storage(move.step.storage).name;
        if (move.top) line["top"] = true;
        lines.push_back(std::move(line));
    }
    return linesOf(head, "solution", lines);
}

std::filesystem::path puzzlePath(const std::string &name)
{
    std::error_code error;
    if (std::filesystem::is_regular_file(name, error)) return name;
    return resourceDir() / "puzzles" / (name + ".json");
}

std::vector<Puzzle> readPuzzles()
{
    std::vector<Puzzle> puzzles;
    std::error_code error;
    for (const auto &entry : std::filesystem::directory_iterator(resourceDir() / "puzzles", error)) {
        if (entry.path().extension() != ".json") continue;
        if (auto puzzle = readPuzzle(entry.path())) puzzles.push_back(std::move(*puzzle));
    }
    std::sort(puzzles.begin(), puzzles.end(), [](const Puzzle &a, const Puzzle &b) {
        return std::pair(a.number, a.name) < std::pair(b.number, b.name);
    });
    return puzzles;
}

} // namespace remat
