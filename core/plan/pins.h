// What a person decided by hand about a plan.
#pragma once

#include "core/graph/graph.h"

#include <vector>

namespace remat {

/// Decisions planners must work around; plain data, each list ascending and without repetitions.
struct Pins {
    std::vector<StorageId> keep; ///< stays on the device from its computation to its last read
    std::vector<OpId> recompute; ///< dropped after the forward pass, computed again when the backward pass needs it
    std::vector<OpId> never;     ///< computed exactly once
    bool empty() const { return keep.empty() && recompute.empty() && never.empty(); }
    bool operator==(const Pins &) const = default;
};

/// Sorts the lists, drops repetitions and ids that the graph does not have.
void dropUnknown(Pins &pins, const Graph &graph);

} // namespace remat
