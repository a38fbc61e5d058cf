// SPDX-License-Identifier: Apache-2.0
// Ops that a step with updates of parameters, or with sums in place, must compute once.
#pragma once

#include "core/graph/graph.h"

#include <optional>

namespace remat {

/// Planners know no versions of a parameter: what an op makes of one that is updated later, and what is still read
/// after that update, they are to compute once, or they might compute it again from the new parameter, which the
/// checker refuses. The same holds of what is made of such results and read after the update. An output is in use to
/// the end. So it is with sums in place, which are made once with all that is added to them. Nothing where no op is
/// such a one.
std::optional<Graph> withLateReadsOnce(const Graph &graph);

} // namespace remat
