// SPDX-License-Identifier: Apache-2.0
// A proven overhead beside the overhead of a plan.
#pragma once

#include <string>

namespace remat {

/// Times that differ by less than this share of the keep-all time are equal: sums of floating-point numbers.
constexpr double kEqualShare = 1e-6;

/// The bound as percent, rounded down, so that no plan is shown below it; where the plan is proven to be the best both
/// are the same number, and are written alike.
std::string formatBoundShare(double boundOverhead, double planOverhead);

} // namespace remat
