// SPDX-License-Identifier: Apache-2.0
// Where the names of fronts can stand so that they cover nothing and can be read. No painting.
#pragma once

#include <QPainterPath>
#include <QPolygonF>
#include <QRectF>

#include <vector>

namespace remat::studio {

/// What is drawn already.
struct NamesAround {
    QRectF plot;                  ///< names stay inside
    QPainterPath hatched;         ///< no name on it
    std::vector<QPolygonF> lines; ///< no name across them
    std::vector<QRectF> taken;    ///< markers, tags, and the names placed so far
};

/// The best free place of a name of this size beside one of the points, the first point first; empty when there is
/// none.
QRectF placeForName(const NamesAround &around, const QPolygonF &points, const QSizeF &name);

} // namespace remat::studio
