// SPDX-License-Identifier: Apache-2.0
// When eager PyTorch lets go of memory.
#pragma once

#include "core/graph/graph.h"
#include "core/plan/plan.h"

#include <cstdint>
#include <vector>

namespace remat {

/// A storage that is kept until an op has run that does not read it: by autograd for its sizes, or by a name of Python.
struct EagerHold {
    OpId until;
    StorageId storage;
};

/// As withEarliestFrees, but as autograd does it: what the formula of one function of the backward pass reads and makes
/// stays until the function returns, what it makes on the way to one gradient until it comes to the next. `formulas`
/// has per op the function whose formula it is part of, -1: none; the computations of one function stand together. A
/// copy of a storage that is held stays for its hold's op, unless another is made before. O(sequence × degree).
std::vector<Step> withEagerFrees(const Graph &graph, const std::vector<OpId> &sequence,
                                 const std::vector<std::int64_t> &formulas, const std::vector<EagerHold> &holds);

} // namespace remat
