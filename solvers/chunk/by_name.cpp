// SPDX-License-Identifier: Apache-2.0
#include "solvers/chunk/by_name.h"

#include "core/base/text.h"
#include "core/chunk/modes.h"
#include "core/chunk/prepare.h"
#include "core/chunk/region.h"
#include "core/chunk/rewrite.h"
#include "solvers/chunk/micro_batches.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

namespace remat {

namespace {

/// A region takes what is cut at its border as long as that is more than this part of its op's largest tensor; a larger
/// part is for graphs in which it would else be nearly the whole step.
constexpr std::array<std::int64_t, 3> kThresholdParts{8, 4, 2};

/// The op by which people mean the head: the last softmax of the loss.
bool isHead(const Node &node)
{
    return node.opName == "aten::_log_softmax" || node.opName == "aten::nll_loss_forward";
}

NodeId findSeed(const Program &program, const std::string &name)
{
    for (std::size_t n = 0; n < program.nodes.size(); ++n)
        if (name == "head" ? isHead(program.nodes[n]) : program.nodes[n].name == name) return NodeId(n);
    return {};
}

std::int64_t largestTensor(const Program &program, const Node &node)
{
    std::int64_t bytes = 0;
    for (const ValueId id : tensorsRead(node))
        bytes = std::max(bytes, extentBytes(program.value(id)));
    for (const ValueId id : node.outputs)
        if (id) bytes = std::max(bytes, extentBytes(program.value(id)));
    return bytes;
}

/// Where the names of a list have led so far.
struct Found {
    Chunking chunking;
    Program program; ///< in these chunks: what comes next is around what is still whole
};

/// The dim, of those along which the op can be cut, that leaves least to hold.
std::optional<ChunkRegion> bestRegion(const Found &found, NodeId seed, int k, std::int64_t threshold,
                                      const Model &model, const ChunkSetting &setting)
{
    const ValueUses uses = usesOf(found.program);
    std::optional<ChunkRegion> best;
    std::pair<std::int64_t, double> rank;
    for (const Mode &mode : modesOf(found.program, found.program.nodes[seed.index()], k)) {
        ChunkRegion region = grownRegion(found.program, uses, seed, mode, k, threshold);
        if (region.nodes.empty() || !mayRun(region, setting)) continue;
        if (setting.wideSums) setUsualSums(region, found.program);
        Chunking chunking = found.chunking;
        chunking.regions.push_back(region);
        const auto chunked = inSetting(model, chunking, setting);
        if (!chunked) continue;
        const auto own = std::make_pair(chunked->floor.bytes, chunked->keepAllTimeUs);
        if (best && !(own < rank)) continue;
        rank = own;
        best = std::move(region);
    }
    return best;
}

Expected<ChunkRegion> regionAround(const std::string &name, int k, const Found &found, const Model &model,
                                   const ChunkSetting &setting)
{
    if (name == "batch") {
        auto step = microBatches(found.program, k);
        if (step && !mayRun(*step, setting))
            return fail("The whole step cannot run in chunks while an op of it is to run in none.");
        if (step && setting.wideSums) setUsualSums(*step, found.program);
        return step;
    }
    const NodeId seed = findSeed(found.program, name);
    if (!seed)
        return fail(name == "head" ? "The graph has no cross-entropy loss, so nothing is its head. Name an op instead."
                                   : quotedName(name) + " is no op of the graph. `remat find` lists them.");
    const std::int64_t largest = largestTensor(found.program, found.program.nodes[seed.index()]);
    std::optional<ChunkRegion> best;
    for (std::size_t i = 0; i < kThresholdParts.size() && !best; ++i)
        best = bestRegion(found, seed, k, largest / kThresholdParts[i], model, setting);
    if (!best)
        return fail("Nothing around {} can run in {} chunks: no dim of its tensors is known to be cut so. Take another "
                    "number, or another op.",
                    quotedName(name), k);
    return std::move(*best);
}

/// The region of a list that has the op, or a piece of it; none where it runs whole.
ChunkRegion *regionOf(Chunking &chunking, const std::string &op)
{
    const std::string node = chunkOf(op).first;
    const auto found = std::find_if(chunking.regions.begin(), chunking.regions.end(),
                                    [&](const ChunkRegion &region) { return region.nodes.contains(node); });
    return found == chunking.regions.end() ? nullptr : &*found;
}

} // namespace

Expected<Chunking> withRegion(Chunking chunking, const std::string &op, int k, const Model &model,
                              const ChunkSetting &setting)
{
    if (ChunkRegion *known = regionOf(chunking, op)) {
        known->k = k;
        if (setting.wideSums) setUsualSums(*known, *model.program);
    }
    auto program = inChunks(*model.program, chunking);
    if (!program) return tl::unexpected(program.error());
    if (regionOf(chunking, op)) return chunking;
    const Found found{std::move(chunking), std::move(*program)};
    auto region = regionAround(op, k, found, model, setting);
    if (!region) return tl::unexpected(region.error());
    Chunking result = found.chunking;
    result.regions.push_back(std::move(*region));
    if (auto whole = inChunks(*model.program, result); !whole) return tl::unexpected(whole.error());
    return result;
}

Expected<Chunking> chunkingByName(const std::string &text, const Model &model, const ChunkSetting &setting)
{
    Chunking chunking;
    for (std::size_t at = 0; at <= text.size();) {
        const std::size_t comma = std::min(text.find(',', at), text.size());
        const std::string part = text.substr(at, comma - at);
        const std::size_t equals = part.rfind('=');
        int k = 0;
        if (equals != std::string::npos) std::from_chars(part.data() + equals + 1, part.data() + part.size(), k);
        if (k < 2 || k > kMostChunks)
            return fail(
                "{} does not say what runs in chunks: that takes a name and a number from 2 to {}, such as head=8.",
                quotedName(part), kMostChunks);
        auto more = withRegion(std::move(chunking), part.substr(0, equals), k, model, setting);
        if (!more) return tl::unexpected(more.error());
        chunking = std::move(*more);
        at = comma + 1;
    }
    return chunking;
}

} // namespace remat
