// SPDX-License-Identifier: Apache-2.0
// Paints the trade-off plot onto anything.
#pragma once

#include "app/studio/views/curve/curve_scene.h"

#include <QPainter>

namespace remat::studio {

/// Ids of plans or references; 0 for none.
struct CurveMarks {
    int hovered = 0; ///< by the mouse
    int keys = 0;    ///< where the keys are
};

/// The whole plot.
void paintCurve(QPainter &painter, const CurveScene &scene, const CurveLayout &layout, const CurveMarks &marks);

} // namespace remat::studio
