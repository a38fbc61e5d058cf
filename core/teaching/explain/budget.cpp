// SPDX-License-Identifier: Apache-2.0
#include "core/teaching/explain/budget.h"

#include <algorithm>

namespace remat {

BudgetStory whatBinds(const Prediction &known, std::int64_t budgetBytes, const PeakBound &floor)
{
    BudgetStory story;
    story.roomBytes = budgetBytes > 0 ? std::max<std::int64_t>(budgetBytes - known.peakBytes, 0) : 0;
    story.missingBytes = budgetBytes > 0 ? std::max<std::int64_t>(known.keepAllPeakBytes - budgetBytes, 0) : 0;
    story.floorOp = floor.op;
    story.floorBytes = floor.bytes;
    story.cut = known.lowerBoundTimeUs > 0 ? known.lowerBoundCut : OpId();
    story.extraUs = std::max(known.timeUs - known.keepAllTimeUs, 0.0);
    story.boundExtraUs = std::max(known.lowerBoundTimeUs - known.keepAllTimeUs, 0.0);
    constexpr double kSame = 1e-6;
    if (story.missingBytes == 0)
        story.binding = Binding::Nothing;
    else if (budgetBytes <= floor.bytes)
        story.binding = Binding::WorkingSet;
    else if (known.lowerBoundTimeUs > 0 && known.timeUs - known.lowerBoundTimeUs <= kSame * known.keepAllTimeUs)
        story.binding = Binding::Bound;
    return story;
}

} // namespace remat
