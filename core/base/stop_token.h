// SPDX-License-Identifier: Apache-2.0
// How long work may go on: a stop that any thread can trigger once, and a clock.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <limits>

namespace remat {

/// Trigger-once stop flag. Once requested it cannot be taken back; a new solve takes a new token. Thread-safe.
class StopToken
{
public:
    void requestStop() { m_stopped.store(true, std::memory_order_relaxed); }
    bool stopRequested() const { return m_stopped.load(std::memory_order_relaxed); }

private:
    std::atomic<bool> m_stopped{false};
};

/// A point in time after which a solve must return what it has.
class Deadline
{
public:
    using Clock = std::chrono::steady_clock;

    /// Never passes.
    Deadline() = default;
    /// Passes `seconds` from now.
    explicit Deadline(double seconds)
        : m_end(Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds))),
          m_totalSeconds(seconds),
          m_limited(true)
    {
    }

    /// As it was made: does not run out. Infinity when there is no limit.
    double totalSeconds() const { return m_totalSeconds; }

    /// Seconds left, never negative; infinity when there is no limit.
    double secondsLeft() const
    {
        if (!m_limited) return std::numeric_limits<double>::infinity();
        const double left = std::chrono::duration<double>(m_end - Clock::now()).count();
        return left > 0 ? left : 0.0;
    }
    bool passed() const { return m_limited && Clock::now() >= m_end; }

private:
    Clock::time_point m_end{};
    double m_totalSeconds = std::numeric_limits<double>::infinity();
    bool m_limited = false;
};

/// Asked now and then by work that may take long: true when it has to end with what it has. Empty: it never has to.
using StopCheck = std::function<bool()>;

} // namespace remat
