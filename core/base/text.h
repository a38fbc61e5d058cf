// Text that came from files, made fit to be shown.
#pragma once

#include <string>
#include <string_view>

namespace remat {

/// The text on one line: a space for every control character (C1 and line separators too), and U+FFFD for every byte
/// that is not UTF-8 and for what turns the direction of writing. For whatever quotes what somebody else wrote.
std::string printable(std::string_view text);

/// The same line by line: line feeds stay.
std::string printableLines(std::string_view text);

/// Text of a JSON document: what `printable()` would replace is written as `\u` and its code, which means the same.
/// Line feeds stay; the text is UTF-8.
std::string printableJson(std::string_view text);

} // namespace remat
