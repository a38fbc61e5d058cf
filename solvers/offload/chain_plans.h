// From schedules of a chain to plans of its graph, with what leaves the device.
#pragma once

#include "solvers/chain/stage_chain.h"
#include "solvers/offload/candidates.h"
#include "solvers/offload/paging_table.h"

#include <cmath>

namespace remat::offload {

/// The link of the graph's costs, and the times of the chain's forward parts.
Link linkOf(const FlatGraph &flat, const chain::StageChain &chain);

/// Offers the plan of a schedule. Throws TimeUp as `translate`.
Expected<void> offerSchedule(const FlatGraph &flat, const chain::StageChain &chain, const PagedSchedule &paged,
                             Candidates &candidates, const SolveContext &context);

/// Plans from the table (a `PagingTable`, or what is asked like one) for ever less memory, from `slots` on: its memory
/// is a model, and the plan that is fastest on the graph may be one for more or less than the budget.
template <class Table>
Expected<void> offerFromTable(const FlatGraph &flat, const chain::StageChain &chain, const Table &table, int slots,
                              Candidates &candidates, const SolveContext &context)
{
    const double keepAllUs = keepAllTimeUs(*flat.costs);
    PagedSchedule last;
    for (int memory = slots; memory >= 0 && !context.shouldStop(); --memory) {
        const double extraUs = table.extraUs(memory);
        if (!std::isfinite(extraUs)) break;
        // What the model cannot do without, hardly any plan can.
        if (candidates.best() && keepAllUs + extraUs / 2 > candidates.best()->timeUs) break;
        PagedSchedule paged = table.schedule(memory);
        if (paged == last) continue;
        if (const auto offered = offerSchedule(flat, chain, paged, candidates, context); !offered) return offered;
        last = std::move(paged);
    }
    return {};
}

} // namespace remat::offload
