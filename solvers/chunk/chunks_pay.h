// SPDX-License-Identifier: Apache-2.0
// Whether a plan in chunks is sure to be faster than all plans of whole ops.
#pragma once

#include "solvers/chunk/candidates.h"
#include "solvers/interface/solver.h"

namespace remat {

/// True where no plan of whole ops fits the budget, and where a quick plan of a simple chunking takes less time than
/// any plan of whole ops in the graph's order can. False above the floor with decisions by hand, of which the bound
/// knows nothing. Takes a tenth of the context's time, or half a second for each of four chunkings if that is more.
bool chunksPay(const Planner &planner, const Model &model, const ChunkSetting &setting, const SolveRequest &request,
               const SolveContext &context);

} // namespace remat
