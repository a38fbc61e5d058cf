// SPDX-License-Identifier: Apache-2.0
#include "app/studio/views/graph/card_parts.h"

#include "app/studio/base/style/theme.h"

#include <algorithm>
#include <cmath>

namespace remat::studio {

namespace {

using M = PictureMetrics;

constexpr double kChevronLeft = 35, kChevron = 13;
constexpr double kStepper = M::kStepper, kStepperText = M::kStepperText;

} // namespace

bool canOpen(const GraphScene &scene, const GraphItem &item)
{
    const GraphNode &node = scene.nodeOf(item);
    // A side of one op has nothing to open, even when the other side has.
    return node.expandable() && (item.shape == ItemShape::LossCard || node.ops(item.side).size() > 1);
}

Detail detailAt(double scale)
{
    return scale < 0.2 ? Detail::Colours : scale < 0.35 ? Detail::Names : scale < 0.6 ? Detail::Kinds : Detail::Full;
}

BytesColumn bytesColumn(const GraphPicture &picture)
{
    return picture.columnWidth >= M::kFullColumn ? BytesColumn{} : BytesColumn{178, 24, 94, false};
}

QRectF chevronRect(const GraphPicture &picture, const GraphItem &item)
{
    if (item.shape == ItemShape::Frame)
        return {item.rect.left() + 8, item.rect.top() + (item.headerHeight() - kChevron) / 2, kChevron, kChevron};
    if (item.shape == ItemShape::LossCard)
        return {item.rect.right() - 20, item.rect.center().y() - kChevron / 2, kChevron, kChevron};
    const double left = item.narrow ? item.rect.right() - 20 : picture.columnRight(item.side) - kChevronLeft;
    return {left, item.rect.center().y() - kChevron / 2, kChevron, kChevron};
}

QRectF stepperRect(const GraphPicture &picture, const GraphItem &item, bool later)
{
    if (item.side != Side::Forward) return {};
    if (item.shape == ItemShape::Frame) {
        const double end = item.branching == Branching::None ? item.rect.right() - 8 : branchSwitchRect(item).left();
        const double right = end - (later ? 0 : kStepper + kStepperText);
        return {right - kStepper, item.rect.top() + (item.headerHeight() - kStepper) / 2, kStepper, kStepper};
    }
    const double end =
        item.narrow ? item.rect.right() - 22 : picture.columnRight(item.side) - bytesColumn(picture).bar - 6;
    const double right = end - (later ? 0 : kStepper);
    return {right - kStepper, item.rect.center().y() - kStepper / 2, kStepper, kStepper};
}

QRectF branchSwitchRect(const GraphItem &item)
{
    if (item.shape != ItemShape::Frame || item.branching == Branching::None) return {};
    return {item.rect.right() - M::kSwitch - 4, item.rect.top() + (item.headerHeight() - M::kSwitch) / 2 + 1,
            M::kSwitch, M::kSwitch};
}

QColor rampColor(int step)
{
    const Theme &theme = Theme::instance();
    const QColor low = theme.color(Token::Sunken), high = theme.color(Token::Accent);
    const double t = static_cast<double>(step) / (kRampSteps - 1);
    const auto mix = [t](int a, int b) { return static_cast<int>(std::lround(a + (b - a) * t)); };
    return {mix(low.red(), high.red()), mix(low.green(), high.green()), mix(low.blue(), high.blue())};
}

int rampStep(double value, double top)
{
    if (top <= 0) return 0;
    return std::clamp(static_cast<int>(value / top * kRampSteps), 0, kRampSteps - 1);
}

} // namespace remat::studio
