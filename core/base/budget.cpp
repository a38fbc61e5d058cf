// SPDX-License-Identifier: Apache-2.0
#include "core/base/budget.h"

#include "core/base/number.h"
#include "core/base/text.h"
#include "core/base/units.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <fmt/core.h>
#include <optional>
#include <string>

namespace remat {

namespace {

constexpr std::int64_t kTinyPeakBytes = 1000; // up to here a plain 60 can only be bytes: graphs that teach
constexpr double kMostBytes = 9.2e18;

struct Unit {
    std::string_view name;
    double bytes;
};

constexpr std::array<Unit, 11> kUnits{{{"", 1},
                                       {"b", 1},
                                       {"kb", 1e3},
                                       {"mb", 1e6},
                                       {"gb", 1e9},
                                       {"tb", 1e12},
                                       {"kib", 1024.0},
                                       {"mib", 1024.0 * 1024},
                                       {"gib", 1024.0 * 1024 * 1024},
                                       {"tib", 1024.0 * 1024 * 1024 * 1024},
                                       {"bytes", 1}}};

/// A number, whole where it was written and computed as one: 2**53 + 1 is no double.
struct Amount {
    double value = 0;
    std::optional<std::int64_t> whole;
    bool fraction = false; ///< written with a point or a comma, without an exponent
};

std::string_view trimmed(std::string_view text)
{
    const auto space = [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; };
    while (!text.empty() && space(text.front()))
        text.remove_prefix(1);
    while (!text.empty() && space(text.back()))
        text.remove_suffix(1);
    return text;
}

tl::unexpected<Error> badBudget(std::string_view text, const std::string &why)
{
    return fail("The budget \"{}\" {} Write it like 4GiB, 1.5 GB, 123456 (bytes), 60% (of the keep-all "
                "peak) or -500MiB (under it).",
                printable(text.substr(0, 60)), why);
}

tl::unexpected<Error> twoMeanings(std::string_view text, const std::string &one, const std::string &other)
{
    return fail("The budget \"{}\" could mean {} or {}: write the one that you mean.", printable(text.substr(0, 60)),
                one, other);
}

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

/// Takes a number from the front of `rest`: digits with a point, a comma, underscores, an exponent.
std::optional<Amount> takeNumber(std::string_view &rest)
{
    std::size_t end = std::min(rest.find_first_not_of("0123456789.,_"), rest.size());
    std::string digits(rest.substr(0, end));
    if (digits.empty() || !isDigit(digits.front())) return std::nullopt;
    if (end < rest.size() && (rest[end] == 'e' || rest[end] == 'E')) {
        std::size_t last = end + 1;
        if (last < rest.size() && (rest[last] == '+' || rest[last] == '-')) ++last;
        const std::size_t first = last;
        while (last < rest.size() && isDigit(rest[last]))
            ++last;
        if (last > first) {
            digits += rest.substr(end, last - end);
            end = last;
        }
    }
    if (digits.back() == '_' || digits.find("__") != std::string::npos) return std::nullopt;
    std::erase(digits, '_');
    rest = trimmed(rest.substr(end));
    Amount number;
    number.whole = readWhole<std::int64_t>(digits);
    const auto value = readTypedNumber(digits);
    if (!value) return std::nullopt;
    number.value = *value;
    number.fraction =
        digits.find_first_of(".,") != std::string::npos && digits.find_first_of("eE") == std::string::npos;
    return number;
}

Amount product(const Amount &a, const Amount &b)
{
    Amount result{a.value * b.value, std::nullopt, false};
    std::int64_t whole = 0;
    if (a.whole && b.whole && !__builtin_mul_overflow(*a.whole, *b.whole, &whole)) result.whole = whole;
    return result;
}

/// `base` to a whole power up to 1000, as Python's ** gives it.
std::optional<Amount> power(const Amount &base, const Amount &exponent)
{
    if (!exponent.whole || *exponent.whole > 1000) return std::nullopt;
    Amount result{1, 1, false};
    for (std::int64_t i = 0; i < *exponent.whole; ++i)
        result = product(result, base);
    return result;
}

/// Takes `2**30`, `1 << 33` or a plain number.
std::optional<Amount> takeFactor(std::string_view &rest, bool &computed)
{
    auto number = takeNumber(rest);
    if (!number) return std::nullopt;
    const bool raised = rest.starts_with("**"), shifted = rest.starts_with("<<");
    if (!raised && !shifted) return number;
    computed = true;
    rest = trimmed(rest.substr(2));
    const auto exponent = takeNumber(rest);
    if (!exponent) return std::nullopt;
    if (raised) return power(*number, *exponent);
    const auto factor = power(Amount{2, 2, false}, *exponent);
    return factor ? std::optional(product(*number, *factor)) : std::nullopt;
}

Expected<std::int64_t> bytesOf(std::string_view text, const Amount &amount, const Unit &unit)
{
    if (amount.whole && unit.bytes == 1) return *amount.whole;
    const double bytes = std::floor(amount.value * unit.bytes + 1e-6);
    if (!(bytes < kMostBytes)) return badBudget(text, "is too large.");
    return static_cast<std::int64_t>(bytes);
}

Expected<std::int64_t> shareOf(std::string_view text, double share, std::int64_t keepAllPeakBytes)
{
    const double bytes = std::floor(share * static_cast<double>(keepAllPeakBytes) + 1e-6);
    if (!(bytes < kMostBytes)) return badBudget(text, "is too large.");
    return static_cast<std::int64_t>(bytes);
}

/// What stands behind a minus sign, or the whole text; `under` tells which.
Expected<std::int64_t> amountOf(std::string_view text, std::string_view rest, bool under, std::int64_t keepAllPeakBytes)
{
    const std::string_view written = rest;
    bool computed = false;
    auto amount = takeFactor(rest, computed);
    while (amount && rest.starts_with('*')) {
        computed = true;
        rest = trimmed(rest.substr(1));
        const auto factor = takeFactor(rest, computed);
        if (!factor) return badBudget(text, "is a product with a factor that is not a number.");
        amount = product(*amount, *factor);
    }
    if (!amount) {
        if (written.empty() || !isDigit(written.front())) return badBudget(text, "does not start with a number.");
        return badBudget(text, "is not a number with a unit, or one that may be read in two ways.");
    }
    if (rest == "%") {
        if (under || computed) return badBudget(text, "is not a share of the keep-all peak.");
        return shareOf(text, amount->value / 100, keepAllPeakBytes);
    }
    std::string lower(rest);
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); });
    const std::string number(trimmed(written.substr(0, written.size() - rest.size())));
    if (lower.size() == 1 && std::string_view("kmgt").find(lower[0]) != std::string_view::npos) {
        const std::string letter(1, static_cast<char>(std::toupper(static_cast<unsigned char>(lower[0]))));
        return twoMeanings(text, fmt::format("{}{}B (powers of 1000)", number, letter),
                           fmt::format("{}{}iB (powers of 1024)", number, letter));
    }
    const auto *unit = std::find_if(kUnits.begin(), kUnits.end(), [&](const Unit &u) { return u.name == lower; });
    if (unit == kUnits.end()) return badBudget(text, "has a unit that is not known.");
    if (unit->name.empty() && !computed && amount->value > 0) {
        if (amount->fraction && amount->value <= 1) {
            if (under) return badBudget(text, "is not a share of the keep-all peak.");
            return shareOf(text, amount->value, keepAllPeakBytes);
        }
        if (amount->value <= 100 && keepAllPeakBytes > kTinyPeakBytes)
            return twoMeanings(text, number + "GiB", number + "% of the keep-all peak");
    }
    return bytesOf(text, *amount, *unit);
}

} // namespace

Expected<std::int64_t> parseBudget(std::string_view text, std::int64_t keepAllPeakBytes)
{
    std::string_view rest = trimmed(text);
    const bool under = !rest.empty() && rest.front() == '-';
    if (under) rest = trimmed(rest.substr(1));
    const Expected<std::int64_t> amount = amountOf(text, rest, under, keepAllPeakBytes);
    if (!amount) return amount;
    if (under && *amount == 0) return badBudget(text, "is nothing under the keep-all peak.");
    const std::int64_t bytes = under ? keepAllPeakBytes - *amount : *amount;
    if (bytes <= 0) {
        return badBudget(text,
                         under ? fmt::format("leaves nothing: the keep-all peak is {}.", formatBytes(keepAllPeakBytes))
                               : "must be more than nothing.");
    }
    return bytes;
}

} // namespace remat
