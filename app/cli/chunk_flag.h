// SPDX-License-Identifier: Apache-2.0
// The flag of the commands that plan a graph in chunks.
#pragma once

#include "app/cli/command.h"
#include "solvers/chunk/by_name.h"
#include "solvers/chunk/plan_in_chunks.h"

#include <optional>
#include <string>
#include <vector>

namespace remat::cli {

/// `--chunk off`, `auto`, or `head=8`: the head with its loss, or what is around the op of that name, in so many
/// pieces.
struct ChunkFlag {
    /// Automatic cuts a graph where chunksPay(), and nothing else does.
    static constexpr const char *kByItself = "where-it-pays";
    std::string text = kByItself;
    bool narrowSums = false;        ///< sums of half-precision numbers in their own type
    std::vector<std::string> whole; ///< ops that never run in chunks

    void add(CLI::App &command);
    bool given() const { return text != "off" && text != kByItself; }
    bool isByItself() const { return text == kByItself; }
    bool isAuto() const { return text == "auto"; }
};

/// What the model in chunks is planned as: with the model's updates in its step, by the costs of the same device.
/// Fails where costs are measured, where the model has no operators, and on ops to stay whole that it does not have.
/// The model outlives the setting.
Expected<ChunkSetting> chunkSetting(const ModelWithCosts &subject, const CostFlags &costs, const ChunkFlag &flag = {});

/// What chunks would make of the floor.
struct FloorInChunks {
    std::string title; ///< "the loss in 8 chunks"
    std::int64_t floorBytes = 0;
    double keepAllTimeUs = 0;
    std::int64_t leastFloorBytes = 0; ///< that no chunking gets below
};

/// None where the floor is a small part of the peak, where the graph has no operators, where times are measured, or
/// where nothing that matters can be cut. Moments.
std::optional<FloorInChunks> floorWithChunks(const ModelWithCosts &subject, const CostFlags &costs,
                                             const PeakBound &floor);

} // namespace remat::cli
