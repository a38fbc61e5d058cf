// SPDX-License-Identifier: Apache-2.0
// Where a play runs out of room if nothing is given up: the bound's cut, as a hint.
#pragma once

#include "core/teaching/puzzles/position.h"

#include <optional>

namespace remat {

/// At one moment, what is needed later must be held or paid again. This is the first moment, in the order of the graph,
/// at which holding all of it is more than the budget.
struct TightPlace {
    OpId op;                     ///< that does not fit
    std::vector<StorageId> idle; ///< held there, not read by it, and needed later
    std::int64_t idleBytes = 0;
    std::int64_t overBytes = 0; ///< over the budget
    OpId neededBy;              ///< the first op after it that reads one of `idle`; may be none
};

/// From a position on, with every op that was not computed yet, once and in the order of the graph. None where all of
/// it fits. O(ops × storages).
std::optional<TightPlace> tightPlace(const Puzzle &puzzle, const PuzzlePosition &position);

/// As a sentence: "At back2 (op 7 of 9) you would hold 300 MiB that nobody needs before back1 …".
std::string tightSentence(const Puzzle &puzzle, const std::optional<TightPlace> &place, const Words &given = {});

} // namespace remat
