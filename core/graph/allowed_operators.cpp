// SPDX-License-Identifier: Apache-2.0
#include "core/graph/allowed_operators.h"

#include <algorithm>
#include <array>
#include <fmt/core.h>

namespace remat {
namespace {

struct AllowedOperator {
    std::string_view name;
    std::string_view overloads; ///< with spaces between them
};

// Sorted by name.
constexpr std::array kAllowed = {
#define REMAT_ALLOWED(name, overloads) AllowedOperator{name, overloads},
#include "core/graph/allowed_operators.inc"
#undef REMAT_ALLOWED
};

/// True when `word` is one of the words of `list`.
bool holds(std::string_view list, std::string_view word)
{
    while (!list.empty()) {
        const std::size_t end = std::min(list.find(' '), list.size());
        if (list.substr(0, end) == word) return true;
        list.remove_prefix(std::min(end + 1, list.size()));
    }
    return false;
}

} // namespace

bool isAllowedOperator(std::string_view opName, std::string_view overload)
{
    const auto *const place =
        std::lower_bound(kAllowed.begin(), kAllowed.end(), opName,
                         [](const AllowedOperator &allowed, std::string_view name) { return allowed.name < name; });
    return place != kAllowed.end() && place->name == opName &&
           holds(place->overloads, overload.empty() ? "default" : overload);
}

std::string operatorText(const Node &node)
{
    return node.overload.empty() ? node.opName : fmt::format("{}.{}", node.opName, node.overload);
}

Expected<void> checkOperators(const Program &program)
{
    for (const Node &node : program.nodes)
        if (!isAllowedOperator(node.opName, node.overload))
            return fail("Op {} calls {}, which is not on the list of operators that a trace may run: those of LibTorch "
                        "itself that compute on tensors and do nothing else. Nothing was run. Operators of extensions, "
                        "such as torchvision's, are not among them; trace a model that does without.",
                        node.name, operatorText(node));
    return {};
}

} // namespace remat
