// SPDX-License-Identifier: Apache-2.0
#include "app/studio/work/document/time_axis.h"

#include "core/model/plan_entry.h"

#include <algorithm>

namespace remat::studio {

void fitAxis(TimeAxis &axis, const CostedModel *model, const PlanEntry *plan, double least, bool all)
{
    const Viewport before = axis.view;
    axis.axes = {};
    if (!model) {
        axis.view.fit(1, 1);
        return;
    }
    axis.axes = PlanAxes(plan ? *plan->timeline : *model->keepAll, *model->keepAll, axis.kind);
    const double length = std::max(axis.axes.length(), least);
    constexpr std::size_t kFewest = 50;
    axis.view.fit(length, length / static_cast<double>(std::max<std::size_t>(4 * axis.axes.plan.count(), kFewest)));
    if (!all && !before.all()) axis.view.show(before.from, before.to);
}

Span rangeWithin(const TimeAxis &axis, Span range)
{
    if (range.to < range.from) std::swap(range.from, range.to);
    range.from = std::clamp(range.from, 0.0, axis.view.length);
    range.to = std::clamp(range.to, 0.0, axis.view.length);
    return range;
}

} // namespace remat::studio
