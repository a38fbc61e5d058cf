// Tables as CSV: RFC 4180 with line feeds.
#pragma once

#include <string>
#include <vector>

namespace remat {

/// One line with its line feed; fields with commas, quotes or line breaks are quoted.
std::string csvLine(const std::vector<std::string> &fields);

} // namespace remat
