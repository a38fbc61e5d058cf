// SPDX-License-Identifier: Apache-2.0
#include "core/plan/sequence_evaluator.h"

#include <algorithm>

namespace remat {

// One backward scan does it. `readLater[s]` says that the copy of s that exists before the computations already
// scanned is read by one of them (or held at the end) before it is made again; every copy lives exactly from its
// computation to its last such read, so the bytes held between two computations follow from those flags alone, and no
// storage is ever there twice.

SequenceEvaluator::SequenceEvaluator(const Graph &graph, const CostTable &costs)
    : m_bytes(graph.storages.size()), m_isOutput(graph.storages.size())
{
    for (std::size_t s = 0; s < graph.storages.size(); ++s) {
        m_bytes[s] = graph.storages[s].bytes;
        m_isOutput[s] = graph.keptToEnd(StorageId(s)) ? 1 : 0;
    }
    m_readLater = m_isOutput;
    m_ops.reserve(graph.ops.size());
    for (std::size_t i = 0; i < graph.ops.size(); ++i) {
        OpRow row;
        row.firstInput = static_cast<std::uint32_t>(m_items.size());
        for (const StorageId input : graph.ops[i].inputs)
            if (graph.planned(input)) m_items.push_back(static_cast<std::uint32_t>(input.value));
        row.firstOutput = static_cast<std::uint32_t>(m_items.size());
        for (const StorageId output : graph.ops[i].outputs)
            m_items.push_back(static_cast<std::uint32_t>(output.value));
        row.end = static_cast<std::uint32_t>(m_items.size());
        row.workspaceBytes = costs.workspace(OpId(i));
        row.timeUs = costs.time(OpId(i));
        m_ops.push_back(row);
    }
}

template <bool kProfile>
SequenceCost SequenceEvaluator::run(const std::vector<OpId> &sequence, std::int64_t *held)
{
    std::copy(m_isOutput.begin(), m_isOutput.end(), m_readLater.begin());
    std::int64_t after = 0;
    for (std::size_t s = 0; s < m_bytes.size(); ++s)
        after += m_isOutput[s] ? m_bytes[s] : 0;

    SequenceCost cost;
    cost.peakBytes = after;
    for (std::size_t i = sequence.size(); i-- > 0;) {
        const OpRow &op = m_ops[sequence[i].index()];
        std::int64_t madeAndKept = 0, madeAndDropped = 0, readLast = 0;
        for (std::uint32_t k = op.firstOutput; k < op.end; ++k) {
            const std::uint32_t s = m_items[k];
            (m_readLater[s] ? madeAndKept : madeAndDropped) += m_bytes[s];
            m_readLater[s] = 0;
        }
        for (std::uint32_t k = op.firstInput; k < op.firstOutput; ++k) {
            const std::uint32_t s = m_items[k];
            readLast += m_readLater[s] ? 0 : m_bytes[s];
            m_readLater[s] = 1;
        }
        const std::int64_t during = after + madeAndDropped + readLast + op.workspaceBytes;
        if constexpr (kProfile) held[i] = during;
        cost.peakBytes = std::max(cost.peakBytes, during);
        cost.timeUs += op.timeUs;
        after += readLast - madeAndKept;
    }
    return cost;
}

SequenceCost SequenceEvaluator::operator()(const std::vector<OpId> &sequence)
{
    return run<false>(sequence, nullptr);
}

SequenceCost SequenceEvaluator::profile(const std::vector<OpId> &sequence, std::vector<std::int64_t> &held)
{
    held.resize(sequence.size());
    return run<true>(sequence, held.data());
}

SequenceCost sequenceCost(const Graph &graph, const CostTable &costs, const std::vector<OpId> &sequence)
{
    return SequenceEvaluator(graph, costs)(sequence);
}

} // namespace remat
