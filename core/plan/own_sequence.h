// SPDX-License-Identifier: Apache-2.0
// What a model that checkpoints activations by itself does without any plan of ours.
#pragma once

#include "core/graph/graph.h"

#include <vector>

namespace remat {

/// The order in which such a model computes under PyTorch (torch.utils.checkpoint without reentrant autograd). `parts`
/// has for each op the number of the part that the model checkpoints and the op lies in, -1 for none. What only this
/// part read is let go in the forward; all that is needed of it is computed again at once, before the first op of the
/// backward pass that reads something of it. Ops that may be computed only once keep what they make. O(graph log
/// parts).
std::vector<OpId> ownSequence(const Graph &graph, const std::vector<int> &parts);

} // namespace remat
