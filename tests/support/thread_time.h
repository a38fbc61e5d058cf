// SPDX-License-Identifier: Apache-2.0
// The processor's time that the calling thread has used, which other work on the machine adds little to.
#pragma once

#include <ctime>

namespace remat::test {

/// Milliseconds since the thread began. Any thread, each its own.
inline double threadMs()
{
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

} // namespace remat::test
