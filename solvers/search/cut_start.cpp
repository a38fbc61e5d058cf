// SPDX-License-Identifier: Apache-2.0
#include "solvers/search/cut_start.h"

#include "core/bounds/cut_closure.h"
#include "solvers/search/skeleton.h"

#include <array>

namespace remat::search {

namespace {

/// Budgets whose choices are tried, as shares of the budget.
constexpr std::array<double, 6> kBudgets = {1, 1.02, 1.05, 1.08, 1.12, 1.25};
/// On larger graphs, where each takes seconds, one that does not fit ends the attempts.
constexpr int kLargeOps = 4000;

} // namespace

Found cutPlan(const FlatGraph &flat, std::int64_t budgetBytes, const StopCheck &stop)
{
    Found best = nothingFound();
    State state(flat, budgetBytes);
    std::vector<StorageId> last;
    for (const double share : kBudgets) {
        if (stop()) break;
        const auto bytes = static_cast<std::int64_t>(share * static_cast<double>(budgetBytes));
        const CutClosure closure = cutClosure(*flat.graph, *flat.costs, bytes, stop);
        if (!closure.bound.cut || (share > 1 && closure.kept == last)) continue;
        last = closure.kept;
        std::vector<int> kept;
        kept.reserve(closure.kept.size());
        for (const StorageId storage : closure.kept)
            kept.push_back(storage.value);
        keepAtCut(state, closure.bound.cut.value, kept);
        greedy(state, stop);
        prune(state, stop);
        Found found = foundIn(state);
        const bool outOfReach = !found.fits && flat.ops > kLargeOps;
        if (isBetter(found, best)) best = std::move(found);
        if (outOfReach) break;
    }
    return best;
}

} // namespace remat::search
