// From lower sets to a plan whose real peak fits.
#pragma once

#include "solvers/kusumoto/segment_program.h"
#include "solvers/solver.h"
#include "solvers/translate.h"

namespace remat::kusumoto {

/// What both planners of the family offer: strategy and time units.
std::vector<OptionRecord> lowerSetOptions();

/// The choice a sequence of lower sets stands for: borders and the last segment are kept, each other segment is
/// computed again once when its backward part needs it.
ForwardChoice forwardChoice(const FlatGraph &flat, const ForwardDag &dag, const SegmentProgram &program,
                            const Segments &segments);

/// Searches the model budget whose sequence gives the fastest plan within the real budget. The model knows neither
/// gradients' real sizes nor liveness, so that its budget is only a dial: a grid over all that makes a difference, then
/// bisection around the best. Reads the options of `lowerSetOptions`.
Expected<SolveOutcome> planLowerSets(const SolveRequest &request, const SolveContext &context, const FlatGraph &flat,
                                     const ForwardDag &dag, std::vector<NodeSet> sets);

} // namespace remat::kusumoto
