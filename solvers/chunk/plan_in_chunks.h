// SPDX-License-Identifier: Apache-2.0
// Plans whose graph may run in chunks: which regions, in how many pieces, is decided with the plan.
#pragma once

#include "solvers/chunk/candidates.h"
#include "solvers/interface/solver.h"

#include <string>
#include <vector>

namespace remat {

/// One chunking that was planned.
struct ChunkTry {
    Chunking chunking;
    std::string status; ///< status of the solve: `optimal`, `feasible`, `infeasible`, `stopped`
    double timeUs = 0;  ///< time of its plan; 0 where there is none
};

/// The best plan found over all chunkings that were tried.
struct ChunkedOutcome {
    SolveOutcome outcome; ///< its bound holds for plans of this chunked graph, not of others
    ChunkedModel chunked; ///< what the plan is of; no chunking where none is best
    std::vector<ChunkTry> tries;
};

/// Plans the model in several chunkings: as it is, where that can be; with working sets brought to the budget, a half,
/// a quarter and an eighth of it; for small budgets as micro-batches of the whole step; and then the best of them with
/// each region in twice and in half as many pieces, whole, along another dim, wider or narrower. Each is planned in a
/// share of the context's time. The graph as it is gets a quarter first, and all that is left unless chunks are better.
/// The plan with the least time is the answer, so chunks replace a plan of the graph as it is only by a faster one.
/// `request` says budget, options and pins of the graph as it is; graph, costs and program are filled in, and a
/// chunking that cannot follow the pins is none. Without a deadline the changes of the best are left out. Fails where
/// solve() does. Blocks.
Expected<ChunkedOutcome> planInChunks(const Planner &planner, const Model &model, const ChunkSetting &setting,
                                      const SolveRequest &request, const SolveContext &context);

/// A plan of one chunking, in all the context's time.
Expected<ChunkedOutcome> planChunking(const Planner &planner, const Model &model, const Chunking &chunking,
                                      const ChunkSetting &setting, const SolveRequest &request,
                                      const SolveContext &context);

} // namespace remat
