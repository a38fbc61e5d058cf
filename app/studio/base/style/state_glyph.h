// SPDX-License-Identifier: Apache-2.0
// The glyph of a plan state: says without colour what the colour says.
#pragma once

#include "app/studio/base/style/theme.h"
#include "core/views/graph_figures.h"

#include <QPainter>

namespace remat::studio {

/// The colour that stands for a state; of Mixed the one it begins with.
Token stateToken(NodeState state);

/// Paints the glyph into a square: disc, turning arrow, arrow to a line, half disc, ring, triangle.
void paintStateGlyph(QPainter &painter, const QRectF &square, NodeState state);

/// A chevron in a square of 13: to the right, or down when open, or to the left.
enum class Chevron { Right, Down, Left };
void paintChevron(QPainter &painter, const QRectF &square, Chevron direction, const QColor &colour);

} // namespace remat::studio
