// SPDX-License-Identifier: Apache-2.0
// Ways to cut the graph into the blocks of a chain.
#pragma once

#include "core/clusters/block_cut.h"
#include "solvers/tools/flat.h"

#include <string>
#include <utility>
#include <vector>

namespace remat::hiremate {

/// Backward ops follow their forward ops. All but the last cut the forward part into intervals.
enum class Partitioner {
    Repetitive,  ///< few bytes cross, and of such cuts the one with the fewest distinct blocks (`blockPartition`)
    Sequence,    ///< at ops that everything passes; what is too long between two of them, bottom to top
    BottomToTop, ///< single ops grow together
    ModuleTree,  ///< as the modules of the model nest; modules that are too long and have no children, bottom to top
    Subgraphs    ///< ops that pass storages to each other grow together, wherever they stand
};

/// Each with the name that the option `partitioner` takes.
const std::vector<std::pair<std::string, Partitioner>> &partitionerNames();

/// The block of each op, 0 … blocks − 1. Where blocks are intervals: ascending along the forward part, descending along
/// the backward part; else by the first op of each. Sizes that cannot be kept are relaxed, the lower one first.
/// O(forward ops × log) but for `Repetitive` (see `blockPartition`).
std::vector<int> partitionLabels(const FlatGraph &flat, Partitioner partitioner, const PartitionSizes &sizes);

/// The forward part as a line of ops. Positions stand between ops: position i before op i, the last one after all.
class OpLine
{
public:
    explicit OpLine(const FlatGraph &flat);

    const FlatGraph &flat() const { return m_flat; }
    int end() const { return m_flat.forwardOps; }
    /// Ops between two positions that are large or slow enough to count.
    int size(int from, int to) const { return m_counted[to] - m_counted[from]; }
    /// Bytes made before the position that the forward part reads after it.
    double crossingBytes(int position) const { return m_crossingBytes[position]; }

private:
    const FlatGraph &m_flat;
    std::vector<int> m_counted; ///< per position: ops before it that count
    std::vector<double> m_crossingBytes;
};

/// Which neighbours may still grow together.
enum class Growth {
    ToLargest,  ///< all whose union is not too large
    ToSmallest, ///< only while one of the two is smaller than the smallest size
};

/// Greedy agglomeration: of all neighbours that may be joined, those go first whose union has the smallest
/// (bytes in + bytes out) · √ops (the score of H-Rockmate's bottom-to-top partitioner, on intervals). `positions` are
/// ascending, both ends included; returns those that are left. O(n log n).
std::vector<int> agglomerate(const OpLine &line, std::vector<int> positions, const PartitionSizes &sizes,
                             Growth growth);

/// The positions, both ends included, between which single ops of [from, to] grow together to the largest size.
std::vector<int> bottomToTop(const OpLine &line, int from, int to, const PartitionSizes &sizes);
/// Positions of the whole line, both ends included.
std::vector<int> sequencePositions(const OpLine &line, const PartitionSizes &sizes);
std::vector<int> moduleTreePositions(const OpLine &line, const PartitionSizes &sizes);

/// Groups of forward ops that grow together, with the backward ops that follow them: of all pairs that pass storages to
/// each other and have at most `maxOps` ops together, those go first whose union has the smallest (bytes in + bytes
/// out) · √ops (the score of H-Rockmate's bottom-to-top partitioner). `groupOfOp`: where they begin, of the forward ops
/// at least. The group of each op of the graph, numbered by their first ops. O(storages × readers × log).
std::vector<int> growSubgraphs(const OpLine &line, const std::vector<int> &groupOfOp, int maxOps);
/// From single ops on.
std::vector<int> subgraphLabels(const OpLine &line, const PartitionSizes &sizes);

} // namespace remat::hiremate
