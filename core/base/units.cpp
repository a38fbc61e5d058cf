// SPDX-License-Identifier: Apache-2.0
#include "core/base/units.h"

#include "core/base/number.h"

#include <array>
#include <cmath>
#include <fmt/core.h>
#include <limits>

namespace remat {

namespace {

constexpr const char *kNarrowSpace = "\u202f";

Rounding mirrored(Rounding rounding)
{
    if (rounding == Rounding::Up) return Rounding::Down;
    return rounding == Rounding::Down ? Rounding::Up : rounding;
}

double rounded(double value, int decimals, Rounding rounding)
{
    const double scale = std::pow(10.0, decimals);
    const double scaled = value * scale;
    if (rounding == Rounding::Nearest) return std::round(scaled) / scale;
    // A product such as 0.07 * 100 misses the whole number by one unit in the last place; that is not a remainder.
    const double whole = std::round(scaled);
    if (std::abs(scaled - whole) <= 4 * std::numeric_limits<double>::epsilon() * std::abs(scaled)) return whole / scale;
    return (rounding == Rounding::Up ? std::ceil(scaled) : std::floor(scaled)) / scale;
}

/// Three significant digits, at most two decimals; values from 1000 on lose their decimals only.
std::string threeDigits(double value, Rounding rounding)
{
    for (int decimals = 2; decimals > 0; --decimals) {
        const double shown = rounded(value, decimals, rounding);
        if (shown < std::pow(10.0, 3 - decimals)) return fixedNumber(shown, decimals);
    }
    return fixedNumber(rounded(value, 0, rounding), 0);
}

} // namespace

std::string formatBytes(std::int64_t bytes, Rounding rounding)
{
    static constexpr std::array<const char *, 7> names{"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    double value = std::abs(static_cast<double>(bytes));
    if (bytes < 0) rounding = mirrored(rounding);
    std::string text;
    if (value < 1000) {
        text = fixedNumber(value, 0) + " B";
    } else {
        std::size_t unit = 0;
        while (unit + 1 < names.size() && rounded(value, 0, rounding) >= 1000) {
            value /= 1024;
            ++unit;
        }
        text = fmt::format("{} {}", threeDigits(value, rounding), names[unit]);
    }
    return bytes < 0 ? std::string("-") + text : text;
}

std::string formatCount(std::int64_t count)
{
    const std::string digits = std::to_string(count);
    const std::size_t first = count < 0 ? 1 : 0;
    std::string text;
    for (std::size_t i = 0; i < digits.size(); ++i) {
        if (i > first && (digits.size() - i) % 3 == 0) text += ',';
        text += digits[i];
    }
    return text;
}

std::string formatExactBytes(std::int64_t bytes)
{
    return formatCount(bytes) + (bytes == 1 ? " byte" : " bytes");
}

std::string formatTimeUs(double timeUs)
{
    if (!std::isfinite(timeUs)) return "unknown";
    if (timeUs < 0) return std::string("-") + formatTimeUs(-timeUs);
    if (timeUs == 0) return "0 µs";
    if (timeUs < 9.95) return fixedNumber(timeUs, 1) + " µs";
    if (timeUs < 99.5) return fixedNumber(timeUs, 0) + " µs";
    const double ms = timeUs / 1e3;
    if (ms < 999.5) return threeDigits(ms, Rounding::Nearest) + " ms";
    const double seconds = timeUs / 1e6;
    if (seconds < 59.95) return fixedNumber(seconds, 1) + " s";
    const auto padded = [](std::int64_t n) { return std::string(n < 10 ? "0" : "") + std::to_string(n); };
    if (seconds > 1e12) return fixedNumber(seconds, 0) + " s";
    const auto whole = static_cast<std::int64_t>(std::llround(seconds));
    if (whole < 3600) return fmt::format("{} min {} s", whole / 60, padded(whole % 60));
    return fmt::format("{} h {} min", formatCount(whole / 3600), padded(whole / 60 % 60));
}

std::string formatShare(double share, Rounding rounding)
{
    if (!std::isfinite(share)) return "unknown";
    if (share < 0) return std::string("-") + formatShare(-share, mirrored(rounding));
    return fmt::format("{}{}%", threeDigits(share * 100, rounding), kNarrowSpace);
}

} // namespace remat
