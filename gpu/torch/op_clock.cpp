// SPDX-License-Identifier: Apache-2.0
#include "gpu/torch/op_clock.h"

#include "gpu/torch/replay.h"

#include <ATen/ops/mm.h>
#include <ATen/ops/zeros.h>
#include <algorithm>
#include <c10/core/impl/VirtualGuardImpl.h>
#include <cmath>

namespace remat {
namespace {

constexpr double kUsPerMs = 1000;

c10::Stream streamOf(c10::Device device)
{
    return c10::impl::VirtualGuardImpl(device.type()).getStream(device);
}

} // namespace

OpClock::OpClock(c10::Device device, std::size_t ops)
    : m_device(device), m_hostUs(device.is_cuda() ? 0 : ops, 0.0), m_ended(ops, 0)
{
    if (!device.is_cuda()) return;
    m_events.reserve(2 * ops);
    for (std::size_t index = 0; index < 2 * ops; ++index)
        m_events.emplace_back(device.type(), c10::EventFlag::BACKEND_DEFAULT);
}

void OpClock::begin(OpId op)
{
    if (m_device.is_cuda())
        m_events[2 * op.index()].record(stream());
    else
        m_begin = Clock::now();
}

void OpClock::end(OpId op)
{
    if (m_device.is_cuda())
        m_events[2 * op.index() + 1].record(stream());
    else
        m_hostUs[op.index()] = std::chrono::duration<double, std::micro>(Clock::now() - m_begin).count();
    m_ended[op.index()] = 1;
}

std::vector<double> OpClock::timesUs() const
{
    if (!m_device.is_cuda()) return m_hostUs;
    std::vector<double> times(m_ended.size(), 0.0);
    for (std::size_t op = 0; op < times.size(); ++op)
        if (m_ended[op] != 0) times[op] = m_events[2 * op].elapsedTime(m_events[2 * op + 1]) * kUsPerMs;
    return times;
}

c10::Stream OpClock::stream() const
{
    return streamOf(m_device);
}

QueueFiller::QueueFiller(c10::Device device)
{
    if (!device.is_cuda()) return;
    // Some 0.3 to 1 ms a product: few launches for a queue that holds about a thousand.
    constexpr std::int64_t kSide = 2048;
    const auto options = at::TensorOptions(at::kFloat).device(device);
    m_a = at::zeros({kSide, kSide}, options);
    m_b = at::zeros({kSide, kSide}, options);
    m_product = at::zeros({kSide, kSide}, options);
    constexpr int kTimes = 8;
    at::mm_out(m_product, m_a, m_b);
    c10::Event begin(device.type(), c10::EventFlag::BACKEND_DEFAULT),
        end(device.type(), c10::EventFlag::BACKEND_DEFAULT);
    begin.record(streamOf(device));
    for (int i = 0; i < kTimes; ++i)
        at::mm_out(m_product, m_a, m_b);
    end.record(streamOf(device));
    synchronize(device);
    m_onceUs = begin.elapsedTime(end) * kUsPerMs / kTimes;
}

void QueueFiller::fill(double us)
{
    constexpr double kMostUs = 1e6, kMostProducts = 500;
    if (m_onceUs <= 0) return;
    const double products = std::min(kMostProducts, std::ceil(std::min(us, kMostUs) / m_onceUs));
    for (int i = 0; i < static_cast<int>(products); ++i)
        at::mm_out(m_product, m_a, m_b);
}

} // namespace remat
