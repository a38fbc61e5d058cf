#include "core/exports/python_literals.h"

#include "core/exports/quoted.h"

#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <set>

namespace remat::python {

namespace {

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
    std::string operator()(const std::string &value) const { return quoted(value); }
    std::string operator()(const std::vector<std::int64_t> &values) const
    {
        return list(values, [](std::int64_t value) { return std::to_string(value); });
    }
    std::string operator()(const std::vector<double> &values) const { return list(values, number); }
    std::string operator()(const std::vector<bool> &values) const
    {
        return list(values, [](bool value) { return std::string(value ? "True" : "False"); });
    }
    std::string operator()(const std::vector<std::string> &values) const { return list(values, quoted); }
    std::string operator()(DType type) const { return dtype(type); }
    std::string operator()(const LayoutArg &value) const { return layout(value.name); }
    std::string operator()(const MemoryFormatArg &value) const { return memoryFormat(value.name); }
    std::string operator()(const DeviceArg &) const { return "device"; }
};

} // namespace

std::string identifier(const std::string &name)
{
    static const std::set<std::string> kTaken = {
        "False",    "None",   "True",  "and",  "as",     "assert",   "async",   "await",  "break", "class",
        "continue", "def",    "del",   "elif", "else",   "except",   "finally", "for",    "from",  "global",
        "if",       "import", "in",    "is",   "lambda", "nonlocal", "not",     "or",     "pass",  "raise",
        "return",   "try",    "while", "with", "yield",  "torch",    "inputs",  "device", "seed",  "draw"};
    std::string text;
    for (const char c : name) {
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
        const bool digit = c >= '0' && c <= '9';
        text += letter || digit ? c : '_';
    }
    if (text.empty() || (text.front() >= '0' && text.front() <= '9')) text.insert(0, "v_");
    if (kTaken.contains(text)) text += '_';
    return text;
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
