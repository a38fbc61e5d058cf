// SPDX-License-Identifier: Apache-2.0
// Work on several threads whose results do not depend on how many there are.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace remat {

/// Calls `work(i)` for every i in [0, count), on up to `threads` threads, the caller's included; returns when all are
/// done. Items are taken in order. The first exception of an item is thrown again on the caller's thread after the rest
/// has ended.
template <class Work>
void parallelFor(int threads, std::size_t count, const Work &work)
{
    std::atomic<std::size_t> next{0};
    std::exception_ptr failure;
    std::mutex failureMutex;
    const auto loop = [&] {
        for (std::size_t i = next.fetch_add(1); i < count; i = next.fetch_add(1)) {
            try {
                work(i);
            } catch (...) {
                const std::lock_guard lock(failureMutex);
                if (!failure) failure = std::current_exception();
            }
        }
    };
    const std::size_t helpers =
        std::min(static_cast<std::size_t>(std::max(threads, 1)), std::max<std::size_t>(count, 1)) - 1;
    std::vector<std::thread> pool;
    pool.reserve(helpers);
    for (std::size_t h = 0; h < helpers; ++h)
        pool.emplace_back(loop);
    loop();
    for (std::thread &thread : pool)
        thread.join();
    if (failure) std::rethrow_exception(failure);
}

} // namespace remat
