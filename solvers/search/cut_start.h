// SPDX-License-Identifier: Apache-2.0
// Plans from the choices behind closure bounds.
#pragma once

#include "solvers/search/greedy.h"

namespace remat::search {

/// Plans that start from what closure bounds (core/bounds/cut_closure.h) keep at their cuts, for this budget and for
/// some larger ones, made to fit by `greedy` and pruned; the best of them. The bound of a larger budget keeps a little
/// too much, which the greedy takes away again; which one is best depends on how whole storages fill the budget. Needs
/// the graph of `flat`. The worst there can be (nothing fits, infinite time) when no cut binds. Deterministic. On a
/// thousand ops 10 to 20 ms.
Found cutPlan(const FlatGraph &flat, std::int64_t budgetBytes, const StopCheck &stop);

} // namespace remat::search
