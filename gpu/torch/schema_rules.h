// SPDX-License-Identifier: Apache-2.0
// What the schema of an operator must look like before it is called.
#pragma once

#include <ATen/core/function_schema.h>

namespace remat {

/// True when the operator takes and gives nothing but tensors, numbers and words of a fixed choice (`rounding_mode`):
/// a second look at what the list of allowed operators promises, for a LibTorch of another version.
bool isComputation(const c10::FunctionSchema &schema);

} // namespace remat
