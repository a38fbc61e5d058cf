// SPDX-License-Identifier: Apache-2.0
#include "app/studio/views/matrix/matrix_raster.h"

#include <algorithm>
#include <cmath>

namespace remat::studio {

namespace {

/// Pixels [first, end) of the cells [from, to), for each at least the one it begins in; empty when out of sight.
struct Pixels {
    int first = 0, end = 0;
};

Pixels pixelsOf(double from, double to, const Viewport &view, int count, bool gap)
{
    const double scale = count / view.width();
    const auto pixel = [&](double cell) { return std::floor((cell - view.from) * scale + 1e-9); };
    const double first = pixel(from);
    const double end = std::max(pixel(to - 1) + 1, pixel(to) - (gap ? 1 : 0));
    if (end <= 0 || first >= count) return {};
    return {static_cast<int>(std::max(first, 0.0)), static_cast<int>(std::min<double>(end, count))};
}

} // namespace

MatrixRaster rasterOf(const MatrixScene &scene, const Viewport &columns, const Viewport &rows, int width, int height,
                      double gapFrom)
{
    MatrixRaster raster;
    raster.width = std::max(width, 0);
    raster.height = std::max(height, 0);
    const auto w = static_cast<std::size_t>(raster.width), h = static_cast<std::size_t>(raster.height);
    raster.states.assign(w * h, 0);
    if (w == 0 || h == 0 || scene.columns.empty()) return raster;
    const bool gapAcross = raster.width / columns.width() >= gapFrom, gapDown = raster.height / rows.width() >= gapFrom;

    // Spans begin and end; sums down each pixel column say how many of them cover a pixel.
    std::vector<std::int32_t> changes((h + 1) * w, 0);
    for (const KeptSpan &span : scene.kept) {
        const Pixels across = pixelsOf(span.column, span.column + 1, columns, raster.width, gapAcross);
        const Pixels down = pixelsOf(span.fromRow, span.toRow, rows, raster.height, false);
        if (across.end <= across.first || down.end <= down.first) continue;
        for (int x = across.first; x < across.end; ++x) {
            ++changes[static_cast<std::size_t>(down.first) * w + static_cast<std::size_t>(x)];
            --changes[static_cast<std::size_t>(down.end) * w + static_cast<std::size_t>(x)];
        }
    }
    std::vector<std::int32_t> covering(w, 0);
    for (std::size_t y = 0; y < h; ++y)
        for (std::size_t x = 0; x < w; ++x)
            if ((covering[x] += changes[y * w + x]) > 0)
                raster.states[y * w + x] = static_cast<std::uint8_t>(MatrixScene::State::Kept);

    for (const MatrixCell &cell : scene.cells) {
        const Pixels across = pixelsOf(cell.column, cell.column + 1, columns, raster.width, gapAcross);
        const Pixels down = pixelsOf(cell.row, cell.row + 1, rows, raster.height, gapDown);
        const auto state =
            static_cast<std::uint8_t>(cell.recomputed ? MatrixScene::State::Recomputed : MatrixScene::State::Computed);
        for (int y = down.first; y < down.end; ++y)
            for (int x = across.first; x < across.end; ++x) {
                std::uint8_t &pixel = raster.states[static_cast<std::size_t>(y) * w + static_cast<std::size_t>(x)];
                pixel = std::max(pixel, state);
            }
    }
    return raster;
}

} // namespace remat::studio
