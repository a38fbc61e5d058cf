// SPDX-License-Identifier: Apache-2.0
// Sequences that follow decisions to recompute.
#pragma once

#include "core/plan/pins.h"

#include <vector>

namespace remat::steer {

/// The sequence with each op of `pins.recompute` computed again right before the first op after the forward pass that
/// reads what it makes, where no other computation is between; what it reads lives on until then, or is computed
/// again itself. Takes no other decision into account. The sequence must be possible, and stays so.
/// O(pins × sequence × degree).
std::vector<OpId> repaired(const Graph &graph, const Pins &pins, std::vector<OpId> sequence);

} // namespace remat::steer
