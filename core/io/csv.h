// SPDX-License-Identifier: Apache-2.0
// Tables as CSV: RFC 4180 with line feeds.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace remat {

/// A cell of a spreadsheet: the text on one line. What would be taken for a formula (it begins with = + - @) stands
/// behind an apostrophe; amounts such as -5 and +1.2 MiB stay.
std::string plainCell(std::string_view text);

/// A cell in quotes (doubled inside) where a separator asks for them.
std::string csvField(std::string_view text);

/// One line with its line feed.
std::string csvLine(const std::vector<std::string> &fields);

} // namespace remat
