// SPDX-License-Identifier: Apache-2.0
// How far the search for a plan has come: the one place that decides what badge, figures and lists say of it.
#pragma once

#include "app/studio/work/document/document.h"

namespace remat::studio {

/// From what one would solve next to what one can leave alone.
enum class Standing : std::uint8_t {
    Quick,      ///< made in passing while budget or decisions moved
    ForAnother, ///< solved within less memory than is allowed now
    Beaten,     ///< a plan of the list is faster within the same budget
    Solved,     ///< by a planner, for this budget or a larger one
    Proven,     ///< nothing like it within the budget is faster
};

struct PlanStanding {
    Standing standing = Standing::Quick;
    double gap = -1;  ///< (plan − bound) / bound of the added time; negative when no bound above keep-all is known
    QString title;    ///< two or three words: `Solved, gap 0.11 %`
    QString sentence; ///< what that means, and what to do where something is left to do
};

/// The plan that is shown is judged under the budget that is set, any other one under the budget it was made for.
PlanStanding standingOf(const Document &document, const PlanEntry &entry);

} // namespace remat::studio
