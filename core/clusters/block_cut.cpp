// SPDX-License-Identifier: Apache-2.0
#include "core/clusters/block_cut.h"

#include "core/clusters/structure_hash.h"

#include <algorithm>
#include <deque>
#include <limits>
#include <optional>
#include <unordered_map>

namespace remat {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
/// Ops on each side that make two positions look alike: more than the repeats inside a layer, fewer than a layer.
constexpr std::size_t kContext = 6;
constexpr std::size_t kMaxClasses = 48;
/// What a position outside the preferred class costs more: hardly anything (ties only), and a good deal.
constexpr double kPreferences[] = {1e-6, 0.25};

/// Share by which sums of the same costs may differ.
constexpr double kRounding = 1e-9;

/// Shortest path over positions; an edge is a block of allowed size, a position costs `cost`. O(positions).
std::optional<std::vector<std::size_t>> cheapestCut(const ForwardOrder &order, const std::vector<double> &cost,
                                                    int minOps, int maxOps)
{
    const std::size_t n = order.ops.size();
    std::vector<int> counted(n + 1, 0);
    for (std::size_t i = 0; i < n; ++i)
        counted[i + 1] = counted[i] + order.counts[i];
    std::vector<double> best(n + 1, kInfinity);
    std::vector<std::size_t> from(n + 1, 0);
    best[0] = 0;
    // Starts of blocks that end at `end` run from `first` to before `next`; of them, those that no later one beats.
    std::size_t first = 0, next = 0;
    std::deque<std::size_t> least, nearLeast;
    const auto push = [&](std::deque<std::size_t> &starts, double slack) {
        while (!starts.empty() && best[starts.back()] > best[next] * (1 + slack))
            starts.pop_back();
        starts.push_back(next);
    };
    for (std::size_t end = 1; end <= n; ++end) {
        for (; next < end && counted[end] - counted[next] >= minOps; ++next) {
            if (best[next] == kInfinity) continue;
            push(least, 0);
            push(nearLeast, kRounding);
        }
        while (counted[end] - counted[first] > maxOps)
            ++first;
        for (std::deque<std::size_t> *starts : {&least, &nearLeast})
            while (!starts->empty() && starts->front() < first)
                starts->pop_front();
        if (least.empty()) continue;
        const double own = end < n ? cost[end] : 0;
        best[end] = best[least.front()] + own;
        // The first that costs as much when rounded.
        from[end] = *std::find_if(nearLeast.begin(), nearLeast.end(),
                                  [&](std::size_t start) { return best[start] + own <= best[end]; });
    }
    if (best[n] == kInfinity) return std::nullopt;
    std::vector<std::size_t> ends;
    for (std::size_t end = n; end > 0; end = from[end])
        ends.push_back(end);
    std::reverse(ends.begin(), ends.end());
    return ends;
}

/// Classes of positions with the same ops around them, the ones with the fewest crossing bytes first.
std::vector<std::vector<std::size_t>> alikePositions(const ForwardOrder &order)
{
    const std::size_t n = order.ops.size();
    std::unordered_map<std::uint64_t, std::vector<std::size_t>> byLook;
    for (std::size_t i = kContext; i + kContext <= n; ++i) {
        StructureHash hash;
        for (std::size_t k = i - kContext; k < i + kContext; ++k)
            hash.add(order.looks[k]);
        byLook[hash.value()].push_back(i);
    }
    std::vector<std::vector<std::size_t>> classes;
    for (auto &[look, positions] : byLook)
        if (positions.size() >= 2) classes.push_back(std::move(positions));
    const auto bytes = [&](const std::vector<std::size_t> &positions) {
        return order.crossingBytes[positions.front()];
    };
    std::sort(classes.begin(), classes.end(), [&](const auto &a, const auto &b) {
        return bytes(a) != bytes(b) ? bytes(a) < bytes(b) : a.front() < b.front();
    });
    if (classes.size() > kMaxClasses) classes.resize(kMaxClasses);
    return classes;
}

} // namespace

std::vector<BlockCut> cutCandidates(const ForwardOrder &order, const PartitionSizes &sizes)
{
    const std::size_t n = order.ops.size();
    const int total = static_cast<int>(std::count(order.counts.begin(), order.counts.end(), 1));
    int minOps = std::clamp(sizes.minOps, 1, std::max(total, 1));
    const int maxOps = std::max(sizes.maxOps, minOps);
    if (total < 2 * minOps && total <= maxOps) return {{{n}, 0}};

    std::vector<double> bytes(order.crossingBytes.begin(), order.crossingBytes.end());
    std::optional<std::vector<std::size_t>> plain = cheapestCut(order, bytes, minOps, maxOps);
    while (!plain && minOps > 1) {
        minOps = std::max(minOps / 2, 1);
        plain = cheapestCut(order, bytes, minOps, maxOps);
    }
    if (!plain) return {{{n}, 0}};

    std::vector<BlockCut> cuts;
    const auto add = [&](std::vector<std::size_t> ends) {
        double crossing = 0;
        for (std::size_t j = 0; j + 1 < ends.size(); ++j)
            crossing += bytes[ends[j]];
        cuts.push_back({std::move(ends), crossing});
    };
    add(*std::move(plain));
    for (const std::vector<std::size_t> &alike : alikePositions(order)) {
        for (const double preference : kPreferences) {
            std::vector<double> cost = bytes;
            for (double &c : cost)
                c *= 1 + preference;
            for (const std::size_t position : alike)
                cost[position] = bytes[position];
            add(cheapestCut(order, cost, minOps, maxOps).value_or(std::vector<std::size_t>{n}));
        }
    }
    return cuts;
}

} // namespace remat
