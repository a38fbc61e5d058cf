// SPDX-License-Identifier: Apache-2.0
// What each pixel column of a plot shows, so that painting costs by the width of the screen and not by the length of
// the data. No painting.
#pragma once

#include "app/studio/base/plots/scale.h"
#include "core/views/span.h"

#include <QPainter>
#include <QPolygonF>

#include <cstdint>
#include <vector>

namespace remat::studio {

/// Columns of equal width from `left` on; one device pixel each.
struct ColumnGrid {
    double left = 0;
    double step = 1; ///< in logical pixels
    int count = 0;

    double x(int column) const { return left + column * step; }
    /// Columns of one device pixel over [left, right].
    static ColumnGrid over(double left, double right, double devicePixelRatio);
};

/// Per column the index of the sample with the largest value among those that touch it, or -1 where there is none: a
/// peak narrower than a pixel is never lost. Sample i reaches from `edges[i]` to `edges[i + 1]` (edges rise, one more
/// than values). O(samples in view + columns).
std::vector<std::int32_t> largestPerColumn(const ColumnGrid &grid, const Scale &scale, const std::vector<double> &edges,
                                           const std::vector<std::int64_t> &values);

/// Per column the share of it (0 to 1) that the spans cover. Spans rise and do not overlap. O(spans + columns).
std::vector<float> coverage(const ColumnGrid &grid, const Scale &scale, const std::vector<Span> &spans);

/// The outline of a bar chart with one bar per column in [first, last): a polygon from the baseline up.
QPolygonF barOutline(const ColumnGrid &grid, const std::vector<double> &tops, double baseline, int first, int last);

} // namespace remat::studio
