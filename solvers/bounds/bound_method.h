// SPDX-License-Identifier: Apache-2.0
// The one interface of all time bounds for the given order. Adding one is adding a file to methods/.
#pragma once

#include "core/base/stop_token.h"
#include "core/bounds/cut_closure.h"
#include "core/bounds/needs.h"
#include "core/plan/plan.h"
#include "solvers/tools/flat.h"

#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace remat {

struct KCutRefined;

/// What a bound is asked about.
struct BoundProblem {
    const Graph &graph;
    const CostTable &costs;
    std::int64_t budgetBytes = 0;
    const Plan *plan = nullptr;      ///< one within the budget, whose tight places are worth looking at; may be none
    const StopToken *stop = nullptr; ///< may be none
    Deadline deadline = {};
    /// Limit of the simplex method, for each program, the same on every machine. With one, methods that need
    /// seconds for a single linear program leave themselves out.
    std::int64_t iterations = std::numeric_limits<std::int64_t>::max();
    std::shared_ptr<const KCutRefined> before = {}; ///< result of an earlier look at this graph and budget; may be none
    double near = 0;        ///< a bound this close to the plan is enough, as a share of its added time
    bool onlyQuick = false; ///< the methods that need moments, and no others

    bool counted() const { return iterations < std::numeric_limits<std::int64_t>::max(); }
    bool stopped() const { return (stop && stop->stopRequested()) || deadline.passed(); }
    StopCheck stopCheck() const
    {
        return [this] { return stopped(); };
    }
};

/// What the bounds before it have found.
struct BoundsSoFar {
    TimeBound best;
    double enoughUs = 0; ///< a higher bound is of no use, by the plan of the problem; infinite without one
    CutClosure closure;  ///< the best cut, and the best choice that is known there
    std::shared_ptr<const KCutRefined> cuts; ///< the best relaxation of several cuts; may be none
    std::vector<Recompute> recomputes;       ///< the best whole choice at several cuts; empty where there is none
    std::int64_t iterations = 0;             ///< iterations of the simplex method, in all programs so far
    bool cutShort = false;                   ///< with more iterations there may be a better bound
};

/// A time bound for plans without offloads in the given order.
struct BoundMethod {
    std::string name;  ///< `one-cut MILP`: TimeBound::method
    std::string title; ///< what it looks at, in a few words
    std::string source;
    int order = 0;      ///< methods run by rising order
    bool quick = false; ///< needs moments; the others take what time there is
    /// Nothing when the graph is too large for it or time was up. May improve the choice in `soFar.closure`.
    std::optional<TimeBound> (*run)(const BoundProblem &problem, BoundsSoFar &soFar) = nullptr;
};

/// All of them by `order`.
const std::vector<const BoundMethod *> &boundMethods();

/// A bound of `extraUs` at `cut`, which may be none, in the words of `method`.
TimeBound timeBoundOf(const BoundProblem &problem, const char *method, double extraUs, OpId cut);

} // namespace remat
