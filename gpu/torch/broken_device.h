// SPDX-License-Identifier: Apache-2.0
// The faults that a simulated device has on purpose.
#pragma once

#include "gpu/torch/interpreter.h"

namespace remat {

/// From now on the interpreter's ops fail as the device says. Fails when the model has no op of that name.
Expected<void> breakOps(Interpreter &interpreter, const SimulatedDevice &device);

} // namespace remat
