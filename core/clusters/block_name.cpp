// SPDX-License-Identifier: Apache-2.0
#include "core/clusters/block_name.h"

#include <algorithm>
#include <cctype>
#include <fmt/core.h>

namespace remat {

namespace {

/// `transformer.h.2.attn` is `h.2`, `transformer.wte` is `wte`.
std::string shortModule(const std::string &path)
{
    std::string last;
    for (std::size_t begin = 0; begin <= path.size();) {
        const std::size_t end = std::min(path.find('.', begin), path.size());
        const std::string part = path.substr(begin, end - begin);
        const bool number = !part.empty() &&
                            std::all_of(part.begin(), part.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
        if (number) return last.empty() ? part : fmt::format("{}.{}", last, part);
        if (!part.empty()) last = part;
        begin = end + 1;
    }
    return last;
}

} // namespace

std::string blockName(const Graph &graph, const std::vector<OpId> &ops, const std::string &otherwise)
{
    std::string first, last;
    for (const OpId op : ops) {
        const std::string &module = graph.op(op).module;
        if (module.empty()) continue;
        last = shortModule(module);
        if (first.empty()) first = last;
    }
    if (first.empty()) return otherwise;
    if (first == last) return first;
    const bool apart = static_cast<std::size_t>(ops.back().index() - ops.front().index()) >= ops.size();
    return first + (apart ? " + " : " – ") + last;
}

} // namespace remat
