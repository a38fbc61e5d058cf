// SPDX-License-Identifier: Apache-2.0
// Small graphs, solved exactly.
#pragma once

#include "solvers/tools/flat.h"

#include <functional>
#include <optional>

namespace remat::hiremate {

/// What the search over states found.
struct ExactResult {
    bool finished = false;                     ///< false: too many states, or stopped
    std::optional<std::vector<OpId>> sequence; ///< the fastest; none with `finished`: nothing fits
};

/// The fastest plan whose first computations are in graph order, among all of them: best-first search over (first
/// computations done, storages held), where an edge computes an op or drops a storage. Gives up beyond `maxStates`
/// states or 64 planned storages. Exponential; for graphs of a dozen ops.
ExactResult searchStates(const FlatGraph &flat, std::int64_t budgetBytes, std::size_t maxStates,
                         const std::function<bool()> &stop);

} // namespace remat::hiremate
