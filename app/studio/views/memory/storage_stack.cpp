// SPDX-License-Identifier: Apache-2.0
// The memory view's stack of single storages.
#include "app/studio/base/plots/tags.h"
#include "app/studio/base/text/memory_text.h"
#include "app/studio/views/memory/memory_painter.h"

#include "app/studio/base/plots/plot_canvas.h"
#include "app/studio/base/style/theme.h"
#include "app/studio/base/text/text.h"

#include <algorithm>

namespace remat::studio {

namespace {

constexpr double kNameHeight = 14, kNameWidth = 44;
constexpr int kShades = 5;

struct BandPixels {
    std::vector<double> top, bottom;
};

BandPixels pixelsOf(const BandColumns &band, const MemoryLook &look)
{
    BandPixels pixels;
    const auto convert = [&](const std::vector<std::int64_t> &bytes) {
        std::vector<double> line;
        line.reserve(bytes.size());
        for (const std::int64_t value : bytes)
            line.push_back(snapped(look.layout.y.pixel(static_cast<double>(value)), look.devicePixelRatio));
        return line;
    };
    pixels.top = convert(band.topBytes);
    pixels.bottom = convert(band.bottomBytes);
    return pixels;
}

std::vector<std::int32_t> samplesOf(const MemoryLook &look, const ColumnGrid &grid)
{
    return largestPerColumn(grid, look.layout.x, look.scene.axis().edges(), look.scene.timeline().totalBytes);
}

/// Columns [first, last) of a band, round both edges.
QPolygonF outlineOf(const ColumnGrid &grid, const BandPixels &pixels, std::size_t first, std::size_t last)
{
    QPolygonF outline;
    const auto add = [&](double x, double y) {
        if (outline.isEmpty() || outline.last() != QPointF(x, y)) outline << QPointF(x, y);
    };
    for (std::size_t column = first; column < last; ++column) {
        add(grid.x(static_cast<int>(column)), pixels.top[column]);
        add(grid.x(static_cast<int>(column) + 1), pixels.top[column]);
    }
    for (std::size_t column = last; column-- > first;) {
        add(grid.x(static_cast<int>(column) + 1), pixels.bottom[column]);
        add(grid.x(static_cast<int>(column)), pixels.bottom[column]);
    }
    return outline;
}

/// Calls `work(first, last)` for each stretch of columns in which the band is seen and `same` as at its first.
template <class Same, class Work>
void stretches(const BandPixels &pixels, double ratio, const Same &same, const Work &work)
{
    const std::size_t columns = pixels.top.size();
    const auto seen = [&](std::size_t column) { return (pixels.bottom[column] - pixels.top[column]) * ratio >= 1; };
    for (std::size_t first = 0; first < columns;) {
        if (!seen(first)) {
            ++first;
            continue;
        }
        std::size_t last = first + 1;
        while (last < columns && seen(last) && same(first, last))
            ++last;
        work(first, last);
        first = last;
    }
}

/// The widest box that lies inside a band, high enough for a name; empty when there is none.
QRectF nameRoom(const ColumnGrid &grid, const BandPixels &pixels)
{
    QRectF best;
    double top = 0, bottom = 0;
    std::size_t begin = 0;
    for (std::size_t column = 0; column < pixels.top.size(); ++column) {
        const double newTop = column == begin ? pixels.top[column] : std::max(top, pixels.top[column]);
        const double newBottom = column == begin ? pixels.bottom[column] : std::min(bottom, pixels.bottom[column]);
        if (newBottom - newTop < kNameHeight) {
            // Begin anew here, or behind it where there is no room at all.
            begin = pixels.bottom[column] - pixels.top[column] >= kNameHeight ? column : column + 1;
            top = pixels.top[column];
            bottom = pixels.bottom[column];
            continue;
        }
        top = newTop;
        bottom = newBottom;
        const double left = grid.x(static_cast<int>(begin)), right = grid.x(static_cast<int>(column) + 1);
        if (right - left > best.width()) best = QRectF(QPointF(left, top), QPointF(right, bottom));
    }
    return best.width() >= kNameWidth ? best : QRectF();
}

} // namespace

void paintStorageStack(QPainter &painter, const MemoryLook &look, const ColumnGrid &grid)
{
    const Theme &theme = Theme::instance();
    const double ratio = look.devicePixelRatio;
    const StorageBands &bands = look.scene.bands();
    const std::vector<BandColumns> columns =
        bandColumns(bands, samplesOf(look, grid), look.scene.timeline().totalBytes);
    painter.save();
    if (look.scene.infeasible()) painter.setOpacity(kUnfitOpacity);
    for (std::size_t i = 0; i < columns.size(); ++i) {
        const BandPixels pixels = pixelsOf(columns[i], look);
        const bool rest = i == bands.bands.size();
        const auto thick = [&](std::size_t column) {
            return pixels.bottom[column] - pixels.top[column] >= kPatternHeight;
        };
        const auto same = [&](std::size_t a, std::size_t b) {
            return columns[i].category[a] == columns[i].category[b] && thick(a) == thick(b);
        };
        stretches(pixels, ratio, same, [&](std::size_t first, std::size_t last) {
            const QPolygonF outline = outlineOf(grid, pixels, first, last);
            painter.setRenderHint(QPainter::Antialiasing, false);
            painter.setPen(Qt::NoPen);
            if (rest) {
                QColor fill = theme.color(Token::Ghost);
                fill.setAlphaF(0.35F);
                painter.setBrush(fill);
                painter.drawPolygon(outline);
                return;
            }
            const Category category = columns[i].category[first];
            painter.setBrush(thick(first) ? theme.categoryBrush(category, ratio)
                                          : QBrush(theme.categoryColor(category)));
            painter.drawPolygon(outline);
            // The family's colour, lighter or fuller by the storage, whatever plan it is in.
            QColor veil = theme.color(Token::Plot);
            veil.setAlphaF(0.11F * static_cast<float>(bands.bands[i].storage.index() % kShades));
            painter.setBrush(veil);
            painter.drawPolygon(outline);
            if (!thick(first)) return;
            QColor edge = theme.color(Token::Plot);
            edge.setAlphaF(0.8F);
            painter.setBrush(Qt::NoBrush);
            painter.setPen(QPen(edge, 1 / ratio));
            painter.drawPolygon(outline);
        });
        if (i > bands.bands.size()) continue;
        const QRectF room = nameRoom(grid, pixels);
        if (room.isEmpty()) continue;
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setFont(theme.font(FontRole::Small));
        if (!rest)
            paintTag(painter, room, look.scene.labels().storage(look.scene.graph(), bands.bands[i].storage));
        else if (bands.others > 0)
            paintTag(painter, room, MemoryText::tr("%1 more").arg(countText(bands.others)));
    }
    painter.restore();
}

namespace {

/// Where a storage is drawn, by storage in its own band or by category in its category's; no columns where it is not.
BandColumns columnsOf(const MemoryLook &look, const ColumnGrid &grid, StorageId storage)
{
    const std::vector<std::int32_t> samples = samplesOf(look, grid);
    if (look.scene.grouping() == Grouping::Storage) {
        const StorageBands &bands = look.scene.bands();
        const auto band = std::find_if(bands.bands.begin(), bands.bands.end(),
                                       [&](const StorageBand &each) { return each.storage == storage; });
        if (band == bands.bands.end()) return {};
        return bandColumns(bands, samples,
                           look.scene.timeline().totalBytes)[static_cast<std::size_t>(band - bands.bands.begin())];
    }
    const StorageHeights &heights = look.scene.heights(storage);
    BandColumns columns;
    for (const std::int32_t sample : samples) {
        columns.bottomBytes.push_back(sample < 0 ? 0 : heights.bottomBytes[static_cast<std::size_t>(sample)]);
        columns.topBytes.push_back(sample < 0 ? 0 : heights.topBytes[static_cast<std::size_t>(sample)]);
    }
    return columns;
}

} // namespace

void paintBandOutline(QPainter &painter, const MemoryLook &look, StorageId storage, const QPen &pen)
{
    if (!storage || !look.scene.hasPlan()) return;
    const ColumnGrid grid = ColumnGrid::over(look.layout.plot.left(), look.layout.plot.right(), look.devicePixelRatio);
    const BandPixels pixels = pixelsOf(columnsOf(look, grid, storage), look);
    painter.setPen(pen);
    painter.setBrush(Qt::NoBrush);
    stretches(
        pixels, look.devicePixelRatio, [](std::size_t, std::size_t) { return true; },
        [&](std::size_t first, std::size_t last) { painter.drawPolygon(outlineOf(grid, pixels, first, last)); });
}

} // namespace remat::studio
