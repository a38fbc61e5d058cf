// SPDX-License-Identifier: Apache-2.0
// Options of blocks for the chain: cheap ones first, then those of rk-Checkmate.
#pragma once

#include "solvers/chain/plan_chain.h"

#include <map>
#include <string>
#include <vector>

namespace remat::rockmate {

struct BlockSolverSettings {
    int peaks = 10;       ///< budgets of the peak
    int saves = 10;       ///< budgets of what is held from the forward to the backward part
    int levels = 20;      ///< amounts kept that are tried for the first plans
    int optionLimit = 30; ///< per block
};
OptionTable<BlockSolverSettings> blockSolverOptions();

/// The options of each block that no earlier one is like, for one solve of one planner. On all threads of the context.
/// All that it is made with outlives it, and it outlives its sources.
class BlockSolver
{
public:
    BlockSolver(const BlockSolverSettings &settings, const SolveContext &context)
        : m_settings(settings), m_context(context)
    {
    }

    /// The priced options and one per amount of memory kept, each by a small integer program: the least time to
    /// compute again what is not kept; blocks too large for that have the priced options alone. Takes a sixth of
    /// the time there is at most.
    chain::OptionSource first(const FlatGraph &flat, Incumbent &incumbent);

    /// Those, and the best schedules of each block over the grid of budgets (`solveGrid`), which for this way to cut
    /// take an equal share of most of the time there is. Tells the incumbent about every block.
    chain::OptionSource grid(const FlatGraph &flat, Incumbent &incumbent, int waysLeft);

    /// What could not be proven, or was too large; empty when there is nothing to say.
    std::string note() const;

private:
    using Found = std::vector<std::vector<hiremate::Option>>;

    const BlockSolverSettings &m_settings;
    const SolveContext &m_context;
    std::map<std::vector<int>, Found> m_first; ///< by the block of each op
    int m_cells = 0, m_open = 0, m_blocks = 0, m_openBlocks = 0, m_large = 0;
    std::string m_openName, m_largeName; ///< an open block and a large one, each with its size
};

/// Plans by tables over the chain with those options, and says in the outcome what was not proven.
Expected<SolveOutcome> planWithBlocks(const SolveRequest &request, const SolveContext &context,
                                      const chain::TableOptions &table, const BlockSolverSettings &settings,
                                      chain::TablePlanning planning);

} // namespace remat::rockmate
