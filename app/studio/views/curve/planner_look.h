// SPDX-License-Identifier: Apache-2.0
// Colour, marker and dash of a planner: each tells planners apart by itself.
#pragma once

#include "app/studio/base/style/theme.h"

#include <QPainter>

#include <cstddef>

namespace remat::studio {

enum class Marker { Disc, Triangle, Square, Downward, Diamond, Plus, Ring };

struct PlannerLook {
    Token colour = Token::Kept;
    Marker marker = Marker::Disc;
    Qt::PenStyle dash = Qt::SolidLine;
};

/// By the planner's place among those that are shown, so that up to seven differ in colour, and all in some way.
PlannerLook lookOf(std::size_t place);

/// A marker of about 9 px around `at`, in the painter's logical pixels.
void paintMarker(QPainter &painter, const QPointF &at, Marker marker, const QColor &colour);

} // namespace remat::studio
