// SPDX-License-Identifier: Apache-2.0
// A position of a puzzle: what is where after some moves, which moves are legal, and why others are not.
#pragma once

#include "core/addresses/address_space.h"
#include "core/base/words.h"
#include "core/teaching/puzzles/puzzle.h"

namespace remat {

/// Where a storage is. Times are on the position's clock.
struct PuzzleStorage {
    bool held = false;
    bool freed = false;           ///< it was there and is not
    double readyUs = 0;           ///< when the device copy can be read
    double busyUntilUs = 0;       ///< end of the last copy from or to it
    double hostReadyUs = -1;      ///< when the copy in host memory is whole; negative: there is none
    std::int64_t offsetBytes = 0; ///< where addresses matter
};

/// Plain data; only `applyMove` changes one.
struct PuzzlePosition {
    std::vector<PuzzleStorage> storages;
    std::vector<int> computed; ///< how often, per op
    AddressSpace space{0};     ///< as large as the budget, where addresses matter
    double nowUs = 0, toHostFreeUs = 0, toDeviceFreeUs = 0;
    std::int64_t heldBytes = 0, peakBytes = 0, copiedBytes = 0;
};

PuzzlePosition startPosition(const Puzzle &puzzle);

/// Why a move is not legal, in a sentence that says what to do; empty when it is. O(storages). Not legal are, beside
/// what the rules of a plan forbid: what goes over the budget, what the puzzle does not allow, freeing a result, and
/// computing what is all there.
std::string whyNot(const Puzzle &puzzle, const PuzzlePosition &position, const PuzzleMove &move,
                   const Words &words = {});

/// Does a legal move, as the simulator does.
void applyMove(const Puzzle &puzzle, PuzzlePosition &position, const PuzzleMove &move);

/// Every result of the graph is there, and whatever must be computed once was.
bool isFinished(const Puzzle &puzzle, const PuzzlePosition &position);

/// Bytes that are held while an op runs, if it is computed now: with what it makes and works with. O(outputs).
std::int64_t bytesDuring(const Puzzle &puzzle, const PuzzlePosition &position, OpId op);

/// Every legal move, computations first. O(ops × degree + storages).
std::vector<PuzzleMove> legalMoves(const Puzzle &puzzle, const PuzzlePosition &position);

} // namespace remat
