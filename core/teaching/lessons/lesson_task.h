// SPDX-License-Identifier: Apache-2.0
// Whether what a lesson asks for is done, judged by the live state of the program.
#pragma once

#include "core/model/open_model.h"
#include "core/model/plan_entry.h"
#include "core/plan/pins.h"
#include "core/teaching/lessons/lesson.h"
#include "core/views/selection.h"

namespace remat {

/// What the program shows at a moment. What it points to outlives it.
struct LessonSituation {
    const CostedModel *model = nullptr; ///< none: nothing is done
    const PlanEntry *plan = nullptr;    ///< none: keep-all
    std::int64_t budgetBytes = 0;
    Pins pins;
    Selection selection;
    double cursorUs = -1;
    std::vector<std::string> views; ///< ids of those in front
};

/// O(steps) at most.
bool isDone(const LessonCondition &condition, const LessonSituation &now);

/// None of that name.
OpId opNamed(const Graph &graph, const std::string &name);
StorageId storageNamed(const Graph &graph, const std::string &name);

} // namespace remat
