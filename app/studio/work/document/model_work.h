// SPDX-License-Identifier: Apache-2.0
// What a person has made of one open model. Plain data: its page owns it, and the document shows one of them.
#pragma once

#include "app/studio/work/document/time_axis.h"
#include "core/model/known_bounds.h"
#include "core/model/plan_entry.h"
#include "core/plan/pins.h"
#include "core/views/selection.h"

#include <memory>
#include <vector>

namespace remat::studio {

/// What each field means is said at the function of Document that reads it. GUI thread only.
struct ModelWork {
    std::shared_ptr<const CostedModel> model;
    std::vector<std::shared_ptr<const PlanEntry>> plans;
    std::shared_ptr<const PlanEntry> current;
    std::int64_t budgetBytes = 0;
    KnownBounds bounds;
    Selection selection;
    std::shared_ptr<const SelectedModule> module;
    Pins pins;
    std::vector<int> compared;
    double cursorUs = -1;
    TimeAxis time;
    int nextPlanId = 1;
};

/// An op and the first storage that it makes, or nothing where the model has no such op.
Selection selectionOf(const ModelWork &work, OpId op);
/// A storage and the op that makes it, or nothing where the model has no such storage.
Selection selectionOf(const ModelWork &work, StorageId storage);

/// The list and the current one as they were before: undo, or a session that is opened.
void setPlans(ModelWork &work, std::vector<std::shared_ptr<const PlanEntry>> plans, int currentId);

/// Drops compared ids that are not in the list; true when there were any.
bool dropFromCompared(ModelWork &work);

} // namespace remat::studio
