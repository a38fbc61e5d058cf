// SPDX-License-Identifier: Apache-2.0
// Random layered graphs, the instances on which constraint programming for rematerialization was published.
#pragma once

#include "core/graph/graph.h"

#include <cstdint>

namespace remat::test {

/// Defaults follow the random layered graphs of Bartan et al. (Moccasin: Memory Constrained Scheduling for Operator
/// Rematerialization, ICML 2023), which were made after appendix A of Gagrani et al. (Neural Topological Ordering for
/// Computation Graphs, NeurIPS 2022). Their generator is not public; the figures below were read off their graphs.
struct RandomLayeredParams {
    int ops = 1000;           ///< source and sink included; at least 4
    int layers = 0;           ///< 0: as published, 21 / 24 / 33 / 51 for 100 / 250 / 500 / 1,000 ops, between them by
                              ///< the logarithms of both; larger graphs are longer, not wider
    double edgeDensity = 0.2; ///< share of the pairs of ops in adjacent layers that are joined
    double skipShare = 0.135; ///< share of all edges that pass over a layer
    int maxTimeUs = 1000;     ///< time of an op: uniform, whole numbers from 1
    std::int64_t maxBytes = 8000; ///< bytes of what an op makes: right-skewed, the median about a fifth of it
};

/// A forward pass with one source and one sink, whose result is the output of the graph. Ops stand layer by layer;
/// layers are 0.1 to 1.9 times as wide as the mean, which is 4.8 / 10.4 / 15.2 / 19.6 at the published sizes. Every op
/// reads one of the layer before and is read by one of the layer after, further pairs are joined at random; skips join
/// random ops two layers or more apart. The same graph for the same seed on every machine.
Graph randomLayeredGraph(std::uint64_t seed, const RandomLayeredParams &params = {});

} // namespace remat::test
