// SPDX-License-Identifier: Apache-2.0
// Through which operators a split of a dim goes, and how: the table of the rules.
#pragma once

#include "core/graph/chunking.h"
#include "core/graph/program.h"

#include <vector>

namespace remat {

/// The tensors that a node reads, in the order of its arguments, lists taken apart, absent ones left out.
std::vector<ValueId> tensorsRead(const Node &node);

/// Each way in which the call can run in k pieces that together give what it gives whole: to the bit for what is split,
/// up to the order of additions for sums. Empty for operators without a rule, for calls that write to an input, and
/// where no dim can be cut in k. Every mode splits at least one tensor. O(dims × tensors).
std::vector<Mode> modesOf(const Program &program, const Node &node, std::int64_t k);

/// An argument that repeats the sizes of an output, which a piece has to say anew: `view` and its `size`.
struct SizeArgument {
    const char *operatorName;
    const char *argument;
    std::size_t output;
};
/// None for most operators.
const SizeArgument *sizeArgumentOf(const Node &node);

} // namespace remat
