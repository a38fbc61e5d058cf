// SPDX-License-Identifier: Apache-2.0
// Plans from decisions about recomputing and paging: realised on the graph, timed by the simulator, the best one kept.
#pragma once

#include "solvers/interface/solver.h"
#include "solvers/offload/decisions.h"
#include "solvers/offload/schedule.h"
#include "solvers/tools/flat.h"

#include <optional>

namespace remat::offload {

/// What became of decisions when they were made a plan.
struct Realised {
    std::vector<std::int64_t> heldBytes; ///< while each computation runs, and at the end
    bool fits = false;                   ///< within the budget
};

struct Goal {
    bool energy = false;    ///< least energy; otherwise least time
    double mostTimeUs = 0;  ///< plans that take longer do not count; 0: all do
    bool onlyThose = false; ///< nothing leaves but what an offer lets leave, also where that does not fit
};

/// Collects candidates and keeps the best. Decisions are about the graph with its parameters resident; where the
/// request plans them, each candidate is realised with them held throughout and with them free to leave. One thread.
class Candidates
{
public:
    Candidates(const FlatGraph &flat, const SolveRequest &request, const SolveContext &context, const Goal &goal);

    /// Computes `recomputes` again and lets leave, of the storages in `mayLeave` (per storage), what has to; of all
    /// but parameters where that does not fit and the goal allows it. Sorted, as in `toSequence`.
    Expected<void> offer(const std::vector<Recompute> &recomputes, const std::vector<char> &mayLeave);

    /// Computes `recomputes` again; what leaves is selected by these rules, as far as possible so that
    /// `reserveBytes` of the budget stay free for copies on their way. Returns the plan's time in µs; infinite when it
    /// does not fit.
    Expected<double> offer(const std::vector<Recompute> &recomputes, const SelectionRules &rules,
                           std::int64_t reserveBytes);

    /// Exactly these decisions, but that what there is room for stays.
    Expected<Realised> offer(const Decisions &decisions);

    /// A plan of another planner, as it is.
    Expected<void> offer(const std::vector<Step> &steps);

    /// Per storage 1: of the request, may not leave the device; empty: none.
    const std::vector<char> &stays() const { return m_request.stays; }
    const std::optional<OffloadSchedule> &best() const { return m_best; }
    double bestJoules() const { return m_bestJoules; }
    std::int64_t smallestPeakBytes() const { return m_smallestPeak; }
    /// Time of the shortest candidate that fits; infinite when none did.
    double shortestUs() const { return m_shortestUs; }
    /// Whether a plan of the last offer is within the budget.
    bool lastFits() const { return m_lastFits; }
    /// The best plan; without one, the sentence says that no `family` of plans fits, and what to do.
    SolveOutcome outcome(const std::string &family, const std::string &advice) const;

private:
    std::vector<OpId> sequenceOf(std::vector<Recompute> recomputes) const;
    bool fits(const Selection &selection) const { return selection.peakBytes() <= m_request.budgetBytes; }
    void keep(OffloadSchedule schedule);
    Expected<void> take(const std::vector<OpId> &sequence, const Residence &residence, const Selection &selection);

    const FlatGraph &m_flat;
    const SolveRequest &m_request;
    const SolveContext &m_context;
    const Goal m_goal;
    std::vector<int> m_lastSlot; ///< per op: of a recomputation, which may not read a parameter after its update
    std::optional<OffloadSchedule> m_best;
    double m_bestJoules = 0;
    double m_shortestUs;
    std::int64_t m_smallestPeak = 0;
    bool m_lastFits = false;
    double m_lastUs = 0; ///< time of the last plan that fits
};

} // namespace remat::offload
