// SPDX-License-Identifier: Apache-2.0
#include "core/addresses/layout.h"

#include <algorithm>
#include <fmt/core.h>
#include <map>
#include <tuple>

namespace remat {

std::optional<std::string> layoutFault(const std::vector<MemoryInstance> &instances, const MemoryLayout &layout)
{
    if (layout.offsets.size() != instances.size())
        return fmt::format("The layout has {} offsets for {} instances.", layout.offsets.size(), instances.size());
    // What begins and ends, in the order of time; ends first.
    std::vector<std::tuple<std::int32_t, bool, std::size_t>> events;
    std::int64_t height = 0;
    for (std::size_t i = 0; i < instances.size(); ++i) {
        if (layout.offsets[i] < 0)
            return fmt::format("Instance {} lies at {}, which is no address.", i, layout.offsets[i]);
        height = std::max(height, layout.offsets[i] + instances[i].bytes);
        if (instances[i].bytes == 0) continue;
        events.emplace_back(instances[i].firstStep, true, i);
        events.emplace_back(instances[i].endStep, false, i);
    }
    std::sort(events.begin(), events.end());
    std::map<std::int64_t, std::size_t> taken; // begin of what lives now, which overlaps nothing
    for (const auto &[step, begins, index] : events) {
        const std::int64_t from = layout.offsets[index], to = from + instances[index].bytes;
        if (!begins) {
            taken.erase(from);
            continue;
        }
        const auto next = taken.lower_bound(from);
        const bool above = next != taken.end() && next->first < to;
        const bool below =
            next != taken.begin() && std::prev(next)->first + instances[std::prev(next)->second].bytes > from;
        if (above || below)
            return fmt::format("Instances {} and {} share an address at step {}.",
                               above ? next->second : std::prev(next)->second, index, step);
        taken.emplace(from, index);
    }
    if (height != layout.heightBytes)
        return fmt::format("The layout says that it is {} bytes high; it is {}.", layout.heightBytes, height);
    return std::nullopt;
}

} // namespace remat
