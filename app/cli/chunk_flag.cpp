#include "app/cli/chunk_flag.h"

#include "app/cli/here.h"

#include "core/base/text.h"
#include "core/chunk/modes.h"
#include "core/chunk/prepare.h"
#include "core/chunk/region.h"

#include <array>
#include <charconv>
#include <optional>

namespace remat::cli {

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

/// The dim, of those along which the op can be cut, that leaves least to hold.
std::optional<ChunkRegion> bestRegion(const Program &program, NodeId seed, int k, std::int64_t threshold,
                                      const Model &model, const ChunkSetting &setting)
{
    const ValueUses uses = usesOf(program);
    std::optional<ChunkRegion> best;
    std::pair<std::int64_t, double> rank;
    for (const Mode &mode : modesOf(program, program.nodes[seed.index()], k)) {
        ChunkRegion region = grownRegion(program, uses, seed, mode, k, threshold);
        if (region.nodes.empty()) continue;
        if (setting.wideSums) setUsualSums(region, program);
        const auto chunked = inSetting(model, Chunking{{region}}, setting);
        if (!chunked) continue;
        const auto own = std::make_pair(chunked->floor.bytes, chunked->keepAllTimeUs);
        if (best && !(own < rank)) continue;
        rank = own;
        best = std::move(region);
    }
    return best;
}

Expected<ChunkRegion> regionAround(const std::string &name, int k, const Model &model, const ChunkSetting &setting)
{
    const Program program = prepared(*model.program);
    const NodeId seed = findSeed(program, name);
    if (!seed)
        return fail(name == "head" ? "The graph has no cross-entropy loss, so nothing is its head. Name an op instead."
                                   : quotedName(name) + " is no op of the graph. `remat find` lists them.");
    const std::int64_t largest = largestTensor(program, program.nodes[seed.index()]);
    std::optional<ChunkRegion> best;
    for (std::size_t i = 0; i < kThresholdParts.size() && !best; ++i)
        best = bestRegion(program, seed, k, largest / kThresholdParts[i], model, setting);
    if (!best)
        return fail("Nothing around " + quotedName(name) + " can run in " + std::to_string(k) +
                    " chunks: no dim of its tensors is known to be cut so. Take another number, or another op.");
    return std::move(*best);
}

} // namespace

void ChunkFlag::add(CLI::App &command)
{
    command
        .add_option("--chunk", text,
                    "`off`: ops run whole; `auto`: the plan decides what runs in chunks; `head=8`: the head with its "
                    "loss does, or what is around an op of that name; without it the planner auto decides where no "
                    "plan of whole ops fits")
        ->default_str("off above the floor");
    command.add_flag(
        "--chunk-sums-as-they-are", narrowSums,
        "sums of half-precision gradients over four chunks or more are added up in their own type, which is "
        "faster and rounds more often; else in float32");
}

Expected<ChunkSetting> chunkSetting(const Session &session, const CostFlags &costs, bool narrowSums)
{
    if (!session.asRead().program)
        return fail(session.graph().name + " is a graph without operators, so nothing says how it can be cut into "
                                           "chunks. Open the trace (.pt2) it was made from.");
    if (!costs.profile.empty() || costs.device == kHere)
        return fail(
            "A profile measured the graph as it is, and knows nothing of its pieces. Name a device, or write the "
            "graph in chunks with `remat chunk` and measure that.");
    auto device = findDevice(costs.device.empty() ? "reference" : costs.device);
    if (!device) return tl::unexpected(device.error());
    ChunkSetting setting;
    setting.wideSums = !narrowSums;
    setting.costs = [device = *device](const Model &model) { return rooflineCosts(model, device); };
    setting.finish = [&session](Model model) -> Expected<Model> {
        auto graph = withUpdates(model, session.updates);
        if (!graph) return tl::unexpected(graph.error());
        model.graph = std::move(*graph);
        return model;
    };
    return setting;
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
            return fail("--chunk " + quotedName(part) + " must be off, auto, or a name and a number from 2 to " +
                        std::to_string(kMostChunks) + ", such as head=8.");
        auto region = regionAround(part.substr(0, equals), k, model, setting);
        if (!region) return tl::unexpected(region.error());
        chunking.regions.push_back(std::move(*region));
        at = comma + 1;
    }
    return chunking;
}

} // namespace remat::cli
