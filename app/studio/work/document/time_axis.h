// SPDX-License-Identifier: Apache-2.0
// The horizontal axis of one model: what it counts, which part of it is seen, which range is chosen.
#pragma once

#include "app/studio/base/plots/columns.h"
#include "app/studio/base/plots/scale.h"
#include "core/views/sample_axis.h"

#include <optional>

namespace remat {
struct CostedModel;
struct PlanEntry;
} // namespace remat

namespace remat::studio {

/// Positions are microseconds or steps, as `kind` says.
struct TimeAxis {
    AxisKind kind = AxisKind::Time;
    Viewport view;
    PlanAxes axes;             ///< where samples of the plan (keep-all's without one) and of keep-all lie
    std::optional<Span> range; ///< a stretch the person chose to measure or export
};

/// Makes `axis` that of a plan, or of keep-all without one, at least `least` long; without a model it has the length 1.
/// `all` shows everything, else what was seen stays.
void fitAxis(TimeAxis &axis, const CostedModel *model, const PlanEntry *plan, double least, bool all);

/// The range with its ends in order and inside of the axis.
Span rangeWithin(const TimeAxis &axis, Span range);

} // namespace remat::studio
