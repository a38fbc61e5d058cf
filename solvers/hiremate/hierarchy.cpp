// SPDX-License-Identifier: Apache-2.0
#include "solvers/hiremate/hierarchy.h"

#include "solvers/hiremate/partition/partition.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <string>

namespace remat::hiremate {

namespace {

/// How much more than the fewest possible bytes may cross between groups for the sake of groups that are alike.
constexpr double kCrossingTolerance = 1.25;

/// Levels of a graph with too many blocks for one chain. Two leave either many clusters at the top or large ones below
/// it.
constexpr int kLeastLevels = 3;

/// Groups by where each ends.
using Ends = std::vector<std::size_t>;

/// Even groups of `size` after `start` neighbours; what is left over at an end goes with its neighbour where that stays
/// allowed, and alone otherwise.
Ends evenEnds(std::size_t count, std::size_t size, std::size_t start, const FanOut &fanOut)
{
    const auto most = static_cast<std::size_t>(fanOut.most);
    Ends ends;
    if (start > 0 && start + size > most) ends.push_back(start);
    for (std::size_t end = start + size; end < count; end += size)
        ends.push_back(end);
    const std::size_t before = ends.size() < 2 ? 0 : ends[ends.size() - 2];
    if (!ends.empty() && count - before <= most) ends.pop_back();
    ends.push_back(count);
    return ends;
}

/// Groups of allowed size between which the fewest bytes cross; empty when there are none.
Ends cheapestEnds(const std::vector<double> &crossingBytes, std::size_t count, const FanOut &fanOut)
{
    std::vector<double> best(count + 1, std::numeric_limits<double>::infinity());
    std::vector<std::size_t> from(count + 1, 0);
    best[0] = 0;
    for (std::size_t end = static_cast<std::size_t>(fanOut.least); end <= count; ++end) {
        const std::size_t most = std::min(end, static_cast<std::size_t>(fanOut.most));
        for (std::size_t size = static_cast<std::size_t>(fanOut.least); size <= most; ++size) {
            const double bytes = best[end - size] + (end < count ? crossingBytes[end - 1] : 0);
            if (bytes >= best[end]) continue;
            best[end] = bytes;
            from[end] = end - size;
        }
    }
    Ends ends;
    if (best[count] == std::numeric_limits<double>::infinity()) return ends;
    for (std::size_t end = count; end > 0; end = from[end])
        ends.push_back(end);
    std::reverse(ends.begin(), ends.end());
    return ends;
}

/// What crosses a border on average: fewer groups are not better for having fewer borders.
double bytesBetween(const Ends &ends, const std::vector<double> &crossingBytes)
{
    double bytes = 0;
    for (std::size_t g = 0; g + 1 < ends.size(); ++g)
        bytes += crossingBytes[ends[g] - 1];
    return bytes / static_cast<double>(std::max<std::size_t>(ends.size(), 2) - 1);
}

std::size_t distinctGroups(const Ends &ends, const std::vector<int> &looks)
{
    std::set<std::vector<int>> groups;
    std::size_t begin = 0;
    for (const std::size_t end : ends) {
        groups.emplace(looks.begin() + static_cast<std::ptrdiff_t>(begin),
                       looks.begin() + static_cast<std::ptrdiff_t>(end));
        begin = end;
    }
    return groups.size();
}

/// Per op the group of its block.
std::vector<int> labelsOf(const std::vector<int> &blockOfOp, const std::vector<int> &groupOfBlock)
{
    std::vector<int> labels(blockOfOp.size());
    std::transform(blockOfOp.begin(), blockOfOp.end(), labels.begin(), [&](int block) { return groupOfBlock[block]; });
    return labels;
}

/// Such that `count` blocks are under about as many clusters on every one of `levels` levels.
FanOut evenFanOut(std::size_t count, int levels)
{
    const int fan = std::max(2, static_cast<int>(std::lround(std::pow(static_cast<double>(count), 1.0 / levels))));
    return {std::max(2, fan - 1), fan + 1};
}

/// How many levels `count` blocks need.
int levelsFor(std::size_t count)
{
    if (count <= kMostAtOnce) return 1;
    const double levels = std::log(static_cast<double>(count)) / std::log(static_cast<double>(FanOut().most));
    return std::max(kLeastLevels, static_cast<int>(std::ceil(levels)));
}

/// Neighbours go together.
std::vector<int> groupIntervals(const FlatGraph &flat, const OpLine &line, const std::vector<int> &labels,
                                std::int64_t keepAllPeakBytes, const FanOut &fanOut)
{
    const Chain chain = makeChain(flat, labels, keepAllPeakBytes);
    const std::size_t count = chain.blocks.size();
    std::vector<int> looks;
    std::vector<double> crossingBytes;
    looks.reserve(count);
    crossingBytes.reserve(count);
    for (std::size_t k = 0; k < count; ++k) {
        looks.push_back(chain.blocks[k].representative);
        if (k + 1 < count) crossingBytes.push_back(line.crossingBytes(chain.blocks[k].forwardEnd));
    }
    return labelsOf(labels, groupNeighbours(looks, crossingBytes, fanOut));
}

/// Sub-graphs grow on, to as many ops as that many of the largest have.
std::vector<int> groupSubgraphs(const OpLine &line, const std::vector<int> &labels, const FanOut &fanOut)
{
    std::vector<int> sizes(1 + *std::max_element(labels.begin(), labels.end()), 0);
    for (int op = 0; op < line.end(); ++op)
        sizes[labels[op]] += line.size(op, op + 1);
    return growSubgraphs(line, labels, fanOut.most * *std::max_element(sizes.begin(), sizes.end()));
}

/// Labels of all levels, the coarsest first.
std::vector<std::vector<int>> allLabels(const FlatGraph &flat, const std::vector<int> &blockOfOp,
                                        std::int64_t keepAllPeakBytes, int levels)
{
    const OpLine line(flat);
    const bool intervals = std::is_sorted(blockOfOp.begin(), blockOfOp.begin() + flat.forwardOps);
    const auto blocks = static_cast<std::size_t>(1 + *std::max_element(blockOfOp.begin(), blockOfOp.end()));
    if (levels == 0) levels = levelsFor(blocks);
    const FanOut fanOut = evenFanOut(blocks, levels);
    std::vector<std::vector<int>> labels = {blockOfOp};
    while (static_cast<int>(labels.size()) < levels) {
        const std::vector<int> &finer = labels.back();
        std::vector<int> groups = intervals ? groupIntervals(flat, line, finer, keepAllPeakBytes, fanOut)
                                            : groupSubgraphs(line, finer, fanOut);
        const int last = *std::max_element(groups.begin(), groups.end());
        if (last == *std::max_element(finer.begin(), finer.end()) || last == 0) break;
        labels.push_back(std::move(groups));
    }
    std::reverse(labels.begin(), labels.end());
    return labels;
}

/// The labels of one block's ops, from 0 in the order of their first ops; −1 for all others.
std::vector<int> labelsInside(const std::vector<int> &labels, const Block &block)
{
    std::vector<int> inside(labels.size(), -1);
    std::map<int, int> number;
    for (const int op : block.members)
        inside[op] = number.try_emplace(labels[op], static_cast<int>(number.size())).first->second;
    return inside;
}

} // namespace

std::vector<int> groupNeighbours(const std::vector<int> &looks, const std::vector<double> &crossingBytes,
                                 const FanOut &fanOut)
{
    const std::size_t count = looks.size();
    std::vector<Ends> candidates;
    if (Ends cheapest = cheapestEnds(crossingBytes, count, fanOut); !cheapest.empty())
        candidates.push_back(std::move(cheapest));
    for (int size = fanOut.least; size <= fanOut.most; ++size)
        for (int start = 0; start < size; ++start)
            candidates.push_back(
                evenEnds(count, static_cast<std::size_t>(size), static_cast<std::size_t>(start), fanOut));
    double fewest = std::numeric_limits<double>::infinity();
    for (const Ends &ends : candidates)
        fewest = std::min(fewest, bytesBetween(ends, crossingBytes));
    const Ends *best = nullptr;
    std::size_t bestDistinct = 0;
    for (const Ends &ends : candidates) {
        if (bytesBetween(ends, crossingBytes) > kCrossingTolerance * fewest) continue;
        const std::size_t distinct = distinctGroups(ends, looks);
        if (best != nullptr && distinct >= bestDistinct) continue;
        best = &ends;
        bestDistinct = distinct;
    }
    std::vector<int> groups;
    groups.reserve(count);
    for (std::size_t g = 0; g < best->size(); ++g)
        groups.resize((*best)[g], static_cast<int>(g));
    return groups;
}

Hierarchy makeHierarchy(const FlatGraph &flat, const std::vector<int> &blockOfOp, std::int64_t keepAllPeakBytes,
                        int levels)
{
    const std::vector<std::vector<int>> labels = allLabels(flat, blockOfOp, keepAllPeakBytes, levels);
    Hierarchy made;
    made.levels = static_cast<int>(labels.size());
    made.top = makeChain(flat, labels.front(), keepAllPeakBytes);

    std::vector<std::map<std::string, int, std::less<>>> known(labels.size()); // per level: by signature
    const auto find = [&](const Chain &chain, int parent, int level) {
        std::vector<int> children;
        for (const Block &block : chain.blocks) {
            const auto [at, first] =
                known[level - 1].try_emplace(block.signature, static_cast<int>(made.clusters.size()));
            if (first) made.clusters.push_back({level, parent, static_cast<int>(children.size()), 0, {}, {}});
            children.push_back(at->second);
        }
        return children;
    };
    made.children = find(made.top, -1, 1);
    for (std::size_t c = 0; c < made.clusters.size(); ++c) {
        const int level = made.clusters[c].level, number = made.clusters[c].block;
        if (level == made.levels) continue;
        const Chain &around = made.chainAround(made.clusters[c]);
        Chain inner = makeInnerChain(flat, around, number, labelsInside(labels[level], around.blocks[number]));
        std::vector<int> children = find(inner, static_cast<int>(c), level + 1);
        made.clusters[c].inner = std::move(inner);
        made.clusters[c].children = std::move(children);
    }
    for (const int child : made.children)
        ++made.clusters[child].uses;
    for (const ClusterNode &node : made.clusters)
        for (const int child : node.children)
            made.clusters[child].uses += node.uses;
    return made;
}

} // namespace remat::hiremate
