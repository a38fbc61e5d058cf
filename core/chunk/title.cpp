// SPDX-License-Identifier: Apache-2.0
#include "core/chunk/title.h"

#include "core/base/text.h"

#include <algorithm>
#include <fmt/core.h>
#include <vector>

namespace remat {

namespace {

constexpr const char *kLoss = "loss", *kStep = "step";
/// A head with its loss has fewer nodes, and a step has more.
constexpr std::size_t kFewestOfStep = 60;

struct Kind {
    std::string name;
    int k = 0, count = 0;
};

} // namespace

std::string regionName(const ChunkRegion &region)
{
    const auto isLoss = [](const auto &entry) { return entry.first.starts_with("nll_loss"); };
    if (std::any_of(region.nodes.begin(), region.nodes.end(), isLoss))
        return region.nodes.size() < kFewestOfStep ? kLoss : kStep;
    std::string name = region.nodes.empty() ? std::string() : region.nodes.begin()->first;
    const std::size_t end = name.find_last_not_of("0123456789");
    if (end != std::string::npos && end + 1 < name.size() && name[end] == '_') name.resize(end);
    return printable(shortened(name));
}

std::string chunkingTitle(const Chunking &chunking)
{
    std::vector<Kind> kinds;
    for (const ChunkRegion &region : chunking.regions) {
        const std::string name = regionName(region);
        const auto known = std::find_if(kinds.begin(), kinds.end(),
                                        [&](const Kind &kind) { return kind.name == name && kind.k == region.k; });
        if (known == kinds.end())
            kinds.push_back({name, region.k, 1});
        else
            ++known->count;
    }
    std::string title;
    for (const Kind &kind : kinds) {
        if (!title.empty()) title += ", ";
        if (kind.count > 1) title += std::to_string(kind.count) + " regions like ";
        title +=
            fmt::format("{}{} in {}{}", (kind.name == kLoss || kind.name == kStep) && kind.count == 1 ? "the " : "",
                        kind.name, kind.k, kind.name == kStep ? " micro-batches" : " chunks");
    }
    return title.empty() ? "no chunks" : title;
}

} // namespace remat
