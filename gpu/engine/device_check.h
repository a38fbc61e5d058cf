// SPDX-License-Identifier: Apache-2.0
// Whether a device does what the engine rests on: copies, order, checksums, comparison, poison. Needs no plan.
#pragma once

#include "gpu/engine/accelerator.h"

#include <string>
#include <vector>

namespace remat {

/// One thing that was tried.
struct DeviceCheck {
    std::string name;
    bool passed = false;
    std::string sentence; ///< what was wrong; empty when it passed
};

/// Tries each on an accelerator that poisons what is closed; takes a few MiB of device and host memory meanwhile.
std::vector<DeviceCheck> checkDevice(Accelerator &accelerator);

} // namespace remat
