// SPDX-License-Identifier: Apache-2.0
// remat puzzle make, check: the proven optimum of puzzles.
#include "app/cli/command.h"
#include "app/cli/output.h"

#include "core/base/file.h"
#include "core/base/text.h"
#include "core/base/units.h"
#include "core/teaching/puzzles/play.h"
#include "core/teaching/puzzles/puzzle_json.h"
#include "solvers/puzzles/optimum.h"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdio>

namespace remat::cli {

namespace {

struct PuzzleFlags {
    std::vector<std::string> files;
    bool json = false;
};

struct Proof {
    std::string name;
    Puzzle puzzle; ///< with its optimum as it is now
    std::int64_t positions = 0;
    std::vector<std::string> mistakes;
};

Expected<Proof> prove(const std::string &file)
{
    auto puzzle = readPuzzle(file);
    if (!puzzle) return tl::unexpected(puzzle.error());
    Proof proof{printable(puzzle->path.filename().string()), *puzzle, 0, {}};
    const auto positions = proveOptimum(proof.puzzle);
    if (!positions) return fail("{}: {}", proof.name, positions.error().message);
    proof.positions = *positions;
    return proof;
}

void print(const Proof &proof)
{
    const PuzzleFigures &best = *proof.puzzle.optimum;
    say(stdout, "%s: extra time %s, copied %s, peak %s of %s; %zu moves; proven with %s positions\n",
        proof.name.c_str(), formatTimeUs(best.extraUs).c_str(), formatBytes(best.copiedBytes).c_str(),
        formatBytes(best.peakBytes).c_str(), formatBytes(proof.puzzle.budgetBytes).c_str(),
        proof.puzzle.solution.size(), formatCount(proof.positions).c_str());
    for (const std::string &mistake : proof.mistakes)
        say(stdout, "  %s\n", mistake.c_str());
}

nlohmann::json asJson(const Proof &proof)
{
    const PuzzleFigures &best = *proof.puzzle.optimum;
    return {{"puzzle", proof.name},
            {"peak_bytes", best.peakBytes},
            {"extra_us", best.extraUs},
            {"copied_bytes", best.copiedBytes},
            {"par_extra_us", proof.puzzle.parUs},
            {"moves", proof.puzzle.solution.size()},
            {"positions", proof.positions},
            {"mistakes", proof.mistakes}};
}

int finish(const std::vector<Proof> &proofs, bool json)
{
    bool ok = true;
    nlohmann::json list = nlohmann::json::array();
    for (const Proof &proof : proofs) {
        ok = ok && proof.mistakes.empty();
        if (json)
            list.push_back(asJson(proof));
        else
            print(proof);
    }
    if (json) printJson({{"ok", ok}, {"puzzles", list}});
    return ok ? kDone : kNo;
}

int runMake(const PuzzleFlags &flags)
{
    std::vector<Proof> proofs;
    for (const std::string &file : flags.files) {
        auto proof = prove(file);
        if (!proof) return badInput(proof.error());
        if (const auto written = writeFileAtomically(file, puzzleFileText(proof->puzzle)); !written)
            return badInput(written.error());
        proofs.push_back(std::move(*proof));
    }
    return finish(proofs, flags.json);
}

/// What the file says and the proof does not.
std::vector<std::string> differences(const Puzzle &said, const Puzzle &proven)
{
    if (!said.optimum) return {"It has no optimum. `remat puzzle make` writes it."};
    std::vector<std::string> list;
    const auto differs = [&list](const char *what, const std::string &says, const std::string &is) {
        list.push_back(fmt::format("{} is {}, and the file says {}.", what, is, says));
    };
    const double slackUs = 1e-6 * puzzleBaseUs(said);
    if (std::abs(said.optimum->extraUs - proven.optimum->extraUs) > slackUs)
        differs("The least extra time", formatTimeUs(said.optimum->extraUs), formatTimeUs(proven.optimum->extraUs));
    if (said.optimum->copiedBytes != proven.optimum->copiedBytes)
        differs("The least that is copied", formatBytes(said.optimum->copiedBytes),
                formatBytes(proven.optimum->copiedBytes));
    if (said.optimum->peakBytes != proven.optimum->peakBytes)
        differs("The lowest peak", formatBytes(said.optimum->peakBytes), formatBytes(proven.optimum->peakBytes));
    const PuzzleScore score = scoreOf(said, said.solution);
    if (!score.sound)
        list.push_back("The solution is not sound: " + score.sentence);
    else if (score.stars < 3 || score.figures.peakBytes != said.optimum->peakBytes)
        list.emplace_back("The solution does not reach the optimum.");
    return list;
}

int runCheck(const PuzzleFlags &flags)
{
    std::vector<Proof> proofs;
    for (const std::string &file : flags.files) {
        auto proof = prove(file);
        if (!proof) return badInput(proof.error());
        if (const auto said = readPuzzle(file)) proof->mistakes = differences(*said, proof->puzzle);
        proofs.push_back(std::move(*proof));
    }
    return finish(proofs, flags.json);
}

void addPuzzle(CLI::App &app, Action &action)
{
    auto flags = std::make_shared<PuzzleFlags>();
    CLI::App *puzzle = app.add_subcommand("puzzle", "for those who make puzzles");
    puzzle->require_subcommand(1);
    const auto add = [&](const char *name, const char *what, int (*work)(const PuzzleFlags &)) {
        CLI::App *command = puzzle->add_subcommand(name, what);
        command->add_option("FILE", flags->files, "puzzles (remat-puzzle/1)")->required();
        command->add_flag("--json", flags->json, "print one JSON object");
        command->callback([flags, work, &action] { action = [flags, work] { return work(*flags); }; });
    };
    add("make", "proves the optimum and writes it into the file, with a play that reaches it", runMake);
    add("check", "proves the optimum again, and says where the file is wrong", runCheck);
}

} // namespace

const Command &command::puzzle()
{
    static const Command command = {.order = 160, .add = addPuzzle};
    return command;
}

} // namespace remat::cli
