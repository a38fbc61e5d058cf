// SPDX-License-Identifier: Apache-2.0
// How long a job that is under way may still take.
#pragma once

#include <string>

namespace remat {

/// `about 3 min left`, when `fraction` (0 to 1) of a job has taken so many seconds; empty while that says too little:
/// in the first five seconds, and before a twentieth is done.
std::string timeLeft(double seconds, double fraction);

} // namespace remat
