// SPDX-License-Identifier: Apache-2.0
// The largest batch whose training step fits on a device.
#pragma once

#include "core/graph/batch_line.h"
#include "solvers/uses/fit.h"

#include <functional>

namespace remat {

/// 0 where not even a batch of one fits.
struct LargestBatches {
    std::int64_t asItIs = 0;   ///< with everything kept
    std::int64_t withPlan = 0; ///< never smaller; to within two percent
};

/// Seconds of planning for each batch that is tried.
constexpr double kBatchSeconds = 1;

/// No batch beyond this one is looked at.
constexpr std::int64_t kMostSamples = std::int64_t(1) << 20;

/// The largest batch from `least` to `most` that fits, where every smaller one does; `least - 1` where none does. From
/// `start` by doubling, then what lies between; one in `precision` of it may be left out (0: none). Fails as `fits`.
Expected<std::int64_t> largestBatch(std::int64_t least, std::int64_t most, std::int64_t start, std::int64_t precision,
                                    const std::function<Expected<bool>(std::int64_t)> &fits);

/// Judges a device as judgeFit() does, at batches between 1 and 2^20: by doubling from that of the request's graph,
/// which `line` and `needs` are of, and then what lies between. Times and workspaces of ops stay those of the request.
/// Fails where planning does; an early stop of the context gives what was found until then.
Expected<LargestBatches> largestBatches(const BatchLine &line, const FitNeeds &needs, std::int64_t memoryBytes,
                                        double reserve, const Planner &planner, const SolveRequest &request,
                                        const SolveContext &context);

} // namespace remat
