// SPDX-License-Identifier: Apache-2.0
#include "app/cli/number_option.h"

#include "core/base/number.h"
#include "core/base/text.h"

#include <fmt/core.h>
#include <limits>
#include <optional>
#include <type_traits>

namespace remat::cli {

namespace {

template <class Number>
std::optional<Number> read(const std::string &text)
{
    if constexpr (std::is_floating_point_v<Number>)
        return readTypedNumber(text);
    else
        return readWhole<Number>(text);
}

std::string shown(double number)
{
    std::string text = fixedNumber(number, 3);
    text.resize(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
    return text;
}

template <class Number>
std::string shown(Number number)
{
    return std::to_string(number);
}

/// CLI11's own conversions take nan, infinity, hexadecimal and octal numbers, and follow the locale.
template <class Number>
CLI::Option *add(CLI::App &command, const std::string &flag, Number &value, Number least, Number most,
                 const std::string &text)
{
    const std::string range = (std::is_floating_point_v<Number> ? "a number from " : "a whole number from ") +
                              shown(least) + " to " + shown(most);
    const auto take = [&value, flag, least, most, range](const CLI::results_t &given) {
        const std::optional<Number> number = read<Number>(given.back());
        if (!number || *number < least || *number > most)
            throw CLI::ValidationError(fmt::format("{} takes {}, not \"{}\"", flag, range, printable(given.back())));
        value = *number;
        return true;
    };
    return command.add_option(flag, take, text)
        ->type_name(std::is_floating_point_v<Number> ? "NUMBER" : "INT")
        ->type_size(1)
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
}

} // namespace

CLI::Option *addNumber(CLI::App &command, const std::string &flag, double &value, double least, double most,
                       const std::string &text)
{
    return add(command, flag, value, least, most, text)->default_str(shown(value));
}

CLI::Option *addWhole(CLI::App &command, const std::string &flag, int &value, int least, int most,
                      const std::string &text)
{
    return add(command, flag, value, least, most, text);
}

CLI::Option *addWhole(CLI::App &command, const std::string &flag, std::int64_t &value, std::int64_t least,
                      std::int64_t most, const std::string &text)
{
    return add(command, flag, value, least, most, text);
}

CLI::Option *addSeed(CLI::App &command, const std::string &flag, std::uint64_t &value, const std::string &text)
{
    return add(command, flag, value, std::uint64_t(0), std::numeric_limits<std::uint64_t>::max(), text)
        ->default_str(shown(value));
}

} // namespace remat::cli
