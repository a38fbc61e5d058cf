// SPDX-License-Identifier: Apache-2.0
// Numbers as programs write them, with a point, whatever the locale; and as people type them, with either.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace remat {

/// The whole text as one decimal number: a sign, digits with a point, an exponent. None for anything else, so also for
/// nan, inf, hexadecimal, spaces, what follows a number, and what a double cannot hold.
std::optional<double> readNumber(std::string_view text);

/// What a person typed: as above, or with a decimal comma (`4,5`). None for what may be either, as `1,500` is.
std::optional<double> readTypedNumber(std::string_view text);

/// The whole text as decimal digits, with a sign where `Integer` has one. None for anything else and out of range.
template <class Integer>
std::optional<Integer> readWhole(std::string_view text)
{
    Integer number = 0;
    const char *end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, number);
    return read.ec == std::errc() && read.ptr == end ? std::optional(number) : std::nullopt;
}

/// With `decimals` digits behind the point; "nan" and "inf" as they are.
std::string fixedNumber(double value, int decimals);

/// With so many digits that count, and no more than needed, as printf's %g: `0.25`, `1e-07`.
std::string shortNumber(double value, int digits);

} // namespace remat
