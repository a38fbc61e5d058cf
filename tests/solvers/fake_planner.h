// SPDX-License-Identifier: Apache-2.0
// A planner that answers with what a test wants.
#pragma once

#include "solvers/interface/solver.h"

#include <functional>
#include <utility>

namespace remat::test {

using Answer = std::function<Expected<SolveOutcome>(const SolveRequest &, const SolveContext &)>;

inline Planner fakePlanner(Answer answer, bool usesTime = false)
{
    return {.info = {.name = "fake", .usesTime = usesTime}, .plan = std::move(answer)};
}

} // namespace remat::test
