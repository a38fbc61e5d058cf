// SPDX-License-Identifier: Apache-2.0
// How the whole-graph program is solved: relaxations, cuts, bound and best plan.
#pragma once

#include "core/teaching/stories/story.h"
#include "solvers/checkmate/model.h"

namespace remat::checkmate {

/// Writes a frame for each relaxation and each report of branch and cut. Times are added times over keep-all, in µs;
/// infinite: there is no plan yet. Does nothing without a story. Outlived by what it is made with.
class ProgramStory
{
public:
    ProgramStory(Story *story, const FlatGraph &flat, std::int64_t budgetBytes)
        : m_story(story), m_flat(flat), m_budgetBytes(budgetBytes)
    {
    }

    /// The search has given its plan.
    void start(double bestUs, double boundUs);
    /// A linear relaxation, after so many cuts were added to the one before.
    void relaxed(const SlotProgram &slots, const ilp::Relaxation &relaxation, int cuts);
    /// Columns that were fixed by their reduced costs.
    void fixes(int columns, int of);
    /// CBC reports; `incumbentUs` of the program, which may be coarser than the plans.
    void branches(double incumbentUs, double bestUs, double boundUs);
    /// CBC has found that no solution is better than the best plan, which becomes the bound.
    void exhausted(double bestUs);
    /// A solution of the program, replayed.
    void found(double extraUs, std::int64_t peakBytes, double bestUs, double boundUs);
    void finish(double bestUs, double boundUs, bool proven);

private:
    void add(StoryFrame frame, double bestUs, double boundUs);

    Story *m_story;
    const FlatGraph &m_flat;
    std::int64_t m_budgetBytes;
    double m_bestUs = ilp::kInfinity, m_boundUs = 0;
    StorySeries m_best{"best plan", {}}, m_bound{"bound", {}}, m_relaxations{"relaxation", {}};
};

} // namespace remat::checkmate
