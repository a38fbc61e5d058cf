// SPDX-License-Identifier: Apache-2.0
#include "core/base/number.h"

#include <array>
#include <cmath>

namespace remat {

std::optional<double> readNumber(std::string_view text)
{
    if (text.size() > 1 && text.front() == '+' && text[1] != '-') text.remove_prefix(1);
    double number = 0;
    const char *end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, number);
    return read.ec == std::errc() && read.ptr == end && std::isfinite(number) ? std::optional(number) : std::nullopt;
}

std::optional<double> readTypedNumber(std::string_view text)
{
    const std::size_t comma = text.find(',');
    if (comma == std::string_view::npos) return readNumber(text);
    if (text.find_first_of(".,", comma + 1) < text.size() || text.find('.') < comma) return std::nullopt;
    const std::string_view before = text.substr(0, comma), after = text.substr(comma + 1);
    const std::size_t first = before.find_first_of("123456789");
    const bool grouped = after.size() == 3 && after.find_first_not_of("0123456789") > after.size() &&
                         first != std::string_view::npos && before.size() - first <= 3;
    if (grouped) return std::nullopt;
    std::string point(text);
    point[comma] = '.';
    return readNumber(point);
}

std::string fixedNumber(double value, int decimals)
{
    std::array<char, 400> text{}; // the largest double has 309 digits
    const auto written =
        std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed, decimals);
    return {text.data(), written.ptr};
}

std::string shortNumber(double value, int digits)
{
    std::array<char, 400> text{};
    const auto written =
        std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::general, digits);
    return {text.data(), written.ptr};
}

} // namespace remat
