// SPDX-License-Identifier: Apache-2.0
// Towards a budget out of the greedy's reach, in small steps.
#pragma once

#include "solvers/search/greedy.h"

namespace remat::search {

/// Lowers the peak of `state` to `targetBytes` by `greedy` and `prune`, a few percent at a time, each step from the
/// plan before; a step that fails is halved. Far from the budget the greedy takes drops by what they cover of a large
/// overflow, and their chains of recomputations stand in each other's way; in steps it meets each of them where it
/// matters, and what became useless goes in between. Returns the first plan that fits, or the one with the smallest
/// peak. The state is left with it, and with that budget. Deterministic.
Found descend(State &state, std::int64_t targetBytes, const StopCheck &stop);

} // namespace remat::search
