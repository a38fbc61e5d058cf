// SPDX-License-Identifier: Apache-2.0
// The graphs that benchmarks run on, by name.
#pragma once

#include "core/costs/cost_table.h"
#include "core/graph/model.h"

#include <string>

namespace remat::bench {

/// A graph with its costs and its keep-all figures.
struct Instance {
    std::string name;
    std::string file; ///< where it was read from; empty for graphs made here
    Model model;
    CostTable costs;
    std::int64_t keepAllPeakBytes = 0;
    double keepAllTimeUs = 0;

    const Graph &graph() const { return model.graph; }
};

/// `gpt2`: a sample or a test trace, under the device `reference`; a path with a dot in it: any file. Made here:
/// `layered:24`, a transformer of that many layers; `random:1000` or `random:1000:7`, a random layered graph of that
/// many ops, with seed 7; `chain:200`, stages of uneven size; `u:5x3`, five levels with three convolutions a side.
Expected<Instance> makeInstance(const std::string &name);

} // namespace remat::bench
