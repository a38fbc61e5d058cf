// SPDX-License-Identifier: Apache-2.0
// What a person decided by hand about a plan.
#pragma once

#include "core/graph/graph.h"
#include "core/plan/plan.h"

#include <optional>
#include <string>
#include <vector>

namespace remat {

/// Decisions planners must work around; plain data, each list ascending and without repetitions.
struct Pins {
    std::vector<StorageId> keep; ///< stays on the device from its computation to its last read
    std::vector<OpId> recompute; ///< dropped after the forward pass, computed again when the backward pass needs it
    std::vector<OpId> never;     ///< computed exactly once
    bool empty() const { return keep.empty() && recompute.empty() && never.empty(); }
    std::size_t size() const { return keep.size() + recompute.size() + never.size(); }
    bool operator==(const Pins &) const = default;
};

/// What can be decided about an op or a storage.
enum class Decision { Keep, Recompute, Never, Clear };

/// Sorts the lists, drops repetitions and ids that the graph does not have.
void dropUnknown(Pins &pins, const Graph &graph);

/// The pins with one more decision about the ops and about the makers of the storages; to keep is about `storages`
/// alone where there are any, and else about all that the ops make. What was decided about the same ops before and
/// contradicts it goes; what a decision cannot be about (`whyNotRecompute`, resident storages) is passed over.
Pins decide(const Graph &graph, Pins pins, Decision decision, const std::vector<OpId> &ops,
            const std::vector<StorageId> &storages = {});

/// Why an op cannot be computed again after the forward pass, in a sentence: it is one of the backward pass, may be
/// computed only once, or makes nothing but outputs of the graph. Empty when it can.
std::string whyNotRecompute(const Graph &graph, OpId op);

/// Fails with a sentence on decisions that contradict each other or that no plan can follow.
Expected<void> checkPins(const Graph &graph, const Pins &pins);

/// The first decision that a possible sequence of steps does not follow, in a sentence in which steps count from 0;
/// none when it follows all.
/// - A storage to be kept is never copied, and nothing reads it again once it was freed.
/// - An op that is never to be computed again is computed at most once.
/// - Of an op to be computed again, no copy made before the forward pass ended is read after it (outputs of the graph
///   excepted). The forward pass ends with the first computation of the op before the first backward op.
/// O(steps × degree).
std::optional<std::string> pinsViolated(const Graph &graph, const std::vector<Step> &steps, const Pins &pins);

/// First backward op in graph order; as many as there are ops when there is none. O(ops).
std::size_t firstBackwardOp(const Graph &graph);

} // namespace remat
