// SPDX-License-Identifier: Apache-2.0
#include "core/exports/python_literals.h"

#include "core/exports/quoted.h"
#include "core/graph/allowed_operators.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fmt/core.h>
#include <map>
#include <set>

namespace remat::python {

namespace {

bool isLetter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

template <class Range, class Write>
std::string list(const Range &range, Write write)
{
    std::string text = "[";
    for (const auto &each : range) {
        if (text.size() > 1) text += ", ";
        text += write(each);
    }
    return text + "]";
}

std::string layout(const std::string &name)
{
    static const std::map<std::string, std::string> kNames = {
        {"Strided", "torch.strided"},      {"SparseCoo", "torch.sparse_coo"}, {"SparseCsr", "torch.sparse_csr"},
        {"SparseCsc", "torch.sparse_csc"}, {"SparseBsr", "torch.sparse_bsr"}, {"SparseBsc", "torch.sparse_bsc"},
        {"_mkldnn", "torch._mkldnn"}};
    const auto found = kNames.find(name);
    return found == kNames.end() ? std::string("torch.strided") : found->second;
}

std::string memoryFormat(const std::string &name)
{
    static const std::map<std::string, std::string> kNames = {{"ContiguousFormat", "torch.contiguous_format"},
                                                              {"ChannelsLast", "torch.channels_last"},
                                                              {"ChannelsLast3d", "torch.channels_last_3d"},
                                                              {"PreserveFormat", "torch.preserve_format"}};
    const auto found = kNames.find(name);
    return found == kNames.end() ? std::string("torch.preserve_format") : found->second;
}

struct Writer {
    std::string operator()(const NoneArg &) const { return "None"; }
    std::string operator()(const ValueId &) const { return "None"; }
    std::string operator()(const std::vector<ValueId> &) const { return "None"; }
    std::string operator()(std::int64_t value) const { return std::to_string(value); }
    std::string operator()(double value) const { return number(value); }
    std::string operator()(bool value) const { return value ? "True" : "False"; }
    std::string operator()(const std::string &value) const { return pythonQuoted(value); }
    std::string operator()(const std::vector<std::int64_t> &values) const
    {
        return list(values, [](std::int64_t value) { return std::to_string(value); });
    }
    std::string operator()(const std::vector<double> &values) const { return list(values, number); }
    std::string operator()(const std::vector<bool> &values) const
    {
        return list(values, [](bool value) { return std::string(value ? "True" : "False"); });
    }
    std::string operator()(const std::vector<std::string> &values) const { return list(values, pythonQuoted); }
    std::string operator()(DType type) const { return dtype(type); }
    std::string operator()(const LayoutArg &value) const { return layout(value.name); }
    std::string operator()(const MemoryFormatArg &value) const { return memoryFormat(value.name); }
    std::string operator()(const DeviceArg &) const { return "device"; }
};

} // namespace

bool isName(std::string_view text)
{
    static const std::set<std::string_view> kWords = {
        "False", "None",     "True",  "and",    "as",   "assert", "async",  "await",    "break",
        "class", "continue", "def",   "del",    "elif", "else",   "except", "finally",  "for",
        "from",  "global",   "if",    "import", "in",   "is",     "lambda", "nonlocal", "not",
        "or",    "pass",     "raise", "return", "try",  "while",  "with",   "yield",    "__debug__"};
    if (text.empty() || isDigit(text.front()) || kWords.contains(text)) return false;
    return std::all_of(text.begin(), text.end(), [](char c) { return isLetter(c) || isDigit(c); });
}

std::string identifier(const std::string &name)
{
    // What the code around it reads.
    static const std::set<std::string_view> kTaken = {"torch", "inputs", "device", "seed", "draw", "float"};
    std::string text;
    for (const char c : name)
        text += isLetter(c) || isDigit(c) ? c : '_';
    if (text.empty() || isDigit(text.front())) text.insert(0, "v_");
    if (!isName(text) || kTaken.contains(text)) text += '_';
    return text;
}

std::optional<std::string> operatorName(const std::string &opName, const std::string &overload)
{
    const std::size_t colons = opName.find("::");
    if (colons == std::string::npos) return std::nullopt;
    const std::string space = opName.substr(0, colons), name = opName.substr(colons + 2);
    // Names with two underscores in front are Python's own (`__call__`), but for operators that are on the list.
    const auto isPlain = [](std::string_view text) { return isName(text) && text.substr(0, 2) != "__"; };
    const bool collective = space == "_c10d_functional" && isPlain(name) && (overload.empty() || isPlain(overload));
    const bool spelt = isName(name) && (overload.empty() || isName(overload)); // `from` is a word of Python
    if (!collective && !(spelt && isAllowedOperator(opName, overload))) return std::nullopt;
    return fmt::format("torch.ops.{}.{}.{}", space, name, overload.empty() ? "default" : overload);
}

std::string number(double value)
{
    if (std::isnan(value)) return "float(\"nan\")";
    if (std::isinf(value)) return value < 0 ? "float(\"-inf\")" : "float(\"inf\")";
    std::array<char, 40> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
    std::string result(text.data(), end);
    if (result.find_first_of(".e") == std::string::npos) result += ".0";
    return result;
}

std::string tuple(const std::vector<std::int64_t> &values)
{
    std::string text = "(";
    for (const std::int64_t value : values)
        text += std::to_string(value) + ", ";
    if (values.size() > 1) text.resize(text.size() - 2);
    if (values.size() == 1) text.resize(text.size() - 1);
    return text + ")";
}

std::string dtype(DType type)
{
    return std::string("torch.") + longName(type);
}

std::string literal(const Argument &argument)
{
    return std::visit(Writer(), argument);
}

} // namespace remat::python
