// SPDX-License-Identifier: Apache-2.0
// What makes the peak of a plan.
#pragma once

#include "core/plan/timeline.h"

#include <vector>

namespace remat {

/// One storage held at a moment, and why.
struct Holder {
    StorageId storage;
    Category category = Category::KeptActivations;
    std::int64_t bytes = 0;
    bool recomputed = false;    ///< this copy was made by a computation after the op's first
    bool output = false;        ///< held to the end whatever reads it
    OpId madeBy;                ///< none for planned parameters
    OpId nextReader;            ///< first op that reads it at that moment or later, while this copy lives; may be none
    std::int32_t nextStep = -1; ///< step of that read in the plan; -1 when there is none
};

/// A moment of a plan, taken apart.
struct Moment {
    std::size_t sample = 0;
    std::int32_t step = 0; ///< in the plan's steps
    OpId op;               ///< computed at that moment
    std::int64_t bytes = 0;
    std::int64_t workspaceBytes = 0;
    std::vector<Holder> holders; ///< largest first
};

/// Everything held at a sample of a plan's timeline, each with its next reader. O(ranges + samples × degree).
Moment momentAt(const Graph &graph, const MemoryTimeline &timeline, std::size_t sample);

} // namespace remat
