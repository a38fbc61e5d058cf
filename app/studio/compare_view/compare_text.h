// Words and figures of comparisons.
#pragma once

#include "app/studio/compare_view/comparison.h"

#include <QString>

namespace remat::studio {

/// `−576 MiB`, `+12.0 MiB`, `0`.
QString signedBytesText(std::int64_t bytes);
/// `+3.70 ms`, `−21 µs`, `0`.
QString signedTimeText(double timeUs);
/// `−1.70 pp`, `0`.
QString signedPointsText(double share);
/// `+48`, `0`.
QString signedCountText(std::int64_t count);

/// `Kept`, `Recomputed`, …
QString stateText(NodeState state);

/// What both plans do with a row's storages, in two or three sentences. `other` is the letter of the second plan.
QString rowSentence(const DifferenceRow &row, const QString &other);
/// What the better plan of two saves; empty when none is better on both counts. `letters` are theirs.
QString betterSentence(const PlanFigures &better, const PlanFigures &worse);

} // namespace remat::studio
