// SPDX-License-Identifier: Apache-2.0
// Memory over time by category: what the window paints and tables show.
#pragma once

#include "core/plan/simulator.h"

#include <array>

namespace remat {

/// Bands of the memory timeline, bottom up.
enum class Category : std::uint8_t {
    Weights, ///< parameters, and the states of the optimizer below: only where they are planned
    States,
    ParameterGradients,
    KeptActivations,
    Offloaded,
    Gradients,
    RecomputedActivations,
    Workspace
};
constexpr std::size_t kCategoryCount = 8;
/// `Kept activations`, … (untranslated)
const char *categoryName(Category category);

/// One copy of a storage in device memory: alive in steps [firstStep, lastStep]. A copy that is offloaded or brought
/// back is several ranges, one after the other: the ones during the transfer are `Offloaded`. New buffer values and the
/// loss count as activations; so do second copies that are dropped at once, as recomputed ones of a single step.
struct LiveRange {
    StorageId storage;
    std::int32_t firstStep = 0, lastStep = 0;
    Category category = Category::KeptActivations;
    bool recomputed = false; ///< this copy was made by a computation after the op's first
};

/// Samples at every Compute step, in order. `bytes[category][i]` is held during sample i; the bands add up to
/// `totalBytes`, which is what `simulate` says. `peakBytes` is the plan's peak, which a prefetch between two samples
/// may make higher than the highest sample.
struct MemoryTimeline {
    std::vector<std::int32_t> step; ///< index into the plan's steps
    std::vector<OpId> op;
    std::vector<double> startUs, endUs;  ///< compute lane, on which an op on the host takes no time
    std::vector<std::uint8_t> recompute; ///< 1 when this computation is not the op's first
    std::array<std::vector<std::int64_t>, kCategoryCount> bytes;
    std::vector<std::int64_t> totalBytes;
    std::vector<LiveRange> ranges; ///< by first step
    std::int64_t peakBytes = 0;
    std::size_t peakSample = 0;
    double timeUs = 0;
};

/// Fails only when the steps are not possible.
Expected<MemoryTimeline> buildTimeline(const Graph &graph, const CostTable &costs, const std::vector<Step> &steps);

/// The same for a plan of `graph`, with its parameters planned where the plan says so.
Expected<MemoryTimeline> planTimeline(const Graph &graph, const CostTable &costs, const Plan &plan);

/// Live ranges at a sample, largest first: "what makes the peak".
std::vector<LiveRange> aliveAt(const Graph &graph, const MemoryTimeline &timeline, std::size_t sample);

} // namespace remat
