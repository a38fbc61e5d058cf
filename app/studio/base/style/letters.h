// SPDX-License-Identifier: Apache-2.0
// The letters of compared plans: A, B, C, D. How they look, and how a plan gets one.
#pragma once

#include "app/studio/base/style/theme.h"

#include <QPainter>

#include <vector>

class QMimeData;

namespace remat::studio {

constexpr int kMostCompared = 4;
constexpr int kLetterBox = 18;

/// `A` for 0.
QString letterOf(int place);
Token letterToken(int place);
/// The line of a plan in the overlay: A solid, the others dashed, each in its own way.
QPen letterPen(int place, double width);
/// A box of 18 with the letter, its border dashed as the line is.
void paintLetter(QPainter &painter, const QRectF &box, int place);

/// The compared plans with the one of this id at `place`; where it had a letter before, the two change places.
std::vector<int> withLetter(std::vector<int> compared, int place, int planId);
/// The compared plans without this one.
std::vector<int> withoutLetter(std::vector<int> compared, int planId);

/// A plan of the list that is dragged.
QString planMimeType();
QMimeData *planMime(int planId);
/// 0 when something else is dragged.
int planOf(const QMimeData *data);

} // namespace remat::studio
