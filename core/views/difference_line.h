// SPDX-License-Identifier: Apache-2.0
// Two plans on one axis: where each op of one stands on the other's, and what one holds more.
#pragma once

#include "core/plan/timeline.h"

#include <cstdint>
#include <vector>

namespace remat {

/// A − B along the axis: value i reaches from edge i to edge i + 1; beyond the end of a plan it holds nothing.
struct DifferenceLine {
    std::vector<double> edges;
    std::vector<std::int64_t> values;
    std::int64_t largest = 0; ///< without sign
};

/// Borders of a timeline's samples with each op where the reference computes it first; what is computed between two of
/// those shares the room between them. Ops that the reference does not compute, or computes in another order, stand
/// with the samples before them. O(samples).
std::vector<double> alignedEdges(const MemoryTimeline &timeline, const MemoryTimeline &reference,
                                 const std::vector<double> &referenceEdges);

/// O(samples of both).
DifferenceLine differenceOf(const std::vector<double> &edgesA, const std::vector<std::int64_t> &valuesA,
                            const std::vector<double> &edgesB, const std::vector<std::int64_t> &valuesB);

} // namespace remat
