// SPDX-License-Identifier: Apache-2.0
#include "solvers/chunk/kinds.h"

#include "core/chunk/split.h"
#include "core/chunk/title.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

namespace remat {

std::vector<std::vector<std::size_t>> kindsOf(const Chunking &chunking)
{
    std::map<std::pair<std::string, int>, std::vector<std::size_t>> kinds;
    for (std::size_t r = 0; r < chunking.regions.size(); ++r)
        kinds[{regionName(chunking.regions[r]), chunking.regions[r].k}].push_back(r);
    std::vector<std::vector<std::size_t>> result;
    result.reserve(kinds.size());
    for (auto &[kind, regions] : kinds)
        result.push_back(std::move(regions));
    return result;
}

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

} // namespace remat
