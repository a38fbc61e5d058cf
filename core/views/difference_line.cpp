// SPDX-License-Identifier: Apache-2.0
#include "core/views/difference_line.h"

#include <algorithm>
#include <cstdlib>

namespace remat {

std::vector<double> alignedEdges(const MemoryTimeline &timeline, const MemoryTimeline &reference,
                                 const std::vector<double> &referenceEdges)
{
    std::vector<double> firstAt; // per op, -1 where the reference does not compute it
    for (std::size_t i = reference.op.size(); i-- > 0;) {
        firstAt.resize(std::max(firstAt.size(), reference.op[i].index() + 1), -1);
        firstAt[reference.op[i].index()] = referenceEdges[i];
    }
    std::vector<double> edges(timeline.op.size() + 1, 0);
    // From anchor to anchor: first computations whose place is right of the last one's.
    std::size_t from = 0;
    double at = 0;
    const auto spread = [&](std::size_t to, double end) {
        for (std::size_t i = from; i < to; ++i)
            edges[i] = at + (end - at) * static_cast<double>(i - from) / static_cast<double>(to - from);
        from = to;
        at = end;
    };
    for (std::size_t i = 1; i < timeline.op.size(); ++i) {
        const std::size_t op = timeline.op[i].index();
        if (!timeline.recompute[i] && op < firstAt.size() && firstAt[op] > at) spread(i, firstAt[op]);
    }
    const double end = referenceEdges.empty() ? at : std::max(at, referenceEdges.back());
    spread(timeline.op.size(), end);
    edges.back() = end;
    return edges;
}

DifferenceLine differenceOf(const std::vector<double> &edgesA, const std::vector<std::int64_t> &valuesA,
                            const std::vector<double> &edgesB, const std::vector<std::int64_t> &valuesB)
{
    DifferenceLine line;
    line.edges.resize(edgesA.size() + edgesB.size());
    std::merge(edgesA.begin(), edgesA.end(), edgesB.begin(), edgesB.end(), line.edges.begin());
    line.edges.erase(std::unique(line.edges.begin(), line.edges.end()), line.edges.end());
    std::size_t a = 0, b = 0;
    const auto valueAt = [](std::size_t &sample, const std::vector<double> &edges,
                            const std::vector<std::int64_t> &values, double position) {
        std::int64_t passing = 0; // a sample of no width is still a moment
        for (; sample < values.size() && edges[sample + 1] <= position; ++sample)
            if (edges[sample] == position) passing = std::max(passing, values[sample]);
        const bool inside = sample < values.size() && edges[sample] <= position;
        return inside ? std::max(passing, values[sample]) : passing;
    };
    for (std::size_t i = 0; i + 1 < line.edges.size(); ++i) {
        const double position = line.edges[i];
        const std::int64_t value = valueAt(a, edgesA, valuesA, position) - valueAt(b, edgesB, valuesB, position);
        line.values.push_back(value);
        line.largest = std::max(line.largest, std::abs(value));
    }
    return line;
}

} // namespace remat
