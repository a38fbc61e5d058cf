// SPDX-License-Identifier: Apache-2.0
// Charts of a report as SVG. Colours are the page's (`--c0` to `--c6` for categories).
#pragma once

#include "core/plan/timeline.h"

#include <string>
#include <vector>

namespace remat::svg {

/// Memory over time, stacked by category, over keep-all's outline, with the budget as a line (0: none).
std::string timeline(const MemoryTimeline &plan, const MemoryTimeline &keepAll, std::int64_t budgetBytes);

/// Where a moment stands in that picture, which is 960 wide.
double timelineX(const MemoryTimeline &plan, const MemoryTimeline &keepAll, double us);

struct Point {
    std::string name;
    std::int64_t peakBytes = 0;
    double overhead = 0; ///< 0.1: 10 % more time than keep-all
    double bound = -1;   ///< overhead no plan under this budget can have less than; negative when unknown
};
/// Overhead over peak memory.
std::string tradeOff(const std::vector<Point> &points, std::int64_t keepAllPeakBytes);

} // namespace remat::svg
