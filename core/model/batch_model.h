// SPDX-License-Identifier: Apache-2.0
// A model at any batch, from two traces of its step.
#pragma once

#include "core/graph/batch_line.h"
#include "core/model/open_model.h"

namespace remat {

/// What a second trace of a model's step, with another batch, says of it. Immutable.
struct OtherBatch {
    BatchLine line;
    std::shared_ptr<const CostTable> costs; ///< those of the second trace; none where measured times stay as they are
};

/// Reads the second trace. Fails with a sentence where it is not the same step with another batch, and for a model in
/// chunks. O(files).
Expected<OtherBatch> readOtherBatch(const CostedModel &model, const std::filesystem::path &path);

/// The model with `batch` samples in its step: sizes, times and workspaces by the straight lines through both traces.
/// It can be planned on, and has no program to run. Fails as graphOfBatch() does. O(model).
Expected<std::shared_ptr<const CostedModel>> modelOfBatch(const CostedModel &model, const OtherBatch &other,
                                                          std::int64_t batch);

} // namespace remat
