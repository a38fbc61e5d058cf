// SPDX-License-Identifier: Apache-2.0
// A plan from what is kept at one cut.
#pragma once

#include "solvers/search/state.h"

#include <vector>

namespace remat::search {

/// Makes `state` the plan that, at the first computation of `cut`, holds of all storages that could be made again only
/// those in `kept` beside what that op reads and makes: every other one is computed again where it is read next, from
/// what is kept there or made later. This is what the choice behind a closure bound stands for; elsewhere the plan may
/// be over the budget, which `greedy` sees to. Commits. O(recomputations × a toggle).
void keepAtCut(State &state, int cut, const std::vector<int> &kept);

} // namespace remat::search
