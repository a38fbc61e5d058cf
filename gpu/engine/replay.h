// SPDX-License-Identifier: Apache-2.0
// One run of a plan, as it was measured.
#pragma once

#include "core/plan/simulator.h"

#include <vector>

namespace remat {

/// One run of a plan.
struct Replay {
    std::vector<StepMeasurement> steps;
    std::int64_t peakBytes = 0;
    double timeUs = 0;
    std::int64_t heightBytes = 0; ///< end of the highest address; 0 where addresses are not ours
    std::int64_t hostBytes = 0;   ///< size of the block of host memory for offloaded storages
};

} // namespace remat
