// SPDX-License-Identifier: Apache-2.0
// How the dynamic program over a chain fills its table, told cell by cell.
#pragma once

#include "solvers/chain/chain_table.h"
#include "solvers/chain/stage_chain.h"

namespace remat::chain {

/// Writes a frame for each cell Opt(·, s, t): the table so far, what was taken and why, and its value for every
/// amount of memory. What it is made with outlives it.
class TableStory
{
public:
    /// `story` may be none as long as nothing is told.
    TableStory(Story *story, const FlatGraph &flat, const StageChain &chain, std::int64_t budgetBytes)
        : m_story(story), m_flat(flat), m_chain(chain), m_budgetBytes(budgetBytes)
    {
    }

    /// The cell of the stages s … t, whose input may be freed, is filled.
    void filled(const ChainTable &table, int s, int t);
    /// What the best plan from the table comes to on the graph.
    static void finish(Story &story, const FlatGraph &flat, const std::vector<Recompute> &best,
                       std::int64_t budgetBytes);

private:
    int memorySlots(const ChainTable &table) const;
    std::string explained(const ChainTable &table, int s, int t, int memory) const;
    StoryTable tableAt(const ChainTable &table, int s, int t) const;

    Story *m_story;
    const FlatGraph &m_flat;
    const StageChain &m_chain;
    std::int64_t m_budgetBytes;
};

} // namespace remat::chain
