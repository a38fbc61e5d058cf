// SPDX-License-Identifier: Apache-2.0
// Times the ops of a pass on the device's own clock.
#pragma once

#include "core/base/ids.h"

#include <ATen/core/Tensor.h>
#include <c10/core/Event.h>
#include <chrono>
#include <vector>

namespace remat {

/// On a GPU with events, so that the queue is never drained; on a CPU with the clock.
class OpClock
{
public:
    OpClock(c10::Device device, std::size_t ops);
    void begin(OpId op);
    void end(OpId op);
    /// Time of each op of the last pass, in µs; 0 for those that never ran. The pass must be over on the device.
    std::vector<double> timesUs() const;

private:
    using Clock = std::chrono::steady_clock;
    c10::Stream stream() const;

    c10::Device m_device;
    std::vector<c10::Event> m_events;
    std::vector<double> m_hostUs;
    std::vector<char> m_ended;
    Clock::time_point m_begin;
};

/// Keeps a GPU busy while its queue is filled. A GPU that waits for the host shows how long the host takes to launch
/// an op, not how long the op takes; so before a pass that is timed it is given work for as long as the host will need
/// to put the pass into its queue. On a CPU, which has no queue, it does nothing.
class QueueFiller
{
public:
    explicit QueueFiller(c10::Device device);
    /// Puts work of about that many µs onto the stream of computing, at most a second of it.
    void fill(double us);

private:
    at::Tensor m_a, m_b, m_product;
    double m_onceUs = 0; ///< that one product takes
};

} // namespace remat
