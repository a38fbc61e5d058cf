// SPDX-License-Identifier: Apache-2.0
// Paints compared plans over each other. Only QPainter, so that the same routine serves the screen, pictures and pages.
#pragma once

#include "app/studio/views/compare/compare_scene.h"

#include <QPainter>

namespace remat::studio {

/// Where things stand at a size.
struct CompareLayout {
    QSizeF size;
    QRectF plot, strip, timeLabels;
    double phaseY = 0, titleY = 0, liveY = 0;
    Scale x, y;
    Scale difference;    ///< bytes to pixels of the strip
    double stripTop = 1; ///< bytes at the strip's upper edge

    static CompareLayout make(const CompareScene &scene, const Viewport &view, QSizeF size);
};

struct CompareLook {
    const CompareScene &scene;
    Viewport view;
    CompareLayout layout;
    double devicePixelRatio = 1;
};

/// What changes with plans, range and size only.
void paintCompareBase(QPainter &painter, const CompareLook &look);
/// Cursor, selection and range.
void paintCompareOverlay(QPainter &painter, const CompareLook &look, const std::optional<Span> &range);

} // namespace remat::studio
