// SPDX-License-Identifier: Apache-2.0
// A stretch of an axis.
#pragma once

namespace remat {

/// In the axis's unit; of time in µs.
struct Span {
    double from = 0, to = 0;
};

} // namespace remat
