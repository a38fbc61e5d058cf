// The plan that a model with checkpoints of its own follows today: what other plans gain is measured by it.
#pragma once

#include "core/costs/cost_table.h"
#include "core/graph/model.h"
#include "core/plan/plan.h"

#include <memory>

namespace remat {

/// For people.
constexpr const char *kAsIsTitle = "As the model does it today";

/// Checked, with its figures. Null when the model checkpoints nothing by itself: then keep-all is what it does. Fails
/// with a sentence when the trace cannot be read again. Any thread.
Expected<std::shared_ptr<const Plan>> planAsIs(const Model &model, const CostTable &costs);

} // namespace remat
