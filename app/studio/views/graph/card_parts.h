// SPDX-License-Identifier: Apache-2.0
// Where the parts of a card or frame are, in picture coordinates, and what is shown of them at a scale.
#pragma once

#include "app/studio/views/graph/graph_scene.h"

#include <QColor>

namespace remat::studio {

/// What is left out as the picture gets smaller.
enum class Detail : std::uint8_t {
    Colours, ///< below 0.2: only the colour of the state
    Names,   ///< below 0.35: and names
    Kinds,   ///< below 0.6: and kinds and glyphs
    Full     ///< and numbers
};
Detail detailAt(double scale);

/// True for closed items that can be opened from their side.
bool canOpen(const GraphScene &scene, const GraphItem &item);

/// Distances from the right edge of a column to its bytes and their bar.
struct BytesColumn {
    double bar = 226, barWidth = 44, right = 124;
    bool timeBar = true;
};
/// In a narrow column the bars give way to names.
BytesColumn bytesColumn(const GraphPicture &picture);

QRectF chevronRect(const GraphPicture &picture, const GraphItem &item);
/// Where the earlier and the later member of a run are chosen; empty where there is no room or no run.
QRectF stepperRect(const GraphPicture &picture, const GraphItem &item, bool later);
/// Where the branches of a frame are put below each other or beside each other; empty where there are none.
QRectF branchSwitchRect(const GraphItem &item);

constexpr double kCardRadius = 8, kOpRadius = 6;

/// Colour `value` of `top` in a ramp of five steps from `sunken` to `accent`.
constexpr int kRampSteps = 5;
QColor rampColor(int step);
int rampStep(double value, double top);

} // namespace remat::studio
