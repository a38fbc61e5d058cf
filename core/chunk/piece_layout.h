// SPDX-License-Identifier: Apache-2.0
// How the elements of a tensor and of its pieces lie in memory.
#pragma once

#include "core/chunk/split.h"
#include "core/graph/program.h"

namespace remat {

/// The dims from the one with the largest stride to the one with the smallest; of equal ones the first first.
std::vector<std::size_t> memoryOrder(const Value &value);

/// True when the tensor's elements lie without gaps and without overlap, in whatever order of dims.
bool isDense(const Value &value);

/// Strides of a tensor without gaps that has these sizes and the order of dims of `value`.
std::vector<std::int64_t> stridesLike(const Value &value, const Sizes &sizes);

/// True when each piece of a dense tensor is dense, too.
bool piecesAreDense(const Value &value, const std::vector<Cut> &cuts);

} // namespace remat
