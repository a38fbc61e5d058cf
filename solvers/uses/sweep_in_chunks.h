// SPDX-License-Identifier: Apache-2.0
// Sweeps whose plans may run in chunks.
#pragma once

#include "solvers/chunk/plan_in_chunks.h"
#include "solvers/uses/sweep.h"

#include <functional>
#include <vector>

namespace remat {

/// A sweep of which each plan is of a graph of its own.
struct ChunkedSweep {
    Sweep sweep;                  ///< figures of keep-all, and percent, are of the graph without chunks
    std::vector<ChunkedModel> of; ///< per point what its plan is of; no regions: the graph as it is
};

/// One plan in chunks; the request has planner options and budget, the context the time.
using ChunkPlanner =
    std::function<Expected<ChunkedOutcome>(const Planner &planner, const SolveRequest &request, const SolveContext &)>;

/// As a SweepListener; with what a finished plan is of, and null before.
using ChunkedSweepListener = std::function<void(const SweepProgress &, const ChunkedModel *of)>;

/// Plans every budget with every planner in the chunks that `plan` finds, one after the other on all threads. At each
/// budget the faster one of its own plan and that of the next smaller budget is taken. The bound of a point is for
/// plans of its chunked graph alone. Stops, listens and fails as sweep() does.
Expected<ChunkedSweep> sweepInChunks(const SweepRequest &request, const ChunkPlanner &plan, const SolveContext &context,
                                     const ChunkedSweepListener &listener = {});

} // namespace remat
