// SPDX-License-Identifier: Apache-2.0
// What all plots over time have in common: where the axis lies, and how cursor, range, brush and hatch look.
#pragma once

#include "app/studio/base/plots/columns.h"
#include "app/studio/base/plots/scale.h"

#include <QPainter>
#include <QRectF>

namespace remat::studio {

/// Left border of every plot over time: a moment keeps its place while views take turns.
constexpr double kTimeLeft = 76;
/// A band below the plot for the labels of the time axis, and for the minimap.
constexpr double kTimeLabelHeight = 16, kMinimapHeight = 24;

/// There is no room for a readout beside the plot.
bool narrowTime(QSizeF size);
/// Right border of every plot over time.
double timeRight(QSizeF size);

/// Where gestures over time have their parts, in pixels of the canvas.
struct TimeArea {
    QRectF plot;    ///< drags pan; with Shift they choose a range
    QRectF labels;  ///< drags choose a range
    QRectF minimap; ///< may be empty
    Scale x;        ///< axis to pixels, the part that is seen
    Scale whole;    ///< the whole axis over the minimap

    static TimeArea make(QSizeF size, const Viewport &view, double top, double bottom);
    /// What the minimap's brush covers; never so narrow that its two handles cannot be told apart.
    QRectF brush(const Viewport &view) const;
};

/// The chosen range over `box`, with its borders.
void paintRange(QPainter &painter, const QRectF &box, const Scale &x, const Span &range, double devicePixelRatio);
/// The dashed line of the cursor from top to bottom of `box`; nothing where it is out of sight.
void paintTimeCursor(QPainter &painter, const QRectF &box, const Scale &x, double position, double devicePixelRatio);
void paintMinimapFrame(QPainter &painter, const QRectF &minimap);
/// Nothing where there is no minimap.
void paintBrush(QPainter &painter, const TimeArea &area, const Viewport &view);

} // namespace remat::studio
