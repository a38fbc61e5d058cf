// SPDX-License-Identifier: Apache-2.0
// Writes a program anew with one region in pieces.
#pragma once

#include "core/chunk/builder.h"
#include "core/chunk/order.h"
#include "core/chunk/region.h"
#include "core/chunk/split.h"

#include <map>
#include <tuple>

namespace remat {

/// One use only. What stands outside the region stays as it is.
class RegionWriter
{
public:
    RegionWriter(Program program, const ChunkRegion &region, const RegionNodes &nodes, const ValueUses &uses);

    Expected<Program> write(const std::vector<NodeGroup> &groups);

private:
    void writeGroup(const NodeGroup &group);
    void writeCopy(NodeId id, int chunk);
    void addOutput(const Node &node, const Mode &mode, std::size_t output, int chunk, Node &copy);
    void addUp(const Node &node, ValueId sum, ValueId part, int chunk);
    void addNumber(const Node &node, ValueId sum, ValueId part, int chunk);
    bool isInBlocks(const Node &node, const Mode &mode) const;
    void writeBlocks(const Node &node, const Node &copy, int chunk);
    void join(const Node &node, ValueId whole, int cut);
    ValueId pieceOf(const Node &reader, ValueId value, int cut, int chunk);
    ValueId sliceOf(const Node &reader, ValueId value, int cut, int chunk);
    bool readOutside(ValueId id) const;
    bool isRead(ValueId id) const { return m_uses.isOutput[id.index()] || !m_uses.readers[id.index()].empty(); }
    bool addsWiden(ValueId sum) const;

    Program m_from; ///< nodes outside the region move from it when it is their turn
    const ChunkRegion &m_region;
    const RegionNodes &m_nodes;
    const ValueUses &m_uses;
    Program m_program;
    ProgramBuilder m_builder;
    std::map<std::pair<ValueId, int>, ValueId> m_copies;       ///< copies of what the region makes split, by piece
    std::map<std::tuple<ValueId, int, int>, ValueId> m_slices; ///< slices of what stands outside, by dim and piece
    std::map<ValueId, ValueId> m_sums;                         ///< so far
    std::map<ValueId, std::vector<ValueId>> m_blocks;          ///< likewise, of sums in blocks of rows
    std::map<ValueId, std::vector<ValueId>> m_numbers;         ///< parts of sums that are single numbers
    std::string m_failure;
};

} // namespace remat
