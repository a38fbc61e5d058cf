// SPDX-License-Identifier: Apache-2.0
#include "solvers/chunk/narrower.h"

#include "core/chunk/modes.h"
#include "core/chunk/prepare.h"
#include "core/chunk/region.h"
#include "solvers/chunk/kinds.h"

#include <functional>
#include <optional>
#include <utility>

namespace remat {

namespace {

/// A region made smaller; none where nothing of it is left, or all.
using Narrowing = std::function<std::optional<ChunkRegion>(const ChunkRegion &)>;

std::optional<ChunkRegion> ofPhase(const Program &program, const ChunkRegion &region, bool backward)
{
    ChunkRegion part = region;
    for (const Node &node : program.nodes)
        if ((node.phase == Phase::Backward) != backward) part.nodes.erase(node.name);
    if (part.nodes.empty() || part.nodes.size() == region.nodes.size()) return {};
    return part;
}

std::optional<ChunkRegion> ofLargest(const Program &program, const ChunkRegion &region, int k,
                                     const ChunkSetting &setting)
{
    const LargestOp op = largestOf(program, region);
    if (!op.node || k > setting.mostChunks) return {};
    ChunkRegion alone;
    alone.k = k;
    const std::string &name = program.nodes[op.node.index()].name;
    alone.nodes.emplace(name, region.nodes.at(name));
    if (setting.wideSums) setUsualSums(alone, program);
    return alone;
}

/// The chunkings with one more region, of the op alone that needs most of those that are whole.
void addAlone(const ChunkedModel &chunked, const ChunkSetting &setting, std::vector<Chunking> &result)
{
    if (!chunked.model->program) return;
    const Program &program = *chunked.model->program;
    const auto isWhole = [&](OpId op) {
        const NodeId node = chunked.model->graph.op(op).node;
        return node && chunkOf(program.nodes[node.index()].name).second < 0;
    };
    const OpId most = neediestOf(chunked, isWhole);
    if (!most) return;
    const Node &node = program.nodes[chunked.model->graph.op(most).node.index()];
    for (const int k : {2, 4}) {
        if (k > setting.mostChunks) break;
        for (const Mode &mode : modesOf(program, node, k)) {
            ChunkRegion region;
            region.k = k;
            region.nodes.emplace(node.name, mode);
            if (!mayRun(region, setting)) continue;
            if (setting.wideSums) setUsualSums(region, program);
            Chunking more = chunked.chunking;
            more.regions.push_back(std::move(region));
            result.push_back(std::move(more));
        }
    }
}

} // namespace

std::vector<Chunking> narrowerOf(const Model &model, const ChunkedModel &chunked, const ChunkSetting &setting)
{
    if (!model.program) return {};
    const Program program = prepared(*model.program);
    const std::vector<Narrowing> ways{
        [&](const ChunkRegion &region) { return ofPhase(program, region, true); },
        [&](const ChunkRegion &region) { return ofPhase(program, region, false); },
        [&](const ChunkRegion &region) { return ofLargest(program, region, region.k, setting); },
        [&](const ChunkRegion &region) { return ofLargest(program, region, region.k * 2, setting); },
    };
    std::vector<Chunking> result, halves;
    for (const std::vector<std::size_t> &kind : kindsOf(chunked.chunking))
        for (std::size_t way = 0; way < ways.size(); ++way) {
            Chunking changed = chunked.chunking;
            bool isChanged = true;
            for (const std::size_t r : kind) {
                auto narrow = ways[way](chunked.chunking.regions[r]);
                isChanged = isChanged && narrow;
                if (narrow) changed.regions[r] = std::move(*narrow);
            }
            if (!isChanged || changed == chunked.chunking) continue;
            if (way == 0) halves.push_back(changed);
            result.push_back(std::move(changed));
        }
    addAlone(chunked, setting, result);
    // Half of a region may only be enough with an op of the other half.
    for (const Chunking &half : halves)
        if (const auto cut = inSetting(model, half, setting)) addAlone(*cut, setting, result);
    return result;
}

} // namespace remat
