// SPDX-License-Identifier: Apache-2.0
// The tensors a run starts from: parameters, buffers, constants and inputs.
#pragma once

#include "gpu/torch/interpreter.h"

namespace remat {

/// Fills every input of the program: from the archive where it has the data, otherwise made up from the input's recipe
/// with a generator of our own, so that the same seed gives the same bits everywhere.
Expected<void> loadInputs(Interpreter &interpreter, std::uint64_t seed);

} // namespace remat
