// SPDX-License-Identifier: Apache-2.0
// Which limit holds a plan where it is.
#pragma once

#include "core/bounds/bounds.h"
#include "core/plan/plan.h"

namespace remat {

enum class Binding : std::uint8_t {
    Nothing,    ///< keep-all fits: there is nothing to decide
    WorkingSet, ///< the budget is at what one op alone needs, or below
    Bound,      ///< the plan takes the least time that is proven for plans like it
    Budget      ///< a larger budget may allow a faster plan
};

/// What holds the time of a plan up.
struct BudgetStory {
    Binding binding = Binding::Budget;
    std::int64_t roomBytes = 0;    ///< between the plan's peak and its budget
    std::int64_t missingBytes = 0; ///< between the budget and the keep-all peak; 0 when that fits
    OpId floorOp;                  ///< the op with the largest working set; may be none
    std::int64_t floorBytes = 0;   ///< no plan has a lower peak
    OpId cut;                      ///< the op at which the lower bound on time binds; may be none
    double extraUs = 0;            ///< over keep-all
    double boundExtraUs = 0;       ///< the part of it that no plan like it can save
};

/// Explains a plan that is known to do what `known` says, under the budget it was made for (0: none). `floor` is the
/// working-set bound of its graph. O(1).
BudgetStory whatBinds(const Prediction &known, std::int64_t budgetBytes, const PeakBound &floor);

} // namespace remat
