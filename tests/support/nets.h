// SPDX-License-Identifier: Apache-2.0
// Training graphs of published convolutional networks, by hand: layer shapes at 224 × 224, sizes in KiB of one image,
// times from the multiplications. In the form of Checkmate's own graphs: one op a layer, a loss, and for each layer one
// op that makes the gradient of its output.
#pragma once

#include "core/graph/graph.h"

#include <string>
#include <vector>

namespace remat::test {

/// One layer of the forward pass.
struct Layer {
    std::vector<int> inputs; ///< earlier layers
    std::int64_t bytes = 1;
    double timeUs = 1;
};

/// The gradient of a layer's output reads the gradients of its readers, and what those read and made; it takes twice
/// the reader's time. What is held at the end is the first layer's gradient.
Graph trainingGraph(const std::string &name, const std::vector<Layer> &layers);

Graph vgg16();   ///< 45 ops
Graph vgg19();   ///< 51 ops
Graph vggUnet(); ///< VGG16's convolutions with a decoder of four levels and skip connections: 71 ops

} // namespace remat::test
