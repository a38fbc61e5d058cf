// SPDX-License-Identifier: Apache-2.0
// From the choices of the top program to a plan of the whole graph.
#pragma once

#include "core/plan/sequence_evaluator.h"
#include "solvers/hiremate/top/top_model.h"

namespace remat::hiremate {

/// The recomputations that a choice stands for, tidied.
std::vector<Recompute> compose(const FlatGraph &flat, const Chain &chain, const std::vector<BlockChoices> &choices,
                               const TopChoice &choice);

/// Peak and time of a set on the whole graph, exactly.
SequenceCost replay(const FlatGraph &flat, SequenceEvaluator &evaluator, const std::vector<Recompute> &recomputes);

} // namespace remat::hiremate
