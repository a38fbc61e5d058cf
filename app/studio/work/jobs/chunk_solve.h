// SPDX-License-Identifier: Apache-2.0
// Plans whose graph may run in chunks, of a model that is open.
#pragma once

#include "core/model/open_model.h"
#include "solvers/chunk/candidates.h"
#include "solvers/interface/solver.h"

#include <QString>

namespace remat::studio {

/// Why no plan of the model can decide what runs in chunks; empty when one can. Decisions by hand name ops, and chunks
/// make others of these.
QString whyNotInChunks(const CostedModel &model, const Pins &pins);

/// What a model in chunks is planned as: with the same updates, by the costs of the same device, some ops whole.
ChunkSetting chunkSetting(const CostedModel &model, std::vector<std::string> whole = {});

/// The model in these chunks, under the same costs; with its ops whole where there are none.
Expected<std::shared_ptr<const CostedModel>> costedInChunks(const CostedModel &model, const Chunking &chunking);

/// What a solve came to, and of which model its plan is.
struct ChunkSolve {
    Expected<SolveOutcome> outcome;
    std::shared_ptr<const CostedModel> of; ///< none where the plan is of the model that was asked about, or none is
};

/// Plans the model in the chunks that suit the budget best, whatever of it is in chunks now. Of the request, budget and
/// options count. Worker threads; ends with the context.
ChunkSolve solveInChunks(const CostedModel &model, const Planner &planner, const std::vector<std::string> &whole,
                         SolveRequest request, const SolveContext &context);

} // namespace remat::studio
