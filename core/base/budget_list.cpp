// SPDX-License-Identifier: Apache-2.0
#include "core/base/budget_list.h"

#include "core/base/budget.h"
#include "core/base/number.h"
#include "core/base/text.h"
#include "core/base/units.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <fmt/core.h>
#include <functional>
#include <string>

namespace remat {

namespace {

/// The parts between separators, without spaces around them.
std::vector<std::string_view> split(std::string_view text, char separator)
{
    std::vector<std::string_view> parts;
    while (true) {
        const std::size_t end = std::min(text.find(separator), text.size());
        std::string_view part = text.substr(0, end);
        while (!part.empty() && std::isspace(static_cast<unsigned char>(part.front())) != 0)
            part.remove_prefix(1);
        while (!part.empty() && std::isspace(static_cast<unsigned char>(part.back())) != 0)
            part.remove_suffix(1);
        parts.push_back(part);
        if (end == text.size()) return parts;
        text.remove_prefix(end + 1);
    }
}

tl::unexpected<Error> badRange(std::string_view text, const std::string &why)
{
    return fail("The budgets \"{}\" {} Write a range like 90%:20%:-10 or 8GiB:2GiB:-1GiB, or a list like 80%,60%,4GiB.",
                printable(text.substr(0, 60)), why);
}

tl::unexpected<Error> tooMany(std::string_view text)
{
    return badRange(text, fmt::format("are more than {}.", formatCount(static_cast<std::int64_t>(kMaxBudgets))));
}

bool isShare(std::string_view part)
{
    return !part.empty() && part.back() == '%';
}

/// A number that may carry a sign and a % at its end.
bool readPercent(std::string_view part, double &percent)
{
    if (isShare(part)) part.remove_suffix(1);
    const auto number = readTypedNumber(part);
    percent = number.value_or(0);
    return number.has_value();
}

Expected<std::vector<std::int64_t>> shareRange(std::string_view text, const std::vector<std::string_view> &parts,
                                               std::int64_t keepAllPeakBytes)
{
    double first = 0, last = 0, step = 0;
    if (!isShare(parts[1]) || !readPercent(parts[0], first) || !readPercent(parts[1], last))
        return badRange(text, "start with a share, so they must end with one.");
    if (!readPercent(parts[2], step)) return badRange(text, "have a step that is not in percent.");
    if (step == 0 || (last - first) * step < 0) return badRange(text, "have a step that does not lead to their end.");
    const double steps = std::floor((last - first) / step + 1e-9);
    if (!(steps < static_cast<double>(kMaxBudgets))) return tooMany(text);
    std::vector<std::int64_t> budgets;
    for (int i = 0; i <= static_cast<int>(steps); ++i) {
        Expected<std::int64_t> budget = parseBudget(fixedNumber(first + i * step, 9) + '%', keepAllPeakBytes);
        if (!budget) return tl::unexpected(budget.error());
        budgets.push_back(*budget);
    }
    return budgets;
}

Expected<std::vector<std::int64_t>> sizeRange(std::string_view text, const std::vector<std::string_view> &parts,
                                              std::int64_t keepAllPeakBytes)
{
    if (isShare(parts[1]) || isShare(parts[2])) return badRange(text, "mix sizes and shares.");
    const Expected<std::int64_t> first = parseBudget(parts[0], keepAllPeakBytes);
    if (!first) return tl::unexpected(first.error());
    const Expected<std::int64_t> last = parseBudget(parts[1], keepAllPeakBytes);
    if (!last) return tl::unexpected(last.error());
    const bool down = !parts[2].empty() && parts[2].front() == '-';
    const Expected<std::int64_t> step = parseBudget(parts[2].substr(down ? 1 : 0), 0);
    if (!step) return badRange(text, "have a step that is not a size.");
    if (*first != *last && (*last < *first) != down)
        return badRange(text, "have a step that does not lead to their end.");
    const std::int64_t steps = std::abs(*last - *first) / *step;
    if (steps >= static_cast<std::int64_t>(kMaxBudgets)) return tooMany(text);
    std::vector<std::int64_t> budgets;
    for (std::int64_t i = 0; i <= steps; ++i)
        budgets.push_back(*first + (down ? -i : i) * *step);
    return budgets;
}

} // namespace

Expected<std::vector<std::int64_t>> parseBudgets(std::string_view text, std::int64_t keepAllPeakBytes)
{
    Expected<std::vector<std::int64_t>> budgets;
    if (text.find(':') != std::string_view::npos) {
        const std::vector<std::string_view> parts = split(text, ':');
        if (parts.size() != 3) return badRange(text, "are not a range of three parts.");
        budgets =
            isShare(parts[0]) ? shareRange(text, parts, keepAllPeakBytes) : sizeRange(text, parts, keepAllPeakBytes);
        if (!budgets) return budgets;
    } else {
        const bool semicolons = text.find(';') != std::string_view::npos; // leave commas to numbers
        const std::vector<std::string_view> parts = split(text, semicolons ? ';' : ',');
        if (parts.size() > kMaxBudgets) return tooMany(text);
        for (const std::string_view part : parts) {
            const Expected<std::int64_t> budget = parseBudget(part, keepAllPeakBytes);
            if (!budget) return tl::unexpected(budget.error());
            budgets->push_back(*budget);
        }
    }
    std::sort(budgets->begin(), budgets->end(), std::greater<>());
    budgets->erase(std::unique(budgets->begin(), budgets->end()), budgets->end());
    return budgets;
}

} // namespace remat
