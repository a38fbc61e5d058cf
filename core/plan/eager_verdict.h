// SPDX-License-Identifier: Apache-2.0
// The second half of every verdict: whether the graph that a plan is for is what PyTorch computes.
#pragma once

#include "core/base/words.h"
#include "core/graph/model.h"

#include <string>

namespace remat {

/// What is known of the model's graph against plain PyTorch, in a sentence or two; empty for graphs as JSON, which
/// nobody runs. Words default to English.
std::string eagerSentence(const Model &model, const Words &words = {});

/// The trace says that its graph is not what PyTorch computes: no plan of it is worth anything.
bool eagerDiffers(const Model &model);

} // namespace remat
