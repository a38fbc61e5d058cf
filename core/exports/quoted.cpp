// SPDX-License-Identifier: Apache-2.0
#include "core/exports/quoted.h"

#include "core/base/text.h"

#include <algorithm>

namespace remat {

namespace {

std::string replacedAll(std::string_view text, std::string_view marks, std::string_view before)
{
    std::string result;
    for (const char c : text) {
        if (marks.find(c) != std::string_view::npos) result += before;
        result += c;
    }
    return result;
}

} // namespace

std::string pythonQuoted(std::string_view text)
{
    // What is left to escape after quotation marks and backslashes is written as in JSON, which Python reads the same.
    std::string result = "\"";
    const std::string escaped = printableJson(replacedAll(text, "\"\\", "\\"));
    for (const char c : escaped)
        result += c == '\n' ? std::string("\\n") : std::string(1, c);
    return result += '"';
}

std::string inDocstring(std::string_view text)
{
    return replacedAll(printable(text), "\"\\", "\\");
}

std::string dotQuoted(std::string_view text)
{
    std::string result = "\"";
    for (const char c : replacedAll(printableLines(text), "\"\\", "\\")) {
        if (c == '\n')
            result += "\\n";
        else if (c == '&') // Graphviz reads entities of HTML
            result += "&amp;";
        else
            result += c;
    }
    return result += '"';
}

std::string shellQuoted(std::string_view text)
{
    const std::string word = printable(text);
    const auto plain = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               std::string_view("_./:=,%+-").find(c) != std::string_view::npos;
    };
    if (!word.empty() && std::all_of(word.begin(), word.end(), plain)) return word;
    std::string result = "'";
    for (const char c : word)
        result += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return result += '\'';
}

} // namespace remat
