// SPDX-License-Identifier: Apache-2.0
#include "solvers/chunk/other_dims.h"

#include "core/chunk/modes.h"
#include "core/chunk/prepare.h"
#include "core/chunk/region.h"
#include "core/chunk/title.h"

#include <algorithm>
#include <map>
#include <utility>

namespace remat {

namespace {

/// What is cut at the border of a region joins it when it is more than this part of its op's largest tensor.
constexpr std::int64_t kThresholdPart = 8;

/// An op of a region, and its largest tensor.
struct LargestOp {
    NodeId node;
    std::int64_t bytes = -1;
};

/// The first op of the region with the largest tensor of all. Views have none.
LargestOp largestOf(const Program &program, const ChunkRegion &region)
{
    LargestOp seed;
    for (std::size_t n = 0; n < program.nodes.size(); ++n) {
        const Node &node = program.nodes[n];
        if (!region.nodes.contains(node.name)) continue;
        std::int64_t bytes = 0;
        for (const ValueId id : node.outputs)
            if (id && !program.value(id).aliasOf) bytes = std::max(bytes, extentBytes(program.value(id)));
        if (bytes > seed.bytes) seed = {NodeId(n), bytes};
    }
    return seed;
}

} // namespace

std::vector<Chunking> alongOtherDims(const Model &model, const Chunking &chunking, const ChunkSetting &setting)
{
    if (!model.program) return {};
    const Program program = prepared(*model.program);
    const ValueUses uses = usesOf(program);
    std::map<std::pair<std::string, int>, std::vector<std::size_t>> kinds;
    for (std::size_t r = 0; r < chunking.regions.size(); ++r)
        kinds[{regionName(chunking.regions[r]), chunking.regions[r].k}].push_back(r);
    std::vector<Chunking> result;
    for (const auto &[kind, regions] : kinds) {
        const int k = kind.second;
        const LargestOp first = largestOf(program, chunking.regions[regions.front()]);
        if (!first.node) continue; // its nodes are pieces of another region
        const std::size_t ways = modesOf(program, program.nodes[first.node.index()], k).size();
        for (std::size_t way = 0; way < ways; ++way) {
            Chunking changed = chunking;
            bool grows = true;
            for (const std::size_t r : regions) {
                const LargestOp seed = largestOf(program, chunking.regions[r]);
                const std::vector<Mode> modes =
                    seed.node ? modesOf(program, program.nodes[seed.node.index()], k) : std::vector<Mode>();
                grows = grows && way < modes.size();
                if (!grows) break;
                ChunkRegion region = grownRegion(program, uses, seed.node, modes[way], k, seed.bytes / kThresholdPart);
                grows = !region.nodes.empty() && mayRun(region, setting);
                if (setting.wideSums) setUsualSums(region, program);
                changed.regions[r] = std::move(region);
            }
            if (grows && !(changed == chunking)) result.push_back(std::move(changed));
        }
    }
    return result;
}

} // namespace remat
