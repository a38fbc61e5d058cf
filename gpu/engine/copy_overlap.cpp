// SPDX-License-Identifier: Apache-2.0
#include "gpu/engine/copy_overlap.h"

#include <algorithm>

namespace remat {
namespace {

constexpr int kMostFills = 10'000;

class OverlapRun
{
public:
    OverlapRun(Accelerator &accelerator, MemoryBlock device, MemoryBlock host, std::int64_t bytes)
        : m_accelerator(accelerator), m_device(std::move(device)), m_host(std::move(host)), m_bytes(bytes)
    {
    }

    Expected<CopyOverlap> measure()
    {
        m_accelerator.compute([this] { return m_accelerator.open(m_device.get(), 2 * m_bytes); });
        // The first of each warms up.
        if (auto warm = timeUs(1, true); !warm) return tl::unexpected(warm.error());
        const auto copy = timeUs(0, true), fill = timeUs(1, false);
        if (!copy) return tl::unexpected(copy.error());
        if (!fill) return tl::unexpected(fill.error());
        const int fills = std::clamp(static_cast<int>(*copy / std::max(*fill, 1e-3)), 1, kMostFills);
        const auto compute = timeUs(fills, false), both = timeUs(fills, true);
        if (!compute) return tl::unexpected(compute.error());
        if (!both) return tl::unexpected(both.error());
        return CopyOverlap{*compute, *copy, *both};
    }

private:
    /// From the start on the compute stream to the end of all.
    Expected<double> timeUs(int fills, bool copies)
    {
        const StreamEvent start = m_accelerator.record(Stream::Compute);
        StreamEvent copied;
        if (copies) {
            m_accelerator.wait(Stream::ToHost, start);
            m_accelerator.copy(Stream::ToHost, [this]() -> Expected<CopyJob> {
                return CopyJob{m_host.get(), m_device.get(), m_bytes};
            });
            copied = m_accelerator.record(Stream::ToHost);
        }
        for (int i = 0; i < fills; ++i)
            m_accelerator.compute([this]() -> Expected<void> {
                m_accelerator.close(m_device.get() + m_bytes, m_bytes);
                return m_accelerator.open(m_device.get() + m_bytes, m_bytes);
            });
        const StreamEvent filled = m_accelerator.record(Stream::Compute);
        if (auto done = m_accelerator.synchronize(); !done) return tl::unexpected(done.error());
        const double end = std::max(m_accelerator.timeUs(filled), copies ? m_accelerator.timeUs(copied) : 0);
        return end - m_accelerator.timeUs(start);
    }

    Accelerator &m_accelerator;
    MemoryBlock m_device, m_host;
    std::int64_t m_bytes;
};

} // namespace

Expected<CopyOverlap> measureOverlap(Accelerator &accelerator, std::int64_t bytes)
{
    Expected<MemoryBlock> device = accelerator.deviceBlock(2 * bytes);
    if (!device) return tl::unexpected(device.error());
    Expected<MemoryBlock> host = accelerator.hostBlock(bytes);
    if (!host) return tl::unexpected(host.error());
    return OverlapRun(accelerator, std::move(*device), std::move(*host), bytes).measure();
}

double hiddenShare(const CopyOverlap &overlap)
{
    const double shorter = std::min(overlap.computeUs, overlap.copyUs);
    return shorter > 0 ? (overlap.computeUs + overlap.copyUs - overlap.bothUs) / shorter : 0;
}

} // namespace remat
