// Text that came from files, made fit to be shown.
#pragma once

#include <string>
#include <string_view>

namespace remat {

/// The text without control characters, and with U+FFFD for every byte that is not UTF-8: for sentences that quote what
/// somebody else wrote.
std::string printable(std::string_view text);

} // namespace remat
