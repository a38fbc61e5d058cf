// Paints the trade-off plot onto anything.
#pragma once

#include "app/studio/curve_view/curve_scene.h"

#include <QPainter>

namespace remat::studio {

/// The whole plot; `hovered` is a plan id or 0.
void paintCurve(QPainter &painter, const CurveScene &scene, const CurveLayout &layout, int hovered);

} // namespace remat::studio
