// SPDX-License-Identifier: Apache-2.0
// Graphs that nobody would train, but that a file may hold.
#pragma once

#include "core/graph/graph.h"

#include <cstdint>

namespace remat::fuzz {

/// A chain, a diamond, a fan, a joint graph or any DAG of 1 to about 40 ops, with oddities at random: storages without
/// bytes or with gigabytes, ops without time or with hours, ops that read or make nothing, random ops, ops that may be
/// computed only once, workspace, storages that nobody reads, many outputs, and parts that have nothing to do with each
/// other. The same graph for the same seed on every machine.
Graph oddGraph(std::uint64_t seed);

} // namespace remat::fuzz
