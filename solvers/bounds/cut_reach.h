// SPDX-License-Identifier: Apache-2.0
// What matters at a cut: the storages that plans may hold there for later.
#pragma once

#include "core/bounds/needs.h"

#include <vector>

namespace remat {

/// Storages made before the first computation of op t that are of use after it and large enough to count: needed after
/// it, or read by ops that would bring one of those back, and so on. What t reads is there anyway and leads nowhere.
struct CutReach {
    OpId cut;
    std::vector<StorageId> storages; ///< ascending
    std::vector<char> has;           ///< per storage
    std::vector<char> demanded;      ///< per storage: needed after t
    std::vector<char> there;         ///< per storage: read or made by t
};

/// Up to which size storages do not matter at a cut: all of them together take next to nothing of the budget. O(n log
/// n) in storages.
std::int64_t tinyBytes(const Graph &graph, std::int64_t budgetBytes);

/// Storages of `tinyBytes` or less are taken as held for nothing. `alsoUseful` (per storage, may be empty) adds what
/// is of use for other reasons. O(graph).
CutReach reachOfCut(const Graph &graph, const Needs &needs, OpId t, std::int64_t tinyBytes,
                    const std::vector<char> &alsoUseful);

} // namespace remat
