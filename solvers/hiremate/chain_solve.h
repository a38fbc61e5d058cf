// SPDX-License-Identifier: Apache-2.0
// Plans from the program over the chain of the largest clusters.
#pragma once

#include "solvers/hiremate/all_options.h"

namespace remat::hiremate {

/// Solves the program, composes plans of its solutions, and offers them; lowers budgets while they are over the real
/// one. The hierarchy and the options outlive it.
class ChainSolver
{
public:
    ChainSolver(SolveState &solve, const Hierarchy &hierarchy, const AllOptions &options);

    /// Lowers the budget while the composed plan is over the real one. Further solves, and the first one where that has
    /// not helped, take off only where the plan is over.
    void solveToFit();

    /// At low budgets blocks would have to drop a storage between two uses in their own backward part, which no option
    /// does: the chain is solved for somewhat more memory, and its plan repaired on the whole graph.
    void solveLooser();

private:
    /// What has come of a program over the chain: no solution, or a plan within the budget or over it.
    enum class Composed { Nothing, Fits, Over };

    Composed solveTightened(int times, bool inPlace);
    void setAsideOverflow(const TopModel &top, const std::vector<double> &x, std::vector<std::int64_t> &setAside);
    std::optional<TopModel> build(std::int64_t budget, const std::vector<std::int64_t> &setAside = {}) const;
    ilp::Solution solveProgram(const TopModel &top, const std::vector<double> &start, bool tell);
    void tellFigures(const ilp::Progress &progress);
    std::int64_t offerChoice(const TopModel &top, const std::vector<double> &x);
    void repair();

    SolveState &m_solve;
    const Hierarchy &m_hierarchy;
    const AllOptions &m_options;
    const std::vector<BlockChoices> m_choices;
};

} // namespace remat::hiremate
