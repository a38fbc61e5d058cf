// SPDX-License-Identifier: Apache-2.0
// The largest batch whose training step fits on a device.
#pragma once

#include "core/graph/batch_line.h"
#include "solvers/uses/fit.h"

namespace remat {

/// 0 where not even a batch of one fits.
struct LargestBatches {
    std::int64_t asItIs = 0;   ///< with everything kept
    std::int64_t withPlan = 0; ///< never smaller; to within two percent
};

/// Seconds of planning for each batch that is tried.
constexpr double kBatchSeconds = 1;

/// Judges a device as judgeFit() does, at batches between 1 and 2^20: by doubling from that of the request's graph,
/// which `line` and `needs` are of, and then what lies between. Times and workspaces of ops stay those of the request.
/// Fails where planning does; an early stop of the context gives what was found until then.
Expected<LargestBatches> largestBatches(const BatchLine &line, const FitNeeds &needs, std::int64_t memoryBytes,
                                        double reserve, const Planner &planner, const SolveRequest &request,
                                        const SolveContext &context);

} // namespace remat
