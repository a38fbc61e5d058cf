// SPDX-License-Identifier: Apache-2.0
// Words and figures of comparisons.
#pragma once

#include "core/base/words.h"
#include "core/views/comparison.h"

#include <string>
#include <vector>

namespace remat {

/// `−576 MiB`, `+12.0 MiB`, `0`.
std::string signedBytes(std::int64_t bytes);
/// `+3.70 ms`, `−21 µs`, `0`.
std::string signedTime(double timeUs);
/// `−1.70 pp`, `0`.
std::string signedPoints(double share);
/// `+48`, `0`.
std::string signedCount(std::int64_t count);

/// `Kept`, `Recomputed`, …
std::string stateWord(NodeState state, const Words &words);

/// What both plans do with a row's storages, in two or three sentences. `other` is the letter of the second plan.
std::string rowSentence(const DifferenceRow &row, const std::string &other, const Words &words);

/// One line of figures.
struct FigureRow {
    std::string label, a, b, change;
    bool better = false; ///< less is plainly better, and A has less
    std::string tooltip;
};
/// Peak, overhead, lower bound, time, recomputed, kept in blocks; offloaded where one of the plans does that.
std::vector<FigureRow> figureRows(const PlanFigures &a, const PlanFigures &b, const Words &words);

} // namespace remat
