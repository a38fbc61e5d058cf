// SPDX-License-Identifier: Apache-2.0
// The one interface of all planners.
#pragma once

#include "core/base/stop_token.h"
#include "core/bounds/bounds.h"
#include "core/graph/program.h"
#include "core/plan/pins.h"
#include "core/plan/plan.h"
#include "core/teaching/stories/story.h"
#include "solvers/interface/option_table.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace remat {

/// What a planner is, for lists, forms and documentation.
struct PlannerInfo {
    std::string name = {};   ///< `hiremate`: as `--solver` takes it
    std::string title = {};  ///< `HiRemate`
    std::string kind = {};   ///< `hierarchical ILP`: one or two words beside the title
    std::string text = {};   ///< what it does, when to use it
    std::string source = {}; ///< paper or code
    std::vector<OptionRecord> options = {};
    bool usesTime = false; ///< takes as long as it may (an anytime planner) rather than moments
    bool offloads = false; ///< its plans may copy to host memory: bounds of plans without offloads say nothing of them
    bool tells = false;    ///< writes down how it plans (SolveContext::story)
};

/// The part of the options of planners that can plan with `withPlannedParameters`; `solve()` sees to it.
struct ParameterOptions {
    bool planned = false; ///< `parameters`
};
OptionTable<ParameterOptions> parametersOption();
/// True when the options have it, and it is on.
bool plansParameters(const OptionSet &options);

/// A schedule that the plan takes for a cluster.
struct ChosenOption {
    std::int64_t keptBytes = 0; ///< from its forward to its backward part
    double extraUs = 0;         ///< added by what it computes again
    int uses = 1;               ///< clusters that it is taken for
};

/// One row of the table of sub-solves.
struct ClusterProgress {
    std::string name; ///< name of the cluster: `block 3`
    int level = 1;    ///< 1: under the whole graph, 2: in a cluster of level 1
    int uses = 1;     ///< identical clusters served by this solve
    int options = 0;  ///< found so far
    double gap = -1;  ///< gap of its ILP; negative when unknown
    double seconds = 0;
    bool running = false, done = false;
    std::vector<ChosenOption> chosen; ///< largest kept first; empty as long as nothing is chosen
};

/// A snapshot of a running solve. Times are of whole plans, in µs; negative when not known yet.
struct SolveProgress {
    std::string activity; ///< `Options of clusters`, `Top chain`, `Polish`
    double fraction = -1; ///< how far the activity is, 0..1; negative when unknown
    int clustersDone = 0, clustersTotal = 0;
    double incumbentTimeUs = -1;
    double boundTimeUs = -1; ///< proven for the model being solved
    double gap = -1;         ///< (incumbent − bound) / bound of the extra time
    double elapsedSeconds = 0;
    std::vector<ClusterProgress> clusters;
    std::shared_ptr<const Plan> incumbent; ///< set when a better checked plan was found since the last snapshot
};

struct SolveRequest {
    const Graph *graph = nullptr;     ///< outlives the solve
    const CostTable *costs = nullptr; ///< outlives the solve
    const Program *program = nullptr; ///< the trace the graph was made from, if any; outlives the solve
    std::int64_t budgetBytes = 0;
    OptionSet options;                 ///< made from the planner's own records
    std::shared_ptr<const Plan> start; ///< a plan to start from; may be none
    std::optional<TimeBound> bound;    ///< bound of this graph and budget, when the caller has it already
    Pins pins;                         ///< decided by hand; `solve()` plans around it and gives planners none
    bool givenOrder = false;           ///< first computations keep the graph's order: planners try no other
    std::vector<char> stays;           ///< per storage 1: may not be copied to host memory. Empty: all may
};

/// What a solve may use and whom it tells.
struct SolveContext {
    const StopToken *stop = nullptr; ///< may be none
    Deadline deadline;
    int threads = 1;
    std::uint64_t seed = 0;
    /// Least time of plans within the budget that make their first computations in the graph's order and do not
    /// offload, proven; filled in by `solve()`. Says nothing about other plans.
    double boundTimeUs = 0;
    std::function<void(const SolveProgress &)> progress; ///< called from any thread, one call at a time; may be empty
    /// What the planner does is written there, by planners that tell, for small graphs (solvers/uses/record.h); none:
    /// nothing is recorded. Outlives the solve, which alone touches it, from one thread.
    Story *story = nullptr;

    bool shouldStop() const { return (stop && stop->stopRequested()) || deadline.passed(); }
    /// For work that may take `share` of what is left of the time, or `leastSeconds` if that is more. Outlived by the
    /// context.
    StopCheck stopCheck(double share = 1, double leastSeconds = 0) const;
    /// When what would take all time ends, so that there is some for a bound at the tight places of its plan: a
    /// twentieth of the limit before it, at most a second. Never passes where there is no limit.
    Deadline timeToImprove() const;
};

/// Thrown inside a solve when time is up in the midst of what gives nothing by halves; `solve()` returns the best plan
/// that was told until then. Leaves no planner otherwise.
struct TimeUp {
    std::string sentence; ///< why there is no plan, where it is not the time
};

/// What the model says, apart from whether the call worked.
enum class SolveStatus { Optimal, Feasible, Infeasible, Stopped };
const char *statusName(SolveStatus status);
/// Part of the message of an outcome in which the clock had a hand; without it the same seed gives the same plan.
inline constexpr const char *kTimeWasUp =
    "Time was up before all work was done: a run with more time may find a better plan, and no two runs need be alike.";
/// A plan within this share of the keep-all time of its bound is Optimal.
inline constexpr double kOptimalShare = 1e-6;

struct SolveOutcome {
    SolveStatus status = SolveStatus::Infeasible;
    bool leastTime = true;    ///< false: another objective than time was asked for, and `status` speaks of that one
    std::optional<Plan> plan; ///< set for Optimal and Feasible, and for Stopped when there was one by then
    double boundTimeUs = 0;   ///< proven (core/bounds) for plans in the order of `plan`, or of the graph
    std::optional<TimeBound> bound; ///< bound for the graph's order, where the planner has proven more than it was told
    std::optional<TimeBound>
        ownBound;        ///< bound for the order of `plan`, where that is another one; `cut` is an op of the graph
    std::string message; ///< why there is none, or what a person should know
    std::int64_t smallestPeakBytes = 0; ///< when infeasible: the smallest peak reached; 0 when unknown
    std::vector<OpId> smallest = {};    ///< the computations that reach it, where the planner knows them
};

/// A planner: what it is and what it does. Its functions hold no state that changes: one object serves all threads.
struct Planner {
    PlannerInfo info;
    /// Makes the steps (and nothing else) of a plan within the budget. Called by `solve()`, and by planners that start
    /// from the plan of another.
    std::function<Expected<SolveOutcome>(const SolveRequest &, const SolveContext &)> plan;
    /// A plan within the budget in moments: shown while the bounds are computed, and kept when time is up before there
    /// is another. Empty for most. Called by `solve()` only.
    std::function<std::optional<Plan>(const SolveRequest &, const SolveContext &)> firstPlan = {};
};

/// All planners, in the order lists show them.
const std::vector<const Planner *> &planners();
/// The planner called `name`; the sentence of the failure lists the names there are.
Expected<const Planner *> findPlanner(const std::string &name);

/// Fails with a sentence when there is nothing to plan or the costs are of another graph.
Expected<void> checkPlannable(const Graph &graph, const CostTable &costs);

/// Runs a planner and lets nothing unchecked out: refuses a budget under the working set at once, fills origin, costs,
/// prediction and bound of the plan, and passes it through the checker. A plan that fails the check is an error of the
/// planner and is returned as a failed call, never as a plan. With the option `parameters` the planner gets the graph
/// with planned parameters, and keep-all figures and bounds count them too. With pins the planner gets a graph in which
/// they cannot be broken (solvers/steer), and the plan follows them. Blocks; call it on a worker thread.
Expected<SolveOutcome> solve(const Planner &planner, const SolveRequest &request, const SolveContext &context);

} // namespace remat
