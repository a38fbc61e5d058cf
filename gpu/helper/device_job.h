// SPDX-License-Identifier: Apache-2.0
// The job of looking at a device, without LibTorch.
#pragma once

#include "gpu/run_messages.h"

namespace remat {

/// Checks the device of the request and measures its link; `cuda` is the module for GPUs, or why there is none.
DeviceFindings lookAtDevice(const RunRequest &request, const Expected<CudaModule *> &cuda);

} // namespace remat
