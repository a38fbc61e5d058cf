// SPDX-License-Identifier: Apache-2.0
// What remat-layout answers, read as if anybody had written it.
#pragma once

#include "core/base/expected.h"
#include "core/views/row_order.h"

#include <cstdint>
#include <string_view>

namespace remat {

struct RowAnswer {
    std::int64_t number = -1;   ///< number of the question
    std::vector<RowRank> ranks; ///< rank of each of its rows; empty for another question than the one asked about
};

/// Reads one line. `rows` are those of question `number`. Fails with what the layout program says went wrong, or with
/// what is wrong with the line. O(line).
Expected<RowAnswer> readRowAnswer(std::string_view line, std::int64_t number, int rows);

} // namespace remat
