// SPDX-License-Identifier: Apache-2.0
// CBC in a process of its own, remat-cbc: what goes wrong in it ends that process and not the program.
#pragma once

#include "solvers/ilp/cbc.h"

#include <optional>
#include <string>

namespace remat::ilp {

/// `$REMAT_CBC`, or remat-cbc beside this program, or where it was built. Empty when there is none.
std::string helperProgram();

/// As solveInProcess(), and several at once. Blocks until the helper has ended; it is asked to stop when the limits say
/// so, and killed when it does not within a second, whether it reads, writes or does neither. One that died of a failed
/// assertion, was killed, or answered with what is no solution of the model gives Failed or Stopped without a solution,
/// with the last bound it told. Nothing when no helper could be started, or one of another build.
std::optional<Solution> solveInHelper(const Model &model, const Limits &limits);

} // namespace remat::ilp
