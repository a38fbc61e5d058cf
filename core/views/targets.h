// SPDX-License-Identifier: Apache-2.0
// What a decision made in the window is about.
#pragma once

#include "core/plan/pins.h"
#include "core/views/graph_tree.h"
#include "core/views/selection.h"

namespace remat {

/// Ops and storages that the next decision is about; both empty when nothing is selected.
struct Targets {
    std::vector<OpId> ops;
    std::vector<StorageId> storages; ///< set when one storage of an op that makes several leads
    bool empty() const { return ops.empty() && storages.empty(); }
};

/// The selected op or storage; where none is, what the cluster at `clusterPath` holds.
Targets targetsOf(const Graph &graph, const Selection &selection, const GraphTree &tree,
                  const std::string &clusterPath);

/// The pins after a decision about the targets; of a cluster, what its forward ops make is what is to be kept.
Pins decided(const Graph &graph, const Pins &pins, Decision decision, const Targets &targets);

} // namespace remat
