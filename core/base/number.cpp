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

std::string fixedNumber(double value, int decimals)
{
    std::array<char, 400> text{}; // the largest double has 309 digits
    const auto written =
        std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed, decimals);
    return {text.data(), written.ptr};
}

} // namespace remat
