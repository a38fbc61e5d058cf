// SPDX-License-Identifier: Apache-2.0
#include "core/model/known_bounds.h"

#include "core/model/plan_entry.h"

#include <algorithm>

namespace remat {

void KnownBounds::note(const Proven &proven)
{
    if (proven.timeUs <= 0) return;
    const auto implies = [](const Proven &strong, const Proven &weak) {
        const bool sameOrMore = strong.planId == weak.planId && strong.plans >= weak.plans;
        return sameOrMore && strong.budgetBytes >= weak.budgetBytes && strong.timeUs >= weak.timeUs;
    };
    if (std::any_of(m_proven.begin(), m_proven.end(), [&](const Proven &known) { return implies(known, proven); }))
        return;
    std::erase_if(m_proven, [&](const Proven &known) { return implies(proven, known); });
    m_proven.push_back(proven);
}

void KnownBounds::tell(HoldsFor plans, std::int64_t budgetBytes, double timeUs)
{
    note({plans, 0, budgetBytes, timeUs});
}

void KnownBounds::tellOf(int planId, std::int64_t budgetBytes, double timeUs)
{
    note({HoldsFor::EveryPlan, planId, budgetBytes, timeUs});
}

void KnownBounds::tell(const PlanEntry &entry)
{
    const Plan &plan = *entry.plan;
    // Peaks of plans that move parameters count what those of others do not.
    if (plan.budgetBytes <= 0 || plan.parametersPlanned) return;
    if (entry.kind == HoldsFor::AnyOrder)
        tellOf(entry.id, plan.budgetBytes, plan.predicted.lowerBoundTimeUs);
    else
        tell(entry.kind, plan.budgetBytes, plan.predicted.lowerBoundTimeUs);
    tell(HoldsFor::AnyOrder, plan.budgetBytes, plan.predicted.anyOrderBoundTimeUs);
}

double KnownBounds::timeUs(const PlanEntry &entry, std::int64_t budgetBytes) const
{
    double best = 0;
    for (const Proven &proven : m_proven) {
        const bool holds = proven.planId > 0 ? proven.planId == entry.id : proven.plans >= entry.kind;
        if (holds && proven.budgetBytes >= budgetBytes) best = std::max(best, proven.timeUs);
    }
    return best;
}

} // namespace remat
