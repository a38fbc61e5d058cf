// SPDX-License-Identifier: Apache-2.0
#include "solvers/puzzles/optimum.h"

#include "core/base/text.h"
#include "core/base/units.h"
#include "core/bounds/bounds.h"
#include "core/teaching/puzzles/cluster_puzzle.h"
#include "core/teaching/puzzles/play.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace remat {

namespace {

constexpr double kSameTime = 1e-9; // share of the base time
constexpr double kFair = 1.5;
constexpr std::int64_t kHintMoves = 1'500'000;
constexpr std::array kRoom = {0.3, 0.4, 0.5, 0.6, 0.7, 0.85}; // from floor to keep-all, the tightest first

} // namespace

double fairUs(const Puzzle &puzzle, double optimumUs)
{
    double forwardUs = 0;
    for (std::size_t i = 0; i < puzzle.graph.ops.size(); ++i)
        if (puzzle.graph.ops[i].phase == Phase::Forward) forwardUs += puzzle.costs.timeUs[i];
    return std::max(forwardUs, kFair * optimumUs);
}

PuzzleEffort hintEffort()
{
    PuzzleEffort effort;
    effort.mostMoves = kHintMoves;
    return effort;
}

Expected<std::int64_t> proveOptimum(Puzzle &puzzle, const PuzzleEffort &effort)
{
    puzzle.optimum.reset();
    puzzle.solution.clear();
    std::int64_t positions = 0, budget = puzzle.budgetBytes;
    for (;;) {
        const PuzzleWay way = bestWay(puzzle, startPosition(puzzle), budget, effort);
        positions += way.positions;
        if (way.end == PuzzleEnd::NoWay && puzzle.optimum) return positions;
        if (way.end == PuzzleEnd::NoWay)
            return fail("No play reaches every result within the budget of {}. Give more.",
                        formatBytes(puzzle.budgetBytes));
        if (way.end != PuzzleEnd::Proven)
            return fail("The optimum could not be proven: more than {} moves. Give another budget, or a smaller graph.",
                        formatCount(effort.mostMoves));
        const PuzzleScore score = scoreOf(puzzle, way.moves);
        if (!score.sound) return fail("The play that was found is not sound: " + score.sentence);
        if (puzzle.optimum) {
            const double laterUs = score.figures.extraUs - puzzle.optimum->extraUs;
            if (laterUs > kSameTime * puzzleBaseUs(puzzle) || score.figures.copiedBytes > puzzle.optimum->copiedBytes)
                return positions; // a lower peak costs more
        }
        puzzle.optimum = score.figures;
        puzzle.solution = way.moves;
        puzzle.parUs = fairUs(puzzle, score.figures.extraUs);
        budget = score.figures.peakBytes - 1;
        if (budget <= 0) return positions;
    }
}

Expected<Puzzle> puzzleFromOps(const Graph &graph, const CostTable &costs, const std::vector<OpId> &ops,
                               const std::string &name, const PuzzleEffort &effort)
{
    Expected<Puzzle> puzzle = clusterPuzzle(graph, costs, ops, name);
    if (!puzzle) return puzzle;
    const std::int64_t mostBytes = puzzle->budgetBytes;
    const std::int64_t leastBytes = workingSetBound(puzzle->graph, puzzle->costs).bytes;
    for (const double room : kRoom) {
        puzzle->budgetBytes =
            leastBytes + static_cast<std::int64_t>(room * static_cast<double>(mostBytes - leastBytes));
        if (!proveOptimum(*puzzle, effort)) continue;
        if (puzzle->optimum->extraUs <= 0) break; // nothing to give up, at this budget and at larger ones
        return puzzle;
    }
    return fail(quotedName(name) +
                " makes no puzzle: either nothing of it has to be computed again, or it is too large "
                "for a proof. Try the cluster around it, or one inside.");
}

} // namespace remat
