// SPDX-License-Identifier: Apache-2.0
// Which ops of a model a filter finds.
#pragma once

#include "core/costs/cost_table.h"
#include "core/plan/pins.h"
#include "core/views/filter.h"
#include "core/views/graph_figures.h"

#include <string>
#include <vector>

namespace remat {

/// What searches see of one op.
struct OpFacts {
    std::string name;       ///< as the user wrote it: `h.11.mlp.c_fc`, `∂ h.11.mlp.c_fc`
    std::string folded;     ///< name, kind, node name and path in lower case
    std::string kind;       ///< lower case
    std::string path;       ///< path of the module, lower case
    std::string dtype;      ///< type of the largest thing it makes: `f32`; empty when unknown
    std::int64_t bytes = 0; ///< it makes
};
/// Per op; made once per model.
std::vector<OpFacts> opFacts(const Graph &graph);

/// What a plan does with every op.
struct OpFates {
    std::vector<NodeState> states;
    std::vector<std::uint16_t> recomputations; ///< computations after the first
};
/// O(ops + steps).
OpFates opFates(const Graph &graph, const MemoryTimeline &timeline);

/// Where a filter looks. `fates` may be null for filters that do not ask for a plan.
struct SearchedOps {
    const Graph &graph;
    const CostTable &costs;
    const std::vector<OpFacts> &facts;
    const OpFates *fates;
    const Pins &pins;
};
/// Ops that meet the filter, in graph order. O(ops × terms).
std::vector<OpId> findOps(const Filter &filter, const SearchedOps &searched);

} // namespace remat
