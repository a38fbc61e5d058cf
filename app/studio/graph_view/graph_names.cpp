#include "app/studio/graph_view/graph_names.h"

#include <algorithm>
#include <string_view>

namespace remat::studio {

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

std::string foldedName(const std::string &outer, const std::string &inner)
{
    return inner.starts_with(outer + ".") ? inner : outer + "." + inner;
}

} // namespace remat::studio
