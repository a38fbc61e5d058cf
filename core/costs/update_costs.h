// SPDX-License-Identifier: Apache-2.0
// Costs of a training step with updates, from those of the step without.
#pragma once

#include "core/costs/cost_table.h"

namespace remat {

/// The costs of a graph that has the ops of `base` in their order, and others between them (`withUpdates`), which are
/// taken as memory-bound: they read what they read, and write what they update; those on the host in the
/// host's memory (`Device::hostBytesPerSecond`).
/// O(graph).
CostTable costsWithMore(const Graph &base, const CostTable &costs, const Graph &graph, const Device &device);

} // namespace remat
