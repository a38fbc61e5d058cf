// SPDX-License-Identifier: Apache-2.0
// The numbers that torch.export's schema has for types, layouts and memory formats; reader and writer share them.
#pragma once

#include <array>

namespace remat {

/// The number of each type, in the order of DType.
inline constexpr std::array kTypeNumbers{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 28, 29, 30, 31, 32};

/// Names by their numbers.
inline constexpr std::array kLayoutNames{"Unknown",   "SparseCoo", "SparseCsr", "SparseCsc",
                                         "SparseBsr", "SparseBsc", "_mkldnn",   "Strided"};
inline constexpr std::array kFormatNames{"Unknown", "ContiguousFormat", "ChannelsLast", "ChannelsLast3d",
                                         "PreserveFormat"};
inline constexpr int kStrided = 7;

} // namespace remat
