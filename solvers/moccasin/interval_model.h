// SPDX-License-Identifier: Apache-2.0
// Rematerialization as scheduling of retention intervals: a constraint program with O(C·n) integer variables.
#pragma once

#include "core/base/stop_token.h"
#include "solvers/cp/model.h"
#include "solvers/tools/flat.h"

#include <optional>
#include <utility>
#include <vector>

namespace remat::moccasin {

struct IntervalSettings {
    std::int64_t budgetBytes = 0;
    std::vector<int> copies; ///< by op at most, its first computation included: C_v, at least 1
    int cuts = 12;           ///< redundant rows for so many places
    bool leastPeak = false;  ///< phase 1: the least memory, no less than the budget, instead of the least time
};

/// Bartan, Li, Teague, Lott, Dilkina: Moccasin, ICML 2023, equations 1 to 5, for ops that make any number of storages.
/// Time is counted in events: op v in slot t is event t·(n + 1) + v, its first computation v·(n + 1) + v, the end of
/// the graph n·(n + 1) + n. Copy i > 1 of v has a stage t(v,i) in v+1 … n (an integer), a presence a(v,i) (0/1), and
/// for each storage s that v makes an end e(s,i) and a length (integers); copy 1 has ends only, since it starts where
/// it must.
///   a(v,i+1) ⇒ a(v,i)        e(s,i) ≤ start(v,i+1) where that is present
///   for each computation of v at event E and storage s that it reads, made by u, one of the copies of u serves:
///       a 0/1 variable that implies a(u,j), start(u,j) < E and E < e(s,j); outputs are read at the end
///   cumulative over all copies' intervals [start, e) with their bytes, and [start, start + 1) with the workspaces
///   phase 2: min Σ time(v) a(v,i)   phase 1: min M with the cumulative below M ≥ budget
/// Plans of sets of recomputations (flat.h) with at most C_v computations an op and once a slot, and no others, are its
/// solutions; slot n, after the last op, is one of them.
struct IntervalModel {
    cp::CpModel model;
    std::vector<std::vector<int>> present,
        stage; ///< variables by op and copy − 2; empty where an op may not be repeated
    std::vector<std::vector<int>> end, length; ///< by storage and copy − 1; no length for copy 1
    /// What serves a read: a 0/1 variable for each copy of the maker.
    struct Serving {
        int storage = 0, reader = 0; ///< reader: `ops` for the end of the graph
        int readerCopy = 0;          ///< from 0
        std::vector<int> by;         ///< variables by copy
    };
    std::vector<Serving> servings;
    /// Ours: what the closure bound knows (core/bounds), at some ops t where keeping everything is over the budget: of
    /// what is of use after t, whether it is held at t (x) and whether its maker is computed again after t (r).
    ///   x(s) + r(maker of s) ≥ 1 for s needed after t     x(s) + r(maker of s) ≥ r(i) for s read by i
    ///   r(i) ≤ Σ a(i,·)     not r(i) ⇒ stages ≤ t     not x(s) ⇒ e(s,1) ≤ event of t     Σ bytes x ≤ what t leaves
    /// Without these rows the linear relaxation proves next to nothing.
    struct Cut {
        int op = 0;
        std::vector<std::pair<int, int>> held, again; ///< storage, variable; op, variable
    };
    std::vector<Cut> cuts;
    int peak = -1;           ///< variable M of phase 1, in units
    double unitUs = 1;       ///< unit of the objective of phase 2, rounded down: bounds hold
    bool exactTimes = false; ///< nothing was rounded
    std::int64_t unitBytes = 1;
    bool exactBytes = true; ///< else sizes are rounded up: what fits fits, but nothing is proven
    int ops = 0;

    bool leastPeak() const { return peak >= 0; }
    std::int64_t eventOf(std::int64_t slot, int op) const { return slot * (ops + 1) + op; }
};

/// O(C²·reads). The budget is at least the working set. Nothing when `stop` says so.
std::optional<IntervalModel> buildIntervals(const FlatGraph &flat, const IntervalSettings &settings,
                                            const StopCheck &stop = {});

/// The computation sequence of a solution, of which the first `model.told` values count; any values will do.
std::vector<OpId> sequenceOf(const IntervalModel &intervals, const std::vector<std::int64_t> &values);

/// All values for a computation sequence with its first computations in the graph's order; empty when it computes an op
/// more than C_v times, or twice in one slot.
std::vector<std::int64_t> valuesOf(const FlatGraph &flat, const IntervalModel &intervals,
                                   const std::vector<OpId> &sequence);

} // namespace remat::moccasin
