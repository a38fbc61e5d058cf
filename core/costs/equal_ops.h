// SPDX-License-Identifier: Apache-2.0
// Which ops of a model cost the same, since everything is the same that decides it.
#pragma once

#include "core/graph/model.h"

#include <string>
#include <vector>

namespace remat {

/// Classes of ops, numbered in the order of their first op.
struct EqualOps {
    std::vector<int> classOf; ///< per op
    int classes = 0;
};

/// Two ops are equal when operator, scalar arguments, and of each tensor that they read or make dtype, sizes, strides,
/// device and alignment are, and when they read the same tensor twice where the other does. What numbers the tensors
/// hold is not looked at. Without a program each op is a class of its own. O(program).
EqualOps equalOps(const Model &model);

/// Per op a digest of what makes it equal to others, the same in every model; empty without a program. O(program).
std::vector<std::string> costIdentities(const Model &model);

} // namespace remat
