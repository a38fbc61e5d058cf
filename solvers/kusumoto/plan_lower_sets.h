// SPDX-License-Identifier: Apache-2.0
// From lower sets to a plan whose real peak fits.
#pragma once

#include "solvers/interface/solver.h"
#include "solvers/kusumoto/segment_program.h"
#include "solvers/tools/setting_search.h"
#include "solvers/tools/translate.h"

#include <functional>
#include <optional>

namespace remat::kusumoto {

/// What both planners of the family offer.
struct LowerSetOptions {
    std::optional<Aim> strategy;          ///< none: both, the better plan of the two
    SettingGoal goal = SettingGoal::Time; ///< or the smallest budget
    int timeSteps = 500;                  ///< units that the forward pass is divided into
};
OptionTable<LowerSetOptions> lowerSetOptions();

/// The choice a sequence of lower sets stands for: borders and the last segment are kept, each other segment is
/// computed again once when its backward part needs it.
ForwardChoice forwardChoice(const FlatGraph &flat, const ForwardDag &dag, const SegmentProgram &program,
                            const Segments &segments);

/// The lower sets to look at; none when it was stopped before it knew them. Fails with a sentence when there are too
/// many.
using SetSource = std::function<Expected<std::optional<std::vector<NodeSet>>>(const ForwardDag &)>;

/// Searches the model budget whose sequence of lower sets gives the fastest plan within the real budget. The model
/// knows neither gradients' real sizes nor liveness, so that its budget is only a number to search over: a grid over
/// all that makes a difference, then bisection around the best. For the smallest budget it takes a finer grid, every
/// budget where those are few, then all sequences that the program finds between the neighbours of the best. Fails with
/// a sentence when there is no backward part.
Expected<SolveOutcome> planLowerSets(const SolveRequest &request, const SolveContext &context,
                                     const LowerSetOptions &options, const SetSource &source);

} // namespace remat::kusumoto
