// SPDX-License-Identifier: Apache-2.0
// Paints the memory view from its scene. Only QPainter, so that the same routine serves the screen, pictures and pages.
#pragma once

#include "app/studio/views/memory/memory_layout.h"
#include "core/bounds/cut_sums.h"

#include <QCoreApplication>
#include <QPainter>

#include <cmath>
#include <memory>
#include <optional>

namespace remat::studio {

/// Texts of what is painted.
struct MemoryText {
    Q_DECLARE_TR_FUNCTIONS(MemoryView)
};

constexpr double kPatternHeight = 4;   ///< thinner bands are drawn flat
constexpr double kUnfitOpacity = 0.45; ///< opacity of a plan that no longer fits

/// Heights above the baseline land on device pixels, so that bands have sharp edges.
inline double snapped(double y, double ratio)
{
    return std::round(y * ratio) / ratio;
}

/// Where there is room beside the curves. To find it is O(samples), so it is kept while these stay: the curves, and
/// what else is compared.
struct MemoryPlaces {
    QSizeF size;
    double devicePixelRatio = 1;
    double fromUnit = 0, toUnit = 0; ///< what is seen of the axis
    double topBytes = 0;
    double coveredTop = 0; ///< pixels
    double cursorUs = -1;
    std::optional<QRectF> keepAllName = std::nullopt; ///< once it was asked for
    std::optional<QRectF> popover = std::nullopt;     ///< the same

    bool isFor(const MemoryPlaces &other) const;
};

/// What is painted besides the scene.
struct MemoryLook {
    const MemoryScene &scene;
    Viewport view;
    MemoryLayout layout;
    double devicePixelRatio = 1;
    bool peakOpen = true;                           ///< the popover of the peak
    bool dragging = false;                          ///< the budget
    bool hovered = false;                           ///< the budget line, by the mouse
    bool focused = false;                           ///< keys move the budget
    double coveredTop = 0;                          ///< a strip lies over this much of the top
    int hoveredRow = -1;                            ///< row under the mouse in the popover
    std::optional<Span> range = std::nullopt;       ///< chosen on the axis
    std::shared_ptr<MemoryPlaces> places = nullptr; ///< set before it is painted
    CutSums cut = {};                               ///< drawn where it has an op
};

/// What changes with plan, range and size only: background, grid, stack, lanes, minimap.
void paintMemoryBase(QPainter &painter, const MemoryLook &look);
/// What follows mouse, budget and selection.
void paintMemoryOverlay(QPainter &painter, const MemoryLook &look);

/// The stack of the largest storages and the rest.
void paintStorageStack(QPainter &painter, const MemoryLook &look, const ColumnGrid &grid);
/// Around the band of a storage; nothing where it has none.
void paintBandOutline(QPainter &painter, const MemoryLook &look, StorageId storage, const QPen &pen);
/// What a real run held while each op ran; nothing without one.
void paintMeasuredLine(QPainter &painter, const MemoryLook &look, const ColumnGrid &grid);
/// Where a real run peaked, against what was predicted; nothing without one.
void paintMeasuredPeak(QPainter &painter, const MemoryLook &look);
/// Where a bar of each column ends, in pixels of the plot; at the baseline where a column has no sample.
std::vector<double> columnTops(const std::vector<std::int32_t> &samples, const std::vector<std::int64_t> &bytes,
                               const Scale &y, double devicePixelRatio);
/// What is held at the cut of a bound and, above it, what must be paid; nothing without one.
void paintCut(QPainter &painter, const MemoryLook &look);
/// Where the name of keep-all stands; empty where it has no room. O(samples), once.
QRectF keepAllName(const MemoryLook &look);
/// The triangle above the peak; empty when the peak is out of sight.
QRectF peakMarker(const MemoryLook &look);
/// Box of the peak's popover, where it hides neither curve nor cursor; empty where there is no such place. And of
/// one of its rows. O(samples), once.
QRectF peakPopover(const MemoryLook &look);
QRectF peakPopoverRow(const MemoryLook &look, int row);

/// What the readout says.
struct Readout {
    QString title;  ///< `At the cursor`
    QString bytes;  ///< `4.42 GiB`
    QString at, op; ///< `27.8 ms`, `∂ cross entropy`
    QString roomTitle, room;
    bool over = false; ///< more than the budget
    QString where() const { return op.isEmpty() ? at : at + QStringLiteral(" · ") + op; }
    /// Figures of a chosen range, name and value, most telling first; empty without one.
    std::vector<std::pair<QString, QString>> range;
};
Readout readoutOf(const MemoryScene &scene, const std::optional<Span> &range = std::nullopt);

} // namespace remat::studio
