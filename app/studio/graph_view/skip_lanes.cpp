#include "app/studio/graph_view/skip_lanes.h"

#include <algorithm>
#include <limits>
#include <map>

namespace remat::studio {

namespace {

struct Span {
    int first = std::numeric_limits<int>::max(), last = -1;
    int source = 0;
    std::vector<int> targets;
};

std::vector<Span> spansBySource(const std::vector<RowEdge> &skips)
{
    std::map<int, Span> bySource;
    for (const auto &[from, to] : skips) {
        Span &span = bySource[from];
        span.source = from;
        span.first = std::min({span.first, from, to});
        span.last = std::max({span.last, from, to});
        span.targets.push_back(to);
    }
    std::vector<Span> spans;
    spans.reserve(bySource.size());
    for (auto &[source, span] : bySource)
        spans.push_back(std::move(span));
    // Short ones inside long ones come later and so get the outer lanes only when the inner ones are taken.
    std::sort(spans.begin(), spans.end(),
              [](const Span &a, const Span &b) { return std::pair(a.first, a.last) < std::pair(b.first, b.last); });
    return spans;
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
    for (const Span &span : spansBySource(skips)) {
        int lane = 0;
        while (lane < kSkipLanes && laneEnd[lane] > span.first)
            ++lane;
        if (lane < kSkipLanes) {
            laneEnd[lane] = span.last;
            for (const int target : span.targets)
                lines.push_back({span.source, target, lane, 0});
            continue;
        }
        if (span.first >= bundleEnd) closeBundle();
        for (const int target : span.targets)
            bundled.emplace_back(span.source, target);
        bundleEnd = std::max(bundleEnd, span.last);
    }
    closeBundle();
    return lines;
}

} // namespace remat::studio
