// SPDX-License-Identifier: Apache-2.0
// The plan that eager PyTorch follows today, without any plan of ours: what other plans gain is measured by it.
#pragma once

#include "core/costs/cost_table.h"
#include "core/graph/model.h"
#include "core/plan/plan.h"

#include <memory>
#include <optional>

namespace remat {

/// For people.
constexpr const char *kEagerTitle = "As the model does it today";

struct EagerPlan {
    std::shared_ptr<const Plan> plan; ///< checked, with its figures
    bool checkpoints = false;         ///< the model checkpoints activations by itself; else it only frees later
};

/// What a step does under eager PyTorch: it computes again what the model's own checkpointing says, and a function of
/// the backward pass holds what its formula reads and makes until it returns. Nothing where that is keep-all (a model
/// without checkpoints whose peak is less than 1 % higher), and for graphs as JSON. Fails with a sentence when the
/// trace cannot be read again. Any thread.
Expected<std::optional<EagerPlan>> planOfEager(const Model &model, const CostTable &costs);

} // namespace remat
