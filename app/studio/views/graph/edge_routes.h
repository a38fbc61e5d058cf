// SPDX-License-Identifier: Apache-2.0
// The lines between cards.
#pragma once

#include "app/studio/views/graph/graph_picture.h"

#include <QPainterPath>

namespace remat::studio {

/// Height at which a line from the gutter leaves or enters an item at its left. Frames are met at their border beside
/// the header where the flow comes in first, and near the other end where it goes out.
double sideHeight(const GraphItem &item, bool leaves);

/// Corners of an edge, from its start to the tip of its arrow. Horizontal and vertical pieces only.
std::vector<QPointF> routeEdge(const GraphPicture &picture, const GraphEdge &edge);

/// From a forward card across to a backward one.
std::vector<QPointF> routeArc(const GraphPicture &picture, int from, int to);

/// Adds the line with rounded corners; it ends where the arrow begins.
void addRoundedLine(QPainterPath &path, const std::vector<QPointF> &corners);

/// Adds the arrow at the line's end.
void addArrow(QPainterPath &path, const std::vector<QPointF> &corners);

} // namespace remat::studio
