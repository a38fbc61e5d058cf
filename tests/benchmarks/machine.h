// SPDX-License-Identifier: Apache-2.0
// What this machine and this process are worth: clocks, a yardstick, memory.
#pragma once

#include <functional>

namespace remat::bench {

/// CPU time of the whole process so far, in seconds.
double cpuSeconds();

/// CPU time of a fixed piece of work (integers, branches and reads all over 4 MiB), in seconds: the fastest of several
/// runs. Times divided by it can be compared between machines. Takes a twentieth of a second.
double yardstickSeconds();

/// Largest resident set of the process so far, in MiB; 0 when the system does not say.
double processPeakMib();

/// CPU time of one call, in seconds: the fastest of several calls, as many as fit into `spendSeconds`, at least one.
double fastest(const std::function<void()> &work, double spendSeconds = 0.3);

} // namespace remat::bench
