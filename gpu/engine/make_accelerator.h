// SPDX-License-Identifier: Apache-2.0
// The accelerator behind each device that a run can be on.
#pragma once

#include "core/costs/cost_table.h"
#include "gpu/engine/accelerator.h"
#include "gpu/engine/run_device.h"

#include <memory>

namespace remat {

/// The first GPU, by its module; otherwise one on the CPU: on the simulated device with the link of the costs and, when
/// `memoryBytes` is above 0, no more memory than that. `poison`: freed memory is filled. Fails with a sentence when
/// there is none.
Expected<std::unique_ptr<Accelerator>> makeAccelerator(RunDevice device, const CostTable &costs, bool poison,
                                                       std::int64_t memoryBytes);

} // namespace remat
