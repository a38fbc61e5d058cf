// SPDX-License-Identifier: Apache-2.0
// What a stretch of the plan is made of: its time and what came and went, by module, op, category or storage.
#pragma once

#include "core/views/op_groups.h"
#include "core/views/range_meter.h"

#include <string>
#include <vector>

namespace remat {

/// One group in a range. Categories and storages have no time of their own.
struct RangeSum {
    std::string name;       ///< empty: what belongs to no group
    StorageId storage;      ///< where the group is one
    int computations = 0;   ///< in the range, of any part
    double timeUs = 0;      ///< inside of the range
    double recomputeUs = 0; ///< the part that is computed again
    std::int64_t cameBytes = 0, wentBytes = 0;
};

/// Sums of the range that `figures` were measured for; what moves most bytes first, then what takes most time.
/// O(ranges × log ranges + computations).
std::vector<RangeSum> rangeSums(const Graph &graph, const MemoryTimeline &timeline, const RangeFigures &figures,
                                GroupBy by);

} // namespace remat
