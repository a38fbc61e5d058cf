// SPDX-License-Identifier: Apache-2.0
#include "core/views/memory_step.h"

#include "core/base/units.h"

namespace remat {

std::int64_t memoryStepBytes(std::int64_t keepAllPeakBytes)
{
    if (keepAllPeakBytes >= 4 * kGiB) return kGiB;
    for (const std::int64_t unit : {kMiB, kKiB, std::int64_t(1)})
        for (const std::int64_t count : {500, 200, 100, 50, 20, 10, 5, 2, 1})
            if (count * unit * 6 <= keepAllPeakBytes) return count * unit;
    return 1;
}

} // namespace remat
