// SPDX-License-Identifier: Apache-2.0
// What has been proven of a model by now, so that no figure falls behind what was shown before.
#pragma once

#include "core/bounds/bounds.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace remat {

struct PlanEntry;

/// Ops of graphs whose bound for one budget takes a good part of a second at most, so that it may follow what one does.
constexpr std::size_t kMostProvenOps = 4000;

/// Lower bounds on the time of a step of one model under one table of costs, by budget and by the plans that they are
/// about. A bound for a budget holds for every smaller one, since fewer plans fit there. One thread at a time.
class KnownBounds
{
public:
    /// Notes that no plan of these within the budget is faster. Times are in µs, of whole steps.
    void tell(HoldsFor plans, std::int64_t budgetBytes, double timeUs);
    /// Notes the bounds of a plan that was made and proven here. A bound of the plan's own order is of that plan alone.
    void tell(const PlanEntry &entry);
    /// Notes what holds for one plan within a budget: the bound of its own order.
    void tellOf(int planId, std::int64_t budgetBytes, double timeUs);
    void clear() { m_proven.clear(); }

    /// The most that is known for this plan within the budget, in µs; 0 when nothing is.
    double timeUs(const PlanEntry &entry, std::int64_t budgetBytes) const;

private:
    struct Proven {
        HoldsFor plans = HoldsFor::EveryPlan;
        int planId = 0; ///< 0: of all plans that `plans` names
        std::int64_t budgetBytes = 0;
        double timeUs = 0;
    };
    void note(const Proven &proven);

    std::vector<Proven> m_proven; ///< none is implied by another
};

} // namespace remat
