// SPDX-License-Identifier: Apache-2.0
// Decisions made by hand, by the names people write.
#pragma once

#include "core/plan/pins.h"

#include <string>
#include <vector>

namespace remat {

/// Names as given, in any order. Each is the name of an op, of a storage, or the path of a module, which stands for
/// all ops in it.
struct PinNames {
    std::vector<std::string> keep, recompute, never;

    bool empty() const { return keep.empty() && recompute.empty() && never.empty(); }
};

/// The decisions those names stand for. Of a module, what is to be kept is what its forward ops make, and what cannot
/// be recomputed is passed over. Fails with a sentence on a name that the graph does not have (with the nearest one),
/// on an op or storage that the decision cannot be about, and on decisions that contradict each other.
Expected<Pins> pinsByName(const Graph &graph, const PinNames &names);

} // namespace remat
