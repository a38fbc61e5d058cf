// SPDX-License-Identifier: Apache-2.0
// Where the parts of the memory view lie at a size.
#pragma once

#include "app/studio/base/plots/time_frame.h"
#include "app/studio/views/memory/memory_scene.h"

#include <QRectF>

#include <vector>

namespace remat::studio {

/// The budget line can be grabbed this far from its middle.
constexpr double kGrab = 6;

/// In logical pixels of the canvas.
struct MemoryLayout {
    QSizeF size;
    bool narrow = false; ///< the readout is in the header
    QRectF plot;
    TimeArea time; ///< what gestures over time act on: the plot with its lanes, time labels, minimap
    double phaseRuleY = 0;
    double selectionY = 0;     ///< top of the bars that show where a selected storage is alive
    std::vector<QRectF> lanes; ///< like MemoryScene::lanes()
    QRectF timeLabels;
    QRectF minimap; ///< empty in a view that is too low for it
    QRectF side;    ///< readout and budget handle
    Scale x;        ///< axis to pixels, the visible part
    Scale y;        ///< bytes to pixels
    Scale whole;    ///< the whole axis over the minimap

    static MemoryLayout make(const MemoryScene &scene, const Viewport &view, QSizeF size);

    /// The budget line, kept inside the plot.
    double budgetY(std::int64_t bytes) const;
    QRectF budgetHandle(std::int64_t bytes) const;
};

} // namespace remat::studio
