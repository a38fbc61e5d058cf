// SPDX-License-Identifier: Apache-2.0
// Peak and time of computation sequences, for inner loops that ask thousands of times about one graph.
#pragma once

#include "core/plan/simulator.h"

namespace remat {

/// Says the same as `sequenceCost`, about twice as fast: the graph is flattened once and the working memory is kept
/// between calls. Keeps no reference to graph or costs. One object per thread.
class SequenceEvaluator
{
public:
    SequenceEvaluator(const Graph &graph, const CostTable &costs);

    /// Peak and time of a possible sequence with earliest frees. O(sequence × degree), no allocation.
    SequenceCost operator()(const std::vector<OpId> &sequence);

    /// Memory in bytes while each computation of the sequence runs, into `held` (resized). Returns what operator()
    /// does.
    SequenceCost profile(const std::vector<OpId> &sequence, std::vector<std::int64_t> &held);

private:
    template <bool kProfile>
    SequenceCost run(const std::vector<OpId> &sequence, std::int64_t *held);

    struct OpRow {
        std::uint32_t firstInput = 0, firstOutput = 0, end = 0; ///< into m_items: planned inputs, then outputs
        std::int64_t workspaceBytes = 0;
        double timeUs = 0;
    };
    std::vector<OpRow> m_ops;
    std::vector<std::uint32_t> m_items; ///< storage indices
    std::vector<std::int64_t> m_bytes;  ///< per storage
    std::vector<std::uint8_t> m_isOutput;
    std::vector<std::uint8_t> m_readLater;
};

} // namespace remat
