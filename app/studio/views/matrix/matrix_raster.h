// SPDX-License-Identifier: Apache-2.0
// The matrices as pixels: where several cells share one, the most telling of them shows.
#pragma once

#include "app/studio/base/plots/scale.h"
#include "core/views/matrix_scene.h"

#include <cstdint>
#include <vector>

namespace remat::studio {

/// States by pixel, row by row from the top left.
struct MatrixRaster {
    int width = 0, height = 0;
    std::vector<std::uint8_t> states; ///< MatrixScene::State

    MatrixScene::State at(int x, int y) const
    {
        return static_cast<MatrixScene::State>(
            states[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x)]);
    }
};

/// Columns [from, to) of the matrix over the width and rows over the height; both may have fractions. A gap of one
/// pixel is left between computed cells of at least `gapFrom` pixels. Never makes the matrix dense: O(cells + spans +
/// pixels).
MatrixRaster rasterOf(const MatrixScene &scene, const Viewport &columns, const Viewport &rows, int width, int height,
                      double gapFrom);

} // namespace remat::studio
