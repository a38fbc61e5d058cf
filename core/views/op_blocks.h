// SPDX-License-Identifier: Apache-2.0
// Which ops of a model stand at the same place of identical blocks, and what ops and storages are called inside of
// their block. No painting.
#pragma once

#include "core/base/words.h"
#include "core/model/open_model.h"
#include "core/views/op_names.h"

#include <string>

#include <vector>

namespace remat {

/// Made once per model. A block is the outermost of the module clusters around an op that has copies; an op without
/// one is in the cluster it belongs to itself. Keeps no reference to the model. O(ops × depth).
class OpBlocks
{
public:
    OpBlocks() = default;
    explicit OpBlocks(const OpenModel &model, const Words &words = {});

    ClusterId block(OpId op) const { return m_blockOf[op.index()]; }
    /// Among the ops of its block, in graph order.
    int place(OpId op) const { return m_placeOf[op.index()]; }
    /// The first block that is like this one; itself when there is no other.
    ClusterId first(ClusterId block) const { return m_first[block.index()]; }
    /// Among blocks that are alike, from 0, and how many there are.
    int copy(ClusterId block) const { return m_copy[block.index()]; }
    int copies(ClusterId block) const { return m_copies[block.index()]; }

    /// `h.3`; empty for ops outside of all modules.
    std::string blockName(ClusterId block) const { return m_blockNames[block.index()]; }
    /// Name of several blocks that are alike: `h.0 – h.11`, or `6 of h.0 – h.11` where some between are missing. Blocks
    /// rise.
    std::string rangeOf(const std::vector<ClusterId> &blocks) const;
    /// Inside of the block: `mlp.c_fc`, `∂ attn 2`; the kind of the op where the block is nothing but this op.
    std::string opName(const Graph &graph, OpId op) const;
    /// Name of a storage, where one op makes several: `ln_1 output 2`.
    std::string storageName(const Graph &graph, StorageId storage) const;

private:
    Words m_words;
    OpNames m_names;
    std::vector<ClusterId> m_blockOf, m_first;
    std::vector<int> m_placeOf, m_ordinal, m_copy, m_copies;
    std::vector<std::string> m_blockNames, m_blockPaths; ///< paths are how the labels of ops begin
    std::vector<std::vector<ClusterId>> m_alike;         ///< per first block, all of them
};

} // namespace remat
