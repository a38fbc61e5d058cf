// SPDX-License-Identifier: Apache-2.0
// From schedules of a chain to plans of its graph, with what leaves the device.
#pragma once

#include "solvers/chain/stage_chain.h"
#include "solvers/offload/candidates.h"
#include "solvers/offload/paging_table.h"
#include "solvers/offload/two_level_table.h"

#include <cmath>

namespace remat::offload {

/// The link of the graph's costs, and the times of the chain's forward parts.
Link linkOf(const FlatGraph &flat, const chain::StageChain &chain);

/// The time of the link for the input of each stage, storage by storage.
InputCopies inputCopies(const FlatGraph &flat, const chain::StageChain &chain);

/// Offers the plan of a schedule: of what the schedule lets leave, what has to, copied beside the computation. Throws
/// TimeUp as `translate`.
Expected<void> offerSchedule(const FlatGraph &flat, const chain::StageChain &chain, const PagedSchedule &paged,
                             Candidates &candidates, const SolveContext &context);

/// The schedule as it stands, with `recomputes` its recomputations: what it holds on the host, but for what `stays`
/// marks (per storage; empty: nothing), leaves the device after its last use in each segment (forward pass, backward
/// part of a stage) and comes back before its first use in a later one. The computation waits for what leaves and for
/// what it reads; it takes no longer than where it waits for every copy.
std::vector<Step> waitingSteps(const FlatGraph &flat, const chain::StageChain &chain, const PagedSchedule &paged,
                               const std::vector<Recompute> &recomputes, const std::vector<char> &stays = {});

/// Offers the schedule as `offerSchedule` does and as `waitingSteps` does.
Expected<void> offerBothWays(const FlatGraph &flat, const chain::StageChain &chain, const PagedSchedule &paged,
                             Candidates &candidates, const SolveContext &context);

/// Rotor's table, asked like those that know of the host.
struct Unpaged {
    const chain::ChainTable &table;
    double extraUs(int memory) const { return table.extraUs(memory); }
    PagedSchedule schedule(int memory) const;
};

/// Plans from the table (a `PagingTable`, or what is asked like one) for ever less memory, from `slots` on: its memory
/// is a model, and the plan that is fastest on the graph may be one for more or less than the budget.
template <class Table>
Expected<void> offerFromTable(const FlatGraph &flat, const chain::StageChain &chain, const Table &table, int slots,
                              Candidates &candidates, const SolveContext &context,
                              decltype(offerSchedule) &offer = offerSchedule)
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
        if (const auto offered = offer(flat, chain, paged, candidates, context); !offered) return offered;
        last = std::move(paged);
    }
    return {};
}

} // namespace remat::offload
