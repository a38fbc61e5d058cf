// SPDX-License-Identifier: Apache-2.0
#include "solvers/chunk/other_dims.h"

#include "core/chunk/modes.h"
#include "core/chunk/prepare.h"
#include "core/chunk/region.h"
#include "solvers/chunk/kinds.h"

#include <utility>

namespace remat {

namespace {

/// What is cut at the border of a region joins it when it is more than this part of its op's largest tensor.
constexpr std::int64_t kThresholdPart = 8;

} // namespace

std::vector<Chunking> alongOtherDims(const Model &model, const Chunking &chunking, const ChunkSetting &setting)
{
    if (!model.program) return {};
    const Program program = prepared(*model.program);
    const ValueUses uses = usesOf(program);
    std::vector<Chunking> result;
    for (const std::vector<std::size_t> &regions : kindsOf(chunking)) {
        const int k = chunking.regions[regions.front()].k;
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
