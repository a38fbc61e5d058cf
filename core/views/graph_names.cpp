// SPDX-License-Identifier: Apache-2.0
#include "core/views/graph_names.h"

#include <algorithm>
#include <fmt/core.h>
#include <string_view>

namespace remat {

namespace {

void dropPrefix(std::string &text, std::string_view prefix)
{
    if (text.starts_with(prefix)) text.erase(0, prefix.size());
}

void dropSuffix(std::string &text, std::string_view suffix)
{
    if (text.size() > suffix.size() && text.ends_with(suffix)) text.erase(text.size() - suffix.size());
}

} // namespace

std::string humanKind(const std::string &kind)
{
    std::string text = kind;
    dropPrefix(text, "aten::");
    dropPrefix(text, "_");
    dropPrefix(text, "native_");
    dropSuffix(text, "_for_cpu");
    dropSuffix(text, "_functional");
    dropSuffix(text, "_legit"); // batch norm's way to say that its statistics are arguments
    dropSuffix(text, "_with_indices");
    const bool backward = text.ends_with("_backward");
    if (text.find("dot_product") != std::string::npos && text.find("attention") != std::string::npos)
        text = backward ? "attention backward" : "attention";
    std::replace(text.begin(), text.end(), '_', ' ');
    return text.empty() ? kind : text;
}

std::string backwardName(const std::string &name)
{
    return "∂ " + name;
}

std::string opBaseName(const Op &op)
{
    return op.node ? humanKind(op.kind) : op.name;
}

std::string rangeName(const std::string &first, const std::string &last)
{
    constexpr std::size_t kRoom = 14;
    constexpr std::string_view kTo = " – ";
    // Ranges are joined: where the first begins and the last ends.
    if (const std::size_t to = first.find(kTo); to != std::string::npos) return rangeName(first.substr(0, to), last);
    if (const std::size_t to = last.rfind(kTo); to != std::string::npos)
        return rangeName(first, last.substr(to + kTo.size()));
    const std::size_t dot = first.find_last_of(". ");
    const bool sameList =
        dot != std::string::npos && last.size() > dot && last.compare(0, dot + 1, first, 0, dot + 1) == 0;
    const bool tooLong = first.size() + last.size() > kRoom;
    return fmt::format("{} – {}", first, sameList && tooLong ? last.substr(dot + 1) : last);
}

std::string foldedName(const std::string &outer, const std::string &inner)
{
    return inner.starts_with(outer + ".") ? inner : fmt::format("{}.{}", outer, inner);
}

} // namespace remat
