// SPDX-License-Identifier: Apache-2.0
// Text that came from files, made fit to be shown.
#pragma once

#include <string>
#include <string_view>

namespace remat {

/// The text on one line: a space for every control character (C1 and line separators too), and U+FFFD for every byte
/// that is not UTF-8 and for what turns the direction of writing. For whatever quotes what somebody else wrote.
std::string printable(std::string_view text);

/// Longest name that a sentence quotes whole, and longest sentence, in bytes.
constexpr std::size_t kLongestQuote = 120;
constexpr std::size_t kLongestSentence = 1500;

/// The text, or its beginning and its end with `…` between, in at most `most` bytes (at least 8). Never cuts a
/// character of UTF-8 in two.
std::string shortened(std::string_view text, std::size_t most = kLongestQuote);

/// A name from a file, between quotation marks in a sentence: printable and shortened.
std::string quotedName(std::string_view name);

/// The same line by line: line feeds stay.
std::string printableLines(std::string_view text);

/// Text of a JSON document: what `printable()` would replace is written as `\u` and its code, which means the same.
/// Line feeds stay; the text is UTF-8.
std::string printableJson(std::string_view text);

/// In lower case, character by character of UTF-8; bytes that are none stay.
std::string lowerCase(std::string_view text);

/// Bytes of the white space that the text begins with, of its first character only; 0 where it begins with another.
std::size_t leadingSpace(std::string_view text);

} // namespace remat
