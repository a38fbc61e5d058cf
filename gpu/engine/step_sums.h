// SPDX-License-Identifier: Apache-2.0
// Checksums of what each step of a run reads and makes, and the first step of two runs of one graph where they differ.
#pragma once

#include "core/plan/plan.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace remat {

/// The sums of a step that computes; empty for the others.
struct StepSums {
    OpId op;
    std::vector<std::uint64_t> read; ///< per input of the op; 0 for what is resident or not known: equal to all
    std::vector<std::uint64_t> made; ///< per storage of `writtenBy`
};

/// What the op makes, and what it updates, in this order.
std::vector<StorageId> writtenBy(const Op &op);

/// Where a run leaves the way of another.
struct FirstDifference {
    std::size_t step = 0; ///< step of the run that is judged
    StorageId storage;
    bool read = false; ///< the op was given other bits than it should; otherwise it made other bits
    std::string sentence;
};

/// Each op of `run` against the same op of `expected`, step by step; nothing when all agree. A storage that was made
/// right and is read with other bits was harmed in between: by a copy, a free too early, another's address.
std::optional<FirstDifference> firstDifference(const Graph &graph, const std::vector<StepSums> &expected,
                                               const std::vector<StepSums> &run);

/// The ops that read equal bits in two runs of the same steps and made others, each once.
std::vector<OpId> restlessOps(const Graph &graph, const std::vector<StepSums> &first,
                              const std::vector<StepSums> &second);

/// Per storage 1 where it is made from what these ops make, or is it. O(ops × degree).
std::vector<char> reachedFrom(const Graph &graph, const std::vector<OpId> &ops);

} // namespace remat
