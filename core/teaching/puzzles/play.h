// SPDX-License-Identifier: Apache-2.0
// A play: the moves of one try at a puzzle, with undo and redo, and what it is worth in the end.
#pragma once

#include "core/teaching/puzzles/position.h"

namespace remat {

/// What a finished play is worth.
struct PuzzleScore {
    bool sound = false;   ///< finished, and simulator, checker and layout agree with the position
    std::string sentence; ///< what is wrong when it is not
    PuzzleFigures figures;
    int stars = 0; ///< 1: within the budget; 2: no more extra time than par; 3: extra time and copies as proven best
};

/// Any thread, one at a time. The puzzle outlives it.
class PuzzlePlay
{
public:
    explicit PuzzlePlay(const Puzzle &puzzle) : m_puzzle(&puzzle), m_positions{startPosition(puzzle)} {}

    const Puzzle &puzzle() const { return *m_puzzle; }
    const PuzzlePosition &position() const { return m_positions.back(); }
    const std::vector<PuzzleMove> &moves() const { return m_moves; }
    bool finished() const { return isFinished(*m_puzzle, position()); }

    /// Does the move, and forgets what was undone; or says why not and changes nothing.
    std::string move(const PuzzleMove &move, const Words &words = {});
    /// False when there is nothing to take back, or to do again.
    bool undo();
    bool redo();
    void restart();
    bool canUndo() const { return !m_moves.empty(); }
    bool canRedo() const { return !m_undone.empty(); }

    /// The moves as an ordinary plan, under the puzzle's budget.
    Plan plan() const;
    /// Score of a finished play: simulated, checked by the rules of plans, and where addresses matter by those of
    /// layouts.
    PuzzleScore score() const;

private:
    std::string fault() const;

    const Puzzle *m_puzzle;
    std::vector<PuzzlePosition> m_positions; ///< before each move, and now
    std::vector<PuzzleMove> m_moves, m_undone;
};

/// What a list of moves is worth; not sound when one is not legal.
PuzzleScore scoreOf(const Puzzle &puzzle, const std::vector<PuzzleMove> &moves);

/// Stars for figures, beside the puzzle's optimum and par: 1 to 3. Without an optimum at most 2.
int starsOf(const Puzzle &puzzle, const PuzzleFigures &figures);

} // namespace remat
