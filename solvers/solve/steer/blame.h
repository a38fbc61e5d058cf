// SPDX-License-Identifier: Apache-2.0
// Which decision made by hand stands in the way of a plan.
#pragma once

#include "core/costs/cost_table.h"
#include "core/plan/pins.h"

#include <cstdint>
#include <functional>
#include <string>

namespace remat::steer {

/// Takes each decision back on its own and says, in one or two sentences, which of them leaves the smallest peak when
/// it is gone: the smallest that the greedy search reaches, which may not be the smallest there is. Empty when none
/// makes a difference. With very many decisions only those about most bytes are tried. A `stop` that says so ends it
/// with what was tried; so do two seconds.
std::string mostBinding(const Graph &graph, const CostTable &costs, const Pins &pins, std::int64_t budgetBytes,
                        const std::function<bool()> &stop);

} // namespace remat::steer
