#include "core/explain/budget.h"

#include <algorithm>

namespace remat {

BudgetStory whatBinds(const Plan &plan, const PeakBound &floor)
{
    const Prediction &said = plan.predicted;
    BudgetStory story;
    story.roomBytes = plan.budgetBytes > 0 ? std::max<std::int64_t>(plan.budgetBytes - said.peakBytes, 0) : 0;
    story.missingBytes = plan.budgetBytes > 0 ? std::max<std::int64_t>(said.keepAllPeakBytes - plan.budgetBytes, 0) : 0;
    story.floorOp = floor.op;
    story.floorBytes = floor.bytes;
    story.cut = said.lowerBoundTimeUs > 0 ? said.lowerBoundCut : OpId();
    story.extraUs = std::max(said.timeUs - said.keepAllTimeUs, 0.0);
    story.boundExtraUs = std::max(said.lowerBoundTimeUs - said.keepAllTimeUs, 0.0);
    constexpr double kSame = 1e-6;
    if (story.missingBytes == 0)
        story.binding = Binding::Nothing;
    else if (plan.budgetBytes <= floor.bytes)
        story.binding = Binding::WorkingSet;
    else if (said.lowerBoundTimeUs > 0 && said.timeUs - said.lowerBoundTimeUs <= kSame * said.keepAllTimeUs)
        story.binding = Binding::Bound;
    return story;
}

} // namespace remat
