// SPDX-License-Identifier: Apache-2.0
#include "app/studio/base/plots/columns.h"

#include <algorithm>
#include <cmath>

namespace remat::studio {

namespace {

constexpr double kNoWidth = 1e-6;

/// The last column that begins before `x`, which is no less than minus one.
int columnBefore(double x)
{
    const int column = static_cast<int>(x);
    return column == x ? column - 1 : column;
}

} // namespace

ColumnGrid ColumnGrid::over(double left, double right, double devicePixelRatio)
{
    const double first = std::round(left * devicePixelRatio), last = std::round(right * devicePixelRatio);
    return {first / devicePixelRatio, 1 / devicePixelRatio, std::max(0, static_cast<int>(last - first))};
}

std::vector<std::int32_t> largestPerColumn(const ColumnGrid &grid, const Scale &scale, const std::vector<double> &edges,
                                           const std::vector<std::int64_t> &values)
{
    std::vector<std::int32_t> result(static_cast<std::size_t>(grid.count), -1);
    if (values.empty()) return result;
    const auto low = scale.value(grid.left);
    // The last sample that starts at or before the left border.
    auto begin = std::upper_bound(edges.begin(), edges.end() - 1, low);
    auto sample = static_cast<std::size_t>(std::max<std::ptrdiff_t>(begin - edges.begin() - 1, 0));
    // Columns per unit, so that a sample costs a multiplication: there are more of them than of anything else on
    // screen.
    const double columns = (scale.toPixel - scale.fromPixel) / (scale.toValue - scale.fromValue) / grid.step;
    const double origin = (scale.fromPixel - grid.left) / grid.step;
    const auto columnAt = [&](double value) { return origin + (value - scale.fromValue) * columns; };
    double to = columnAt(edges[sample]);
    for (; sample < values.size(); ++sample) {
        const double from = to;
        to = columnAt(edges[sample + 1]);
        if (from >= grid.count) break;
        if (to < 0) continue;
        // Touching a border is not touching the column behind it, but a sample of no width still has its column.
        const int first = from > 0 ? static_cast<int>(from + kNoWidth) : 0;
        const int before = columnBefore(std::min<double>(to, grid.count) - kNoWidth);
        const int last = std::min(grid.count - 1, std::max(first, before));
        for (int column = first; column <= last; ++column) {
            std::int32_t &best = result[static_cast<std::size_t>(column)];
            if (best < 0 || values[sample] > values[static_cast<std::size_t>(best)])
                best = static_cast<std::int32_t>(sample);
        }
    }
    return result;
}

std::vector<float> coverage(const ColumnGrid &grid, const Scale &scale, const std::vector<Span> &spans)
{
    std::vector<float> result(static_cast<std::size_t>(grid.count), 0.0F);
    const auto low = scale.value(grid.left);
    auto span = std::lower_bound(spans.begin(), spans.end(), low,
                                 [](const Span &candidate, double value) { return candidate.to < value; });
    for (; span != spans.end(); ++span) {
        const double from = std::max(0.0, (scale.pixel(span->from) - grid.left) / grid.step);
        const double to = std::min<double>(grid.count, (scale.pixel(span->to) - grid.left) / grid.step);
        if (from >= grid.count) break;
        for (int column = static_cast<int>(from); column < to; ++column) {
            const double part = std::min<double>(to, column + 1) - std::max<double>(from, column);
            float &share = result[static_cast<std::size_t>(column)];
            share = std::min(1.0F, share + static_cast<float>(part));
        }
    }
    return result;
}

QPolygonF barOutline(const ColumnGrid &grid, const std::vector<double> &tops, double baseline, int first, int last)
{
    QPolygonF outline;
    if (first >= last) return outline;
    outline << QPointF(grid.x(first), baseline);
    for (int column = first; column < last; ++column) {
        const double top = tops[static_cast<std::size_t>(column)];
        if (outline.last().y() != top || column == first)
            outline << QPointF(grid.x(column), outline.last().y()) << QPointF(grid.x(column), top);
    }
    outline << QPointF(grid.x(last), outline.last().y()) << QPointF(grid.x(last), baseline);
    return outline;
}

} // namespace remat::studio
