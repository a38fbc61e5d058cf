// SPDX-License-Identifier: Apache-2.0
// The name that somebody probably meant.
#pragma once

#include <string>
#include <vector>

namespace remat {

/// The one of `names` with the smallest edit distance to `wanted`, of equals the first; empty when there are none.
/// O(names × length²).
std::string nearestName(const std::vector<std::string> &names, const std::string &wanted);

} // namespace remat
