// SPDX-License-Identifier: Apache-2.0
// Which of two plans is better, by how much, why, and what was unequal when they were made.
#pragma once

#include "core/base/words.h"
#include "core/views/comparison.h"

#include <string>
#include <vector>

namespace remat {

/// Says it in words. There always is a verdict: where each plan is better at something, both are named.
struct CompareVerdict {
    BetterPlan better = BetterPlan::Neither; ///< none where both are equal, or each is better at something
    std::string title;                       ///< `A is faster at the same peak`
    std::string sentence;                    ///< by how much
    std::vector<std::string> why;            ///< the largest differences, at most three, a sentence or two each
    std::vector<std::string> unequal;        ///< conditions that differ: what makes the comparison one of two things
};

/// One side: a plan, its figures, and the letter it goes by.
struct CompareOne {
    const PlanEntry &plan;
    const PlanFigures &figures;
    std::string letter;
};

/// Judges two plans of one model under the same costs. Under one budget that both keep, the faster one is better
/// however little memory the other one takes; without one, less of both is.
CompareVerdict compareVerdict(const CostedModel &model, const CompareOne &a, const CompareOne &b,
                              const PlanComparison &comparison, const Words &words = {});

/// The same with all that it takes: uses and figures of both plans, and how they differ by storages. O(steps).
CompareVerdict compareVerdict(const CostedModel &model, const PlanEntry &a, const PlanEntry &b,
                              const std::string &letterOfB = "B");

} // namespace remat
