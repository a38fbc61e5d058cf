// SPDX-License-Identifier: Apache-2.0
// remat-hint-benchmark: what a hint takes on every puzzle, from every position of its solution and from positions that
// random play leads to. Prints a table; CPU time of this thread, so that what else runs does not count.
#include "core/teaching/puzzles/play.h"
#include "core/teaching/puzzles/puzzle_json.h"
#include "solvers/puzzles/optimum.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <random>

namespace {

using namespace remat;

constexpr int kRandomPlays = 12;

double threadMs()
{
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

/// The worst hint of one puzzle.
struct Worst {
    double ms = 0;
    std::int64_t tried = 0;
    int hints = 0, unproven = 0;
};

void measure(const Puzzle &puzzle, const PuzzlePosition &position, Worst &worst)
{
    const double begin = threadMs();
    const PuzzleWay way = bestWay(puzzle, position, puzzle.budgetBytes, hintEffort());
    worst.ms = std::max(worst.ms, threadMs() - begin);
    worst.tried = std::max(worst.tried, way.tried);
    ++worst.hints;
    if (way.end != PuzzleEnd::Proven && way.end != PuzzleEnd::NoWay) ++worst.unproven;
}

Worst measure(const Puzzle &puzzle)
{
    Worst worst;
    PuzzlePosition position = startPosition(puzzle);
    for (const PuzzleMove &move : puzzle.solution) {
        measure(puzzle, position, worst);
        applyMove(puzzle, position, move);
    }
    for (int play = 0; play < kRandomPlays; ++play) {
        std::mt19937 random(static_cast<std::uint32_t>(play));
        position = startPosition(puzzle);
        const std::size_t length = 1 + random() % puzzle.solution.size();
        for (std::size_t i = 0; i < length && !isFinished(puzzle, position); ++i) {
            const auto moves = legalMoves(puzzle, position);
            if (moves.empty()) break;
            applyMove(puzzle, position, moves[random() % moves.size()]);
        }
        measure(puzzle, position, worst);
    }
    return worst;
}

} // namespace

/// With a number, only that many puzzles from the first on.
int main(int argc, char **argv)
{
    std::vector<Puzzle> puzzles = readPuzzles();
    if (argc > 1) puzzles.resize(std::min(puzzles.size(), static_cast<std::size_t>(std::atoi(argv[1]))));
    std::printf("%-12s %6s %12s %12s %9s\n", "puzzle", "hints", "longest ms", "moves tried", "unproven");
    double longest = 0;
    for (const Puzzle &puzzle : puzzles) {
        const Worst worst = measure(puzzle);
        longest = std::max(longest, worst.ms);
        std::printf("%-12s %6d %12.1f %12lld %9d\n", puzzle.name.c_str(), worst.hints, worst.ms,
                    static_cast<long long>(worst.tried), worst.unproven);
    }
    std::printf("longest hint: %.0f ms\n", longest);
    return puzzles.empty() ? 1 : 0;
}
