// From the choices of the top program to a plan of the whole graph, and what can still be saved there.
#pragma once

#include "core/base/stop_token.h"
#include "core/plan/sequence_evaluator.h"
#include "solvers/hiremate/top_model.h"

#include <functional>

namespace remat::hiremate {

/// The recomputations that a choice stands for, tidied.
std::vector<Recompute> compose(const FlatGraph &flat, const Chain &chain, const std::vector<BlockChoices> &choices,
                               const TopChoice &choice);

/// Peak and time of a set on the whole graph, exactly.
SequenceCost replay(const FlatGraph &flat, SequenceEvaluator &evaluator, const std::vector<Recompute> &recomputes);

/// Drops recomputations, dearest first, while the peak stays within the budget (or, when it is over, does not grow).
/// `stop` is asked between trials.
void undo(const FlatGraph &flat, SequenceEvaluator &evaluator, std::int64_t budgetBytes,
          std::vector<Recompute> &recomputes, const std::function<bool()> &stop);

} // namespace remat::hiremate
