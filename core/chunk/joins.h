// SPDX-License-Identifier: Apache-2.0
// Tensors that are joined only to be cut where they were joined.
#pragma once

#include "core/graph/program.h"

namespace remat {

/// The same program, in which a slice that lies within one part of a `cat`, along the dim that it joins, is read from
/// that part. A convolution of joined channels that runs in pieces along them thus never joins them, and each part of
/// the channels has a gradient that is a tensor of its own. Slices that views are made of stay, and what nothing reads
/// any more goes. O(program).
Program withoutJoins(Program program);

} // namespace remat
