// SPDX-License-Identifier: Apache-2.0
// Updates by PyTorch's fused kernels, which take memory as it lies.
#pragma once

#include "core/base/expected.h"
#include "core/graph/program.h"

#include <ATen/core/ivalue.h>
#include <vector>

namespace remat {

/// The arguments of a fused update (gpu/updated_model.h): its kernels go through parameter, gradient and states element
/// by element as they lie in memory, whatever their strides. A gradient that lies in another order than its parameter
/// is copied into that order, as autograd does when it fills `.grad`. Fails with a sentence where sizes or types
/// differ, and where the parameter has gaps.
Expected<void> fitGradients(const Node &node, std::vector<c10::IValue> &stack);

} // namespace remat
