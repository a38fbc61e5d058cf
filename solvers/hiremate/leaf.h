// SPDX-License-Identifier: Apache-2.0
// Who finds the options of a block.
#pragma once

#include "solvers/blocks/closure.h"

#include <string>
#include <vector>

namespace remat::hiremate {

/// What the option `leaf` takes: `ilp` (integer programs over what is kept, with those of the
/// search), `search` (the greedy alone), `cheap` (one option for each price of memory: what costs less to compute again
/// is dropped), or the name of a planner.
const std::vector<std::string> &leafPlannerNames();

/// Options of one block by the leaf planner of that name, undominated. A planner is run on the block as a graph of its
/// own (see `blockGraph`) on HiRemate's grid: for some limits on its memory, from what keeping everything takes down to
/// half of that, and in each for some amounts kept from forward to backward, as long as it finds plans. Each of these
/// gets its share of the time there is. What it does not apply to has no options of its own. Whatever the leaf planner,
/// keeping everything and keeping the least are options too.
/// `told(options so far)` may be empty. Stops early with what it has. Any thread.
std::vector<Option> leafOptions(const std::string &leaf, const FlatGraph &flat, const Chain &chain, const Block &block,
                                const ClosureSettings &settings, const std::function<void(int)> &told);

} // namespace remat::hiremate
