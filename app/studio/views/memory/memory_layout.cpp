// SPDX-License-Identifier: Apache-2.0
#include "app/studio/views/memory/memory_layout.h"

#include <algorithm>

namespace remat::studio {

namespace {
constexpr double kTop = 24;
constexpr double kLane = 10, kLaneGap = 3, kAboveLanes = 7;
constexpr double kLabelGap = 4, kBottom = 9;
constexpr double kLeastPlot = 30, kLowPlot = 56;
constexpr double kHandleWidth = 122, kHandleHeight = 24, kHandleOff = 7;
} // namespace

MemoryLayout MemoryLayout::make(const MemoryScene &scene, const Viewport &view, QSizeF size)
{
    MemoryLayout layout;
    layout.size = size;
    layout.narrow = narrowTime(size);
    const double right = timeRight(size);
    const auto laneCount = static_cast<double>(scene.lanes().size());
    const double labels = kAboveLanes + laneCount * (kLane + kLaneGap) + kTimeLabelHeight;
    const double overview = kLabelGap + kMinimapHeight + kBottom;
    // Where there is not room for all, the plot is the last to get lower.
    const bool hasOverview = size.height() >= kTop + kLowPlot + labels + overview;
    const double below = labels + (hasOverview ? overview : 0);
    const double bottom = std::max(size.height() - below, kTop + kLeastPlot);

    layout.plot = QRectF(QPointF(kTimeLeft, kTop), QPointF(right, bottom));
    layout.phaseRuleY = kTop - 4;
    layout.selectionY = bottom + 1;
    double y = bottom + kAboveLanes;
    for (int i = 0; i < static_cast<int>(laneCount); ++i, y += kLane + kLaneGap)
        layout.lanes.emplace_back(kTimeLeft, y, right - kTimeLeft, kLane);
    layout.timeLabels = QRectF(kTimeLeft, y, right - kTimeLeft, kTimeLabelHeight);
    if (hasOverview)
        layout.minimap = QRectF(kTimeLeft, layout.timeLabels.bottom() + kLabelGap, right - kTimeLeft, kMinimapHeight);
    layout.side = QRectF(right + kHandleOff, kTop, size.width() - right - kHandleOff, size.height() - kTop);

    layout.x = {view.from, view.to, kTimeLeft, right};
    layout.y = {0, scene.hasModel() ? scene.topBytes() : 1, bottom, kTop};
    layout.whole = {0, view.length, kTimeLeft, right};
    layout.time = {QRectF(layout.plot.topLeft(), QPointF(right, layout.timeLabels.top())), layout.timeLabels,
                   layout.minimap, layout.x, layout.whole};
    return layout;
}

double MemoryLayout::budgetY(std::int64_t bytes) const
{
    return std::clamp(y.pixel(static_cast<double>(bytes)), plot.top(), plot.bottom());
}

QRectF MemoryLayout::budgetHandle(std::int64_t bytes) const
{
    return {side.left(), budgetY(bytes) - kHandleHeight / 2, kHandleWidth, kHandleHeight};
}

} // namespace remat::studio
