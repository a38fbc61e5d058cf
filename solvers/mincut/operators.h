// SPDX-License-Identifier: Apache-2.0
// What PyTorch's min-cut partitioner knows about operators.
#pragma once

#include <cstdint>
#include <string_view>

namespace remat::mincut {

/// Classes of operators, as bits. They are those of `get_default_op_list()` in PyTorch 2.11.
enum OperatorClass : std::uint8_t {
    kRecomputable = 1U << 0U, ///< on the allow-list: cheap to do again
    kRandom = 1U << 1U,       ///< one of those that the partitioner takes for random
    kComputeIntensive = 1U << 2U,
    kView = 1U << 3U,
    kConcatenation = 1U << 4U, ///< `cat`: anything can be fused into it
    kAlwaysFree = 1U << 5U     ///< never banned from recomputation
};

/// The classes of `aten::add`, `prims::sum`, …; 0 for operators on no list.
std::uint8_t operatorClasses(std::string_view opName);

/// Fusible: recomputable or random.
constexpr bool isFusible(std::uint8_t classes)
{
    return (classes & (kRecomputable | kRandom)) != 0;
}

} // namespace remat::mincut
