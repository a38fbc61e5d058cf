#include "app/studio/memory_view/memory_layout.h"

#include <algorithm>

namespace remat::studio {

namespace {
constexpr double kLeft = 76, kRight = 176, kRightNarrow = 144;
constexpr double kTop = 24;
constexpr double kLane = 10, kLaneGap = 3, kAboveLanes = 7;
constexpr double kTimeLabels = 16, kMinimap = 24, kBottom = 9;
constexpr double kHandleWidth = 122, kHandleHeight = 24, kHandleOff = 7;
} // namespace

MemoryLayout MemoryLayout::make(const MemoryScene &scene, const Viewport &view, QSizeF size)
{
    MemoryLayout layout;
    layout.size = size;
    layout.narrow = size.width() < kNarrowWidth || size.height() < kLowHeight;
    const double right = std::max(size.width() - (layout.narrow ? kRightNarrow : kRight), kLeft + 40);
    const auto laneCount = static_cast<double>(scene.lanes().size());
    const double below = kAboveLanes + laneCount * (kLane + kLaneGap) + kTimeLabels + 4 + kMinimap + kBottom;
    const double bottom = std::max(size.height() - below, kTop + 30);

    layout.plot = QRectF(QPointF(kLeft, kTop), QPointF(right, bottom));
    layout.phaseRuleY = kTop - 4;
    layout.selectionY = bottom + 1;
    double y = bottom + kAboveLanes;
    for (int i = 0; i < static_cast<int>(laneCount); ++i, y += kLane + kLaneGap)
        layout.lanes.emplace_back(kLeft, y, right - kLeft, kLane);
    layout.timeLabels = QRectF(kLeft, y, right - kLeft, kTimeLabels);
    layout.minimap = QRectF(kLeft, y + kTimeLabels + 4, right - kLeft, kMinimap);
    layout.side = QRectF(right + kHandleOff, kTop, size.width() - right - kHandleOff, size.height() - kTop);

    layout.x = {view.from, view.to, kLeft, right};
    layout.y = {0, scene.hasModel() ? scene.topBytes() : 1, bottom, kTop};
    layout.whole = {0, view.length, kLeft, right};
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

QRectF MemoryLayout::brush(const Viewport &view) const
{
    return {QPointF(whole.pixel(view.from), minimap.top()), QPointF(whole.pixel(view.to), minimap.bottom())};
}

} // namespace remat::studio
