// SPDX-License-Identifier: Apache-2.0
// The best way on from a position of a puzzle, proven: A* over positions.
#pragma once

#include "core/base/stop_token.h"
#include "core/teaching/puzzles/position.h"

#include <cstdint>
#include <vector>

namespace remat {

enum class PuzzleEnd : std::uint8_t {
    Proven,  ///< no way on takes less time, and none of the same time copies less
    Found,   ///< a way on, out of moves before it was proven best
    NoWay,   ///< proven: from here the results cannot be reached
    Unknown, ///< out of moves, or stopped
};

struct PuzzleWay {
    PuzzleEnd end = PuzzleEnd::Unknown;
    std::vector<PuzzleMove> moves; ///< when found
    std::int64_t positions = 0;    ///< different ones that were reached
    std::int64_t tried = 0;        ///< moves, which is what the work comes to
};

struct PuzzleEffort {
    std::int64_t mostMoves = 10'000'000; ///< tried in the proof; a tenth of it for a way without proof after that
    StopCheck stop;                      ///< may be empty
    bool dominance = true;               ///< passes over what cannot be better; off only to test that it is so
};

/// From `from` to the end, within `budgetBytes` (at most the puzzle's; less to ask for a lower peak). Deterministic but
/// for the stop.
///
/// A position is what lives where, which copies run, and which ops may not be computed again; what led there does not
/// matter. A* takes the position with the least time so far plus the least that must follow: every op that the results
/// still need, given what lives, is computed at least once. Storages are freed only when room is needed, in the
/// smallest sets that make it, since holding longer never costs more; where addresses matter, any time. Two more
/// positions are passed over: a storage is freed at once when all that could ever be made from it is held and no larger
/// (hold that instead), and a play that computes an op whose results are held. Everything else is looked at, so that
/// the first finished position is the best. (Hart, Nilsson, Raphael, "A Formal Basis for the Heuristic Determination of
/// Minimum Cost Paths", 1968; consistent, since a move shortens what must follow by no more than it takes.)
PuzzleWay bestWay(const Puzzle &puzzle, const PuzzlePosition &from, std::int64_t budgetBytes,
                  const PuzzleEffort &effort = {});

} // namespace remat
