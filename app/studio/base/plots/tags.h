// SPDX-License-Identifier: Apache-2.0
// Names and swatches of what plots of memory show.
#pragma once

#include "core/plan/timeline.h"

#include <QPainter>

namespace remat::studio {

/// A name on a ground of its own, readable over any band.
void paintTag(QPainter &painter, const QRectF &room, const QString &name);

/// A 11 px swatch of a category.
void paintSwatch(QPainter &painter, const QRectF &box, Category category, double devicePixelRatio);

} // namespace remat::studio
