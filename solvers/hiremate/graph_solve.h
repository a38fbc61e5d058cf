// SPDX-License-Identifier: Apache-2.0
// One hierarchical solve of the whole graph, and those that follow it in other ways.
#pragma once

#include "solvers/hiremate/rounds.h"
#include "solvers/hiremate/state.h"

#include <set>
#include <string>
#include <vector>

namespace remat::hiremate {

/// The state outlives it.
class GraphSolver
{
public:
    explicit GraphSolver(SolveState &solve) : m_solve(solve) {}

    /// As asked: clusters, their options, the chain, replay.
    void solveFirst();

    /// Rounds of other cuts, block sizes, ever more options and other random numbers, until the plan is near the bound
    /// or time is up, or a whole round has found no plan at all; without a limit there would be no end to it. The
    /// table of clusters is in the end that of the solve that gave the best plan. Says how many solves there were and
    /// why they ended; empty when there were none.
    std::string solveAgain();

private:
    void solveAs(const Variation &next, int round);
    void solveChain();

    SolveState &m_solve;
    std::set<std::vector<int>> m_triedLabels; ///< in this round
};

} // namespace remat::hiremate
