// SPDX-License-Identifier: Apache-2.0
// A person's own tries at puzzles: kept like the progress in lessons, without names or times.
#pragma once

#include "core/teaching/puzzles/puzzle.h"

#include <QByteArray>
#include <QJsonArray>

#include <vector>

namespace remat::studio {

/// One finished play.
struct PuzzleTry {
    PuzzleFigures figures;
    int stars = 0;
    int hints = 0; ///< asked for on the way
    bool operator==(const PuzzleTry &) const = default;
};

/// The oldest first; at most the last hundred. A puzzle that was changed since has none. GUI thread.
std::vector<PuzzleTry> keptTries(const Puzzle &puzzle);
void keepTry(const Puzzle &puzzle, const PuzzleTry &one);
/// Stars of the best try: 0 to 3.
int bestStars(const Puzzle &puzzle);

/// A line for each try, as `progressCsv` has for steps: `puzzle/NAME,3,puzzle,1,3,0,1` (right: it has all stars).
QByteArray triesCsv(const std::vector<Puzzle> &puzzles);
/// `[{"puzzle": …, "try": 1, "extra_us": …, "copied_bytes": …, "peak_bytes": …, "stars": 2, "hints": 0}]`
QJsonArray triesJson(const std::vector<Puzzle> &puzzles);

} // namespace remat::studio
