// SPDX-License-Identifier: Apache-2.0
// Several budgets in one line of text.
#pragma once

#include "core/base/expected.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace remat {

/// Most budgets that one list may name.
constexpr std::size_t kMaxBudgets = 1000;

/// Reads `90%,60%,4GiB` or `90%;62,5%` (each as `parseBudget` takes it), or a range `first:last:step` with both ends:
/// `90%:20%:-10`, `8GiB:2GiB:-1GiB`. Ends and step of a range are all shares or all sizes; a step without a unit is in
/// percent after shares and in bytes after sizes. Returns bytes from the largest to the smallest, each once. Fails with
/// a sentence on anything else, and on more than `kMaxBudgets`.
Expected<std::vector<std::int64_t>> parseBudgets(std::string_view text, std::int64_t keepAllPeakBytes);

} // namespace remat
