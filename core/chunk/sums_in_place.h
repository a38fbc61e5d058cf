// SPDX-License-Identifier: Apache-2.0
// Sums of gradients that are added up where they lie.
#pragma once

#include "core/graph/program.h"

namespace remat {

/// The same program, in which sums that become gradients are written into their first term (`addmm_`,
/// `add_`) instead of beside it: the running sums of chunks, and those of weights that are used twice. A term is taken
/// where an op of the program makes it, nothing else reads it, and it lies in memory as the sum does. Nodes and values
/// keep their names, and the sums their bits. O(program).
Program withSumsInPlace(Program program);

} // namespace remat
