// SPDX-License-Identifier: Apache-2.0
#include "app/cli/chunk_flag.h"

#include "app/cli/here.h"

namespace remat::cli {

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
    ChunkSetting setting = settingOf(*device, session.updates);
    setting.wideSums = !narrowSums;
    return setting;
}

} // namespace remat::cli
