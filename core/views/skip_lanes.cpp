// SPDX-License-Identifier: Apache-2.0
#include "core/views/skip_lanes.h"

#include <algorithm>
#include <limits>
#include <map>

namespace remat {

namespace {

struct Stretch {
    int first = std::numeric_limits<int>::max(), last = -1;
    int source = 0;
    std::vector<int> targets;
};

std::vector<Stretch> stretchesBySource(const std::vector<RowEdge> &skips)
{
    std::map<int, Stretch> bySource;
    for (const auto &[from, to] : skips) {
        Stretch &stretch = bySource[from];
        stretch.source = from;
        stretch.first = std::min({stretch.first, from, to});
        stretch.last = std::max({stretch.last, from, to});
        stretch.targets.push_back(to);
    }
    std::vector<Stretch> stretches;
    stretches.reserve(bySource.size());
    for (auto &[source, stretch] : bySource)
        stretches.push_back(std::move(stretch));
    // Short ones inside long ones come later and so get the outer lanes only when the inner ones are taken.
    std::sort(stretches.begin(), stretches.end(), [](const Stretch &a, const Stretch &b) {
        return std::pair(a.first, a.last) < std::pair(b.first, b.last);
    });
    return stretches;
}

} // namespace

std::vector<SkipLine> assignLanes(const std::vector<RowEdge> &skips)
{
    std::vector<SkipLine> lines;
    int laneEnd[kSkipLanes];
    std::fill(std::begin(laneEnd), std::end(laneEnd), -1);
    std::vector<RowEdge> bundled;
    int bundleEnd = -1;
    const auto closeBundle = [&] {
        if (bundled.empty()) return;
        const bool down = bundled.front().first < bundled.front().second;
        int first = std::numeric_limits<int>::max(), last = -1;
        for (const auto &[from, to] : bundled) {
            first = std::min({first, from, to});
            last = std::max({last, from, to});
        }
        // A bundle of one is a line of its own.
        const int more = bundled.size() > 1 ? static_cast<int>(bundled.size()) : 0;
        lines.push_back({down ? first : last, down ? last : first, kSkipLanes, more});
        bundled.clear();
    };
    for (const Stretch &stretch : stretchesBySource(skips)) {
        int lane = 0;
        while (lane < kSkipLanes && laneEnd[lane] > stretch.first)
            ++lane;
        if (lane < kSkipLanes) {
            laneEnd[lane] = stretch.last;
            for (const int target : stretch.targets)
                lines.push_back({stretch.source, target, lane, 0});
            continue;
        }
        if (stretch.first >= bundleEnd) closeBundle();
        for (const int target : stretch.targets)
            bundled.emplace_back(stretch.source, target);
        bundleEnd = std::max(bundleEnd, stretch.last);
    }
    closeBundle();
    return lines;
}

} // namespace remat
