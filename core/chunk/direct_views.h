// SPDX-License-Identifier: Apache-2.0
// Views that only have other sizes than the view before them.
#pragma once

#include "core/graph/program.h"

namespace remat {

/// The same program, in which a view of a view that says its own sizes is one of the tensor itself, where all three lie
/// alike in memory. Logits that are shown as [8, 512, words] between two products of [4096, words] can thus be cut
/// in 12. Views that nothing looks through any more go; their values stay without a maker. O(program).
Program withDirectViews(Program program);

} // namespace remat
