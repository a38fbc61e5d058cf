// SPDX-License-Identifier: Apache-2.0
// A trace whose step holds the updates of an optimizer, as a program that runs.
#pragma once

#include "core/graph/optimizer.h"

namespace remat {

/// The model with `withUpdates(model, updates)` as its graph; its program, where it has one, gets what that needs:
/// the optimizer's states as inputs of zeros, the number of its step as one more (1: it is the first), and for each
/// update a call of PyTorch's fused kernel (`aten::_fused_adamw_`, `_fused_adam_`, `_fused_sgd_`) with the settings of
/// torch.optim: learning rate 1e-3, betas 0.9 and 0.999, eps 1e-8, weight decay 1e-2 for AdamW and none for others,
/// momentum 0.9 without dampening. Of its outputs, gradients that an update reads are gone; every parameter and state
/// is there, as it is after its update. Without updates the model as it is. Fails as `withUpdates` does. O(model).
///
/// These kernels trust their arguments, and are on no list of operators that a trace may name (`isAllowedOperator`):
/// look at the operators of the model that was read, then make this of it.
Expected<Model> updatedModel(const Model &model, const Updates &updates);

} // namespace remat
