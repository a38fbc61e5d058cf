// SPDX-License-Identifier: Apache-2.0
#include "core/io/csv.h"

#include "core/base/text.h"

#include <algorithm>

namespace remat {

namespace {

constexpr const char *kNarrowSpace = "\u202f";

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

/// A sign and a number, perhaps with a unit: nothing in it can call or refer to anything.
bool isSignedAmount(std::string_view text)
{
    if (text.size() < 2 || (text[0] != '-' && text[0] != '+') || !isDigit(text[1])) return false;
    text.remove_prefix(1);
    while (!text.empty()) {
        const bool letter = (text[0] >= 'a' && text[0] <= 'z') || (text[0] >= 'A' && text[0] <= 'Z');
        const bool fits = letter || isDigit(text[0]) || text[0] == '.' || text[0] == ' ' || text[0] == '%';
        const std::size_t length = fits ? 1 : text.substr(0, 2) == "µ" ? 2 : text.substr(0, 3) == kNarrowSpace ? 3 : 0;
        if (length == 0) return false;
        text.remove_prefix(length);
    }
    return true;
}

bool isFormula(std::string_view text)
{
    // The full-width forms of the four signs count as well.
    for (const std::string_view sign : {"=", "+", "-", "@", "＝", "＋", "－", "＠"})
        if (text.substr(0, sign.size()) == sign) return !isSignedAmount(text);
    return false;
}

} // namespace

std::string plainCell(std::string_view text)
{
    std::string cell = printable(text);
    if (isFormula(std::string_view(cell).substr(std::min(cell.find_first_not_of(' '), cell.size()))))
        cell.insert(0, 1, '\'');
    return cell;
}

std::string csvField(std::string_view text)
{
    const std::string field = plainCell(text);
    if (field.find_first_of(",;\"") == std::string::npos) return field;
    std::string quoted = "\"";
    for (const char c : field) {
        if (c == '"') quoted += '"';
        quoted += c;
    }
    return quoted += '"';
}

std::string csvLine(const std::vector<std::string> &fields)
{
    std::string line;
    for (const std::string &field : fields) {
        if (&field != fields.data()) line += ',';
        line += csvField(field);
    }
    line += '\n';
    return line;
}

} // namespace remat
