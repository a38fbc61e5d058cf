// SPDX-License-Identifier: Apache-2.0
#include "app/cli/chunk_flag.h"

#include "app/cli/here.h"
#include "core/base/text.h"
#include "core/chunk/title.h"
#include "solvers/chunk/floor.h"

#include <algorithm>

namespace remat::cli {

namespace {

/// A floor below this share of the peak is not worth a word.
constexpr double kWorthShare = 0.1;

} // namespace

void ChunkFlag::add(CLI::App &command)
{
    command
        .add_option(
            "--chunk", text,
            "`off`: every op runs whole; `auto`: the plan decides which ops run in chunks; `head=8`: the head and its "
            "loss run in 8, and `OP=8` what lies around that op; `batch=8`: the step runs in 8 micro-batches. By "
            "default the planner auto takes chunks where no plan of whole ops fits, or where chunks are faster")
        ->default_str("where it pays");
    command.add_flag("--chunk-sums-as-they-are", narrowSums,
                     "half-precision sums over four chunks or more stay in half precision, which is faster and less "
                     "exact; by default they are in float32");
    command.add_option("--never-chunk", whole, "ops that stay whole, and so does what would be cut with them")
        ->delimiter(',');
}

Expected<ChunkSetting> chunkSetting(const ModelWithCosts &subject, const CostFlags &costs, const ChunkFlag &flag)
{
    if (!subject.asRead().program)
        return fail(subject.graph().name + " is a graph without operators, so nothing says how it can be cut into "
                                           "chunks. Open the trace (.pt2) it was made from.");
    if (!costs.profile.empty() || costs.device == kHere)
        return fail(
            "A profile measured the graph as it is, and knows nothing of its pieces. Name a device, or write the "
            "graph in chunks with `remat chunk` and measure that.");
    const auto &nodes = subject.asRead().program->nodes;
    for (const std::string &op : flag.whole)
        if (std::none_of(nodes.begin(), nodes.end(), [&](const Node &node) { return node.name == op; }))
            return fail("--never-chunk: {} is no op of the graph. `remat find` lists them.", quotedName(op));
    auto device = findDevice(costs.device.empty() ? "reference" : costs.device);
    if (!device) return tl::unexpected(device.error());
    ChunkSetting setting = settingOf(*device, subject.updates);
    setting.wideSums = !flag.narrowSums;
    setting.whole = flag.whole;
    return setting;
}

std::optional<FloorInChunks> floorWithChunks(const ModelWithCosts &subject, const CostFlags &costs,
                                             const PeakBound &floor)
{
    if (shareOf(floor.bytes, subject.keepAll.peakBytes) < kWorthShare) return {};
    const auto setting = chunkSetting(subject, costs);
    if (!setting) return {};
    const auto chunked = lowerFloor(subject.asRead(), floor, *setting);
    const auto least = floorInChunks(subject.asRead(), *setting, kMostPieces);
    if (!chunked || !least || chunked->floor.bytes >= floor.bytes) return {};
    return FloorInChunks{chunkingTitle(chunked->chunking), chunked->floor.bytes, chunked->keepAllTimeUs, least->bytes};
}

} // namespace remat::cli
