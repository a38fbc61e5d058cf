// SPDX-License-Identifier: Apache-2.0
// Which forward op a backward op belongs to, where a trace does not say so.
#pragma once

#include "core/graph/program.h"

#include <utility>
#include <vector>

namespace remat {

/// A parameter's gradient and the parameter.
using GradientOf = std::pair<StorageId, StorageId>;

/// Those that a trace names, once its graph was built. O(program).
std::vector<GradientOf> gradientsOf(const Program &program);

/// Sets `forwardOp` of the backward ops that have none, and their module where it is empty: by autograd's number
/// (`sequence`) where forward ops carry it; else by data flow: a backward op belongs to the forward op that made or
/// read most of what it reads, `x_backward` rather to an `x`, the maker of a parameter's gradient to a reader of that
/// parameter; one that reads gradients only goes with the op that made the newest of them. O(ops × degree × readers),
/// readers up to 64 a storage.
void pairByFlow(Graph &graph, const std::vector<GradientOf> &gradients);

} // namespace remat
