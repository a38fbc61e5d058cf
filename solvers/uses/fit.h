// SPDX-License-Identifier: Apache-2.0
// Whether a training step fits on a device: as it is, with a plan, or not at all.
#pragma once

#include "core/costs/device.h"
#include "core/graph/optimizer.h"
#include "solvers/interface/solver.h"

#include <algorithm>
#include <cstdint>
#include <string>

namespace remat {

/// What a training step takes, in bytes.
struct FitNeeds {
    std::int64_t residentBytes = 0;   ///< parameters, buffers, inputs
    std::int64_t parametersBytes = 0; ///< the parameters in it
    std::int64_t gradientsBytes = 0;  ///< gradients of all parameters, as the update reads them
    std::int64_t optimizerBytes = 0;  ///< states of the optimizer
    std::int64_t updateBytes = 0;     ///< what the update makes for a moment, beside all that
    std::int64_t stepBytes = 0;       ///< activations and gradients at the peak when everything is kept, and workspace
    std::int64_t workspaceBytes = 0;  ///< what kernels need for themselves in it; known where it was measured

    /// All in all, when everything is kept; without a reserve.
    std::int64_t neededBytes() const
    {
        return residentBytes + optimizerBytes + std::max(stepBytes, gradientsBytes + updateBytes);
    }
};

/// What a device of `memoryBytes` leaves for activations and gradients of the step, when the share `reserve` stays
/// free: the one notion of a card's room. Negative when parameters, inputs and states alone take more.
std::int64_t leftForStep(const FitNeeds &needs, std::int64_t memoryBytes, double reserve);

/// Sums over the graph, whose keep-all peak with these costs is `keepAllPeakBytes`.
FitNeeds fitNeeds(const Graph &graph, const CostTable &costs, std::int64_t keepAllPeakBytes,
                  const KnownOptimizer &optimizer);

enum class FitVerdict : std::uint8_t { Fits, FitsWithPlan, NoPlanFound, CannotFit };
/// `fits`, `fits with a plan`, `no plan found`, `cannot fit`.
const char *fitVerdictName(FitVerdict verdict);

/// What one device says.
struct DeviceFit {
    std::int64_t memoryBytes = 0; ///< what counts as its memory
    std::int64_t budgetBytes = 0; ///< what is left of it for activations and gradients of the step
    FitVerdict verdict = FitVerdict::CannotFit;
    double overhead = 0; ///< overhead of the plan, as a share of the time without one
    std::string reason;  ///< a sentence, where it does not fit
};

/// Where nothing else is asked for: the share of a device that stays free, and the seconds of planning for each.
constexpr double kFitReserve = 0.05, kFitSeconds = 5;

/// Judges a device of `memoryBytes`, of which the share `reserve` stays free for fragmentation, the driver's context
/// and workspaces. The request has graph, costs of the device, and options; its budget is set here. Bounds that hold
/// for all plans without offloads are proofs, since training copies nothing to the host. Fails where planning does.
Expected<DeviceFit> judgeFit(const FitNeeds &needs, std::int64_t memoryBytes, double reserve, const Planner &planner,
                             SolveRequest request, const SolveContext &context);

} // namespace remat
