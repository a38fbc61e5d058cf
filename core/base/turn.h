// SPDX-License-Identifier: Apache-2.0
// One at a time, for work that can be stopped while it waits.
#pragma once

#include "core/base/stop_token.h"

#include <chrono>
#include <mutex>
#include <thread>

namespace remat {

/// Waits for the mutex until `stop` says so; what comes back does not own it then. Looks every millisecond instead of
/// waiting on a std::timed_mutex, which the ThreadSanitizer of GCC 12 does not know. Any thread.
inline std::unique_lock<std::mutex> takeTurn(std::mutex &mutex, const StopCheck &stop)
{
    std::unique_lock lock(mutex, std::try_to_lock);
    while (!lock.owns_lock() && !stop()) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        lock.try_lock();
    }
    return lock;
}

} // namespace remat
