// SPDX-License-Identifier: Apache-2.0
// A plan: which op is computed when, and when each storage is freed, offloaded or brought back.
#pragma once

#include "core/costs/cost_table.h"
#include "core/graph/eager_comparison.h"
#include "core/graph/graph.h"

#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace remat {

enum class StepKind : std::uint8_t { Compute, Free, Offload, Prefetch };

/// One step; `op` is set for Compute, `storage` for the others.
struct Step {
    StepKind kind = StepKind::Compute;
    OpId op;
    StorageId storage;

    static Step compute(OpId op) { return {StepKind::Compute, op, {}}; }
    static Step free(StorageId storage) { return {StepKind::Free, {}, storage}; }
    static Step offload(StorageId storage) { return {StepKind::Offload, {}, storage}; }
    static Step prefetch(StorageId storage) { return {StepKind::Prefetch, {}, storage}; }
    bool operator==(const Step &) const = default;
};

/// Which planner made a plan, with what.
struct PlanOrigin {
    std::string solver;
    std::map<std::string, std::string> options; ///< only those that differ from their default or were set
    double seconds = 0;
    std::string status; ///< `optimal`, `feasible`, `stopped`
};

/// What simulator and bounds said when the plan was made.
struct Prediction {
    std::int64_t peakBytes = 0;
    double timeUs = 0;
    std::int64_t keepAllPeakBytes = 0;
    double keepAllTimeUs = 0;
    double lowerBoundTimeUs = 0;  ///< bound for plans in the order of this one; 0: there is none
    std::string lowerBoundMethod; ///< which bound it is: `cut-closure`; empty when unknown
    OpId lowerBoundCut;           ///< the first computation at which it binds; may be none
    /// Bound for plans without offloads in any order, where the plan is not in the graph's; 0: not known, or nothing
    /// beside `lowerBoundTimeUs`.
    double anyOrderBoundTimeUs = 0;
    bool operator==(const Prediction &) const = default;
};

/// One tensor compared by `validate`.
struct TensorDifference {
    std::string name; ///< `loss`, a parameter, a buffer
    double largestDifference = 0;
};

/// What one tensor came to, so that another program's can be held against it.
struct TensorChecksum {
    std::string name;      ///< as in TensorDifference; a parameter after its update is `new wte.weight`
    std::uint64_t sum = 0; ///< checksum of its elements in order, without gaps (gpu/engine/storage_checks.h)
};

/// What one step took when it ran. For Compute steps `heldBytes` is the most that was allocated while the op ran; for
/// the others it is what is held after the step. Dynamic memory only.
struct StepMeasurement {
    std::int64_t heldBytes = 0;
    std::int64_t workspaceBytes = 0; ///< while the op ran, besides what it made
    std::int64_t madeBytes = 0;      ///< bytes of the storages it made, each rounded up to 512
    double startUs = 0, endUs = 0;   ///< from the start of the run; both 0 where steps are not timed
};

/// What a real run was compared with.
enum class ReferenceKind : std::uint8_t {
    KeepAll,
    AnotherPlan, ///< keep-all does not fit the device; a plan that keeps more does
    Itself,      ///< nothing else fits: the plan ran twice
};

/// The run of a device other than the CPU against one on the CPU, with dropout off, since each draws other numbers.
struct CpuComparison {
    bool done = false;
    double largestShare = 0; ///< over all outputs, the largest difference as a share of the tensor's largest value
    double tolerance = 0;    ///< that it is judged against, by the coarsest type of number in the graph
    std::string worst;       ///< the tensor of it
    std::string sentence;    ///< why it was not done; empty when it was
};

/// A step in chunks against the same step without, from the same inputs and with dropout off.
struct ChunkComparison {
    bool done = false;
    int tensors = 0;         ///< so many were compared
    double largestUnits = 0; ///< the largest difference, in units of the last place of its tensor's largest entry
    double allowedUnits = 0; ///< what sums over chunks explain: 8 for each chunk of the region with the most
    std::vector<TensorDifference> different; ///< those that are not equal bit for bit, differences in such units
    std::string sentence; ///< why it was not done, or what was left out; empty for graphs without chunks

    bool near() const { return done && largestUnits <= allowedUnits; }
};

/// The record of a real run, kept in the plan file.
struct ValidationRecord {
    bool passed = false;    ///< nothing differs by the plan's fault, the peak holds, and it is within the plan's budget
    bool peakHolds = false; ///< the measured peak is the predicted one, less, or more by what the reasons explain
    std::string stepsDigest; ///< digest of the steps that were run, see stepsDigest(); empty in files of version 0.1.0
    std::string sentence;    ///< what was found, in one or two sentences; of the budget speaks planVerdict()
    std::string device;      ///< `cpu` or `cuda`
    std::string deviceTitle;
    std::string torchVersion;
    bool lossEqual = false;
    int gradients = 0, gradientsEqual = 0;
    int buffers = 0, buffersEqual = 0;
    int updated = 0, updatedEqual = 0; ///< parameters and optimizer states, of a step that holds updates
    double largestDifference = 0;
    std::vector<TensorDifference> differences; ///< only tensors that differ by the plan's fault, largest first
    std::int64_t measuredPeakBytes = 0;        ///< dynamic memory, counted at the allocator
    std::int64_t measuredKeepAllPeakBytes = 0; ///< 0 where keep-all did not run, as the time below
    std::int64_t predictedPeakBytes = 0;       ///< the same plan in the simulator
    std::vector<std::string> peakReasons;      ///< per op, why measured and predicted differ by more than 2 %
    double measuredTimeUs = 0;
    double measuredKeepAllTimeUs = 0;
    double predictedTimeUs = 0;          ///< the same plan in the simulator, with the costs at hand
    std::string memory;                  ///< `arena` or `allocator`, where the run had a block of its own; else empty
    std::int64_t heightBytes = 0;        ///< end of the highest address used in that block
    std::int64_t plannedHeightBytes = 0; ///< height of the layout, for `arena`
    std::int64_t hostBytes = 0;          ///< size of the block of host memory for what was offloaded
    ReferenceKind reference = ReferenceKind::KeepAll;
    std::int64_t referencePeakBytes = 0; ///< predicted, of the reference; keep-all's measured figures are 0 without it
    /// Ops that give other bits at each run even without the plan, and those that LibTorch warns of.
    std::vector<std::string> restlessOps, warnedOps;
    std::vector<TensorDifference> excused; ///< differ by those ops alone, within their tolerance; no fault of the plan
    CpuComparison cpu;
    ChunkComparison chunks;                                ///< done where the plan is one for a graph in chunks
    EagerVerdict eagerVerdict = EagerVerdict::NotCompared; ///< the graph itself against plain PyTorch, as traced
    std::string eagerSentence;                             ///< on that; empty in files of earlier versions
    /// As the plan has its steps, of the run with the time above; empty in files of version 0.1.0. See measuredSteps().
    std::vector<StepMeasurement> steps;
    std::vector<TensorChecksum> checksums; ///< checksums of what the plan's run gave back; not kept in files
};

/// What a compiler that fuses ops holds with a plan, known from its code before it compiles any. Bytes of dynamic
/// memory.
struct CompiledPeak {
    std::string compiler;            ///< `inductor`
    std::int64_t peakBytes = 0;      ///< with the plan
    std::int64_t plainPeakBytes = 0; ///< without one
    bool operator==(const CompiledPeak &) const = default;
};

/// A plan for one graph. Plain data; `simulate` and `checkPlan` give it meaning.
struct Plan {
    std::vector<Step> steps;
    std::int64_t budgetBytes = 0;   ///< 0: none
    bool parametersPlanned = false; ///< judged on `withPlannedParameters(graph)`: parameters count and may leave
    PlanOrigin origin;
    CostSource costSource;
    Prediction predicted;
    std::optional<ValidationRecord> validated;
    std::optional<CompiledPeak> compiled; ///< where it is for a compiler's kernels: this counts against the budget
};

/// Every op once, in graph order, every storage freed after its last use (outputs and planned parameters are kept).
Plan keepAllPlan(const Graph &graph);

/// Puts the frees in: a computation sequence becomes a plan in which every copy is freed right after its last read
/// before the next computation of the same storage; a copy nobody reads is freed right after it was made; outputs of
/// the graph stay from their last computation on. What an update on the host reads is offloaded right before it, and
/// what it writes is brought back right after it. O(sequence × degree).
std::vector<Step> withEarliestFrees(const Graph &graph, const std::vector<OpId> &sequence);

/// Drops computations whose outputs nobody reads before they are computed again (first computations of ops that are
/// needed stay). O(sequence × degree).
std::vector<OpId> dropUselessRecomputes(const Graph &graph, std::vector<OpId> sequence);

/// Per storage 1 for the planned parameters that begin in host memory: the first step on them is a prefetch. Steps with
/// ids that the graph does not have are passed over. O(steps × degree).
std::vector<char> beginsOnHost(const Graph &graph, const std::vector<Step> &steps);

/// Per storage 1 for the planned parameters that end, and so begin, with a whole copy in host memory: those that no op
/// updates, and those that were offloaded after their last update, or updated on the host. Steps with ids that the
/// graph does not have are passed over. O(steps × degree).
std::vector<char> wholeOnHost(const Graph &graph, const std::vector<Step> &steps);

/// `compute addmm`, `offload gelu`.
std::string stepTitle(const Graph &graph, const Step &step);

/// The order in which a plan computes.
std::vector<OpId> computeSequence(const Plan &plan);

/// Reads `remat-plan/1`. Refuses a plan for another graph (fingerprint), unknown names and wrong types.
Expected<Plan> readPlan(const std::filesystem::path &path, const Graph &graph);
Expected<void> writePlan(const std::filesystem::path &path, const Plan &plan, const Graph &graph);

} // namespace remat
