// SPDX-License-Identifier: Apache-2.0
// What happens at a step of a plan, in sentences. No painting.
#pragma once

#include "app/studio/base/text/op_labels.h"
#include "app/studio/work/document/document.h"

#include <QString>

namespace remat::studio {

/// Tells one sample of a timeline: the op that is computed, and whether for the first time; what is freed, copied out
/// or brought back before the next op. `plan` belongs to `model`. O(steps up to the sample).
QString stepStory(const CostedModel &model, const PlanEntry &plan, const OpLabels &labels, std::size_t sample);

} // namespace remat::studio
