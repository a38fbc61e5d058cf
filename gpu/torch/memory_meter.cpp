// SPDX-License-Identifier: Apache-2.0
#include "gpu/torch/memory_meter.h"

#include "gpu/engine/kept_blocks.h"

#include <atomic>
#include <c10/core/CPUAllocator.h>
#include <c10/core/CachingDeviceAllocator.h>
#include <c10/core/impl/alloc_cpu.h>
#include <cstring>

namespace remat {
namespace {

// Bytes in front of each block. 64 keeps the alignment that LibTorch's kernels count on.
constexpr std::size_t kHeader = 64;

std::atomic<std::int64_t> g_current{0};
std::atomic<std::int64_t> g_peak{0};
thread_local bool t_uncounted = false;
thread_local AllocationPlace *t_place = nullptr;
thread_local c10::DeviceType t_placeDevice = c10::DeviceType::CPU;
/// Memory that tensors lie in besides the allocator's own. Set while nothing else runs.
char *g_placedBegin = nullptr, *g_placedEnd = nullptr;
std::function<void(void *)> g_givePlaced;

AllocationPlace *placeOn(c10::DeviceType device)
{
    return t_placeDevice == device ? t_place : nullptr;
}

void countIn(std::int64_t bytes)
{
    const std::int64_t now = g_current.fetch_add(bytes, std::memory_order_relaxed) + bytes;
    std::int64_t peak = g_peak.load(std::memory_order_relaxed);
    while (now > peak && !g_peak.compare_exchange_weak(peak, now, std::memory_order_relaxed)) {
    }
}

/// What stands in front of each block.
struct BlockHead {
    std::int64_t countedBytes = 0;
    std::size_t wholeBytes = 0; ///< head included
};

/// Never deleted: tensors that LibTorch keeps in globals are freed after our own globals are gone.
KeptBlocks &blocks()
{
    static auto *const kBlocks = new KeptBlocks({&c10::alloc_cpu, &c10::free_cpu});
    return *kBlocks;
}

void deleteBlock(void *data)
{
    if (!data) return;
    if (data >= g_placedBegin && data < g_placedEnd) return g_givePlaced(data);
    if (AllocationPlace *place = placeOn(c10::DeviceType::CPU)) place->gone(data);
    char *block = static_cast<char *>(data) - kHeader;
    BlockHead head;
    std::memcpy(&head, block, sizeof head);
    g_current.fetch_sub(head.countedBytes, std::memory_order_relaxed);
    blocks().give(block, head.wholeBytes);
}

class CountingAllocator final : public c10::Allocator
{
public:
    c10::DataPtr allocate(std::size_t bytes) override
    {
        const c10::Device cpu(c10::DeviceType::CPU);
        if (bytes == 0) return {nullptr, nullptr, &deleteBlock, cpu};
        AllocationPlace *const place = t_uncounted ? nullptr : placeOn(c10::DeviceType::CPU);
        if (void *placed = place ? place->take(bytes) : nullptr) return placedData(placed, cpu);
        const BlockHead head{t_uncounted ? 0 : static_cast<std::int64_t>((bytes + 511) / 512 * 512), bytes + kHeader};
        char *block = static_cast<char *>(blocks().take(head.wholeBytes));
        std::memcpy(block, &head, sizeof head);
        countIn(head.countedBytes);
        char *data = block + kHeader;
        if (place) place->elsewhere(data, bytes);
        return {data, data, &deleteBlock, cpu};
    }
    c10::DeleterFnPtr raw_deleter() const override { return &deleteBlock; }
    void copy_data(void *to, const void *from, std::size_t count) const override { default_copy_data(to, from, count); }
};

class CpuMeter final : public MemoryMeter
{
public:
    std::int64_t currentBytes() const override { return g_current.load(std::memory_order_relaxed); }
    std::int64_t peakBytes() const override { return g_peak.load(std::memory_order_relaxed); }
    void resetPeak() override { g_peak.store(currentBytes(), std::memory_order_relaxed); }
    bool rounds() const override { return true; }
};

class CudaMeter final : public MemoryMeter
{
public:
    // What was asked for, not the blocks handed out: a block may be up to 1 MiB larger than the request.
    std::int64_t currentBytes() const override { return stats().current; }
    std::int64_t peakBytes() const override { return stats().peak; }
    void resetPeak() override { allocator().resetPeakStats(0); }
    bool rounds() const override { return false; }

private:
    static c10::DeviceAllocator &allocator() { return *c10::getDeviceAllocator(c10::DeviceType::CUDA); }
    static c10::CachingAllocator::Stat stats()
    {
        constexpr auto kAll = static_cast<std::size_t>(c10::CachingAllocator::StatType::AGGREGATE);
        return allocator().getDeviceStats(0).requested_bytes[kAll];
    }
};

class NoMeter final : public MemoryMeter
{
public:
    std::int64_t currentBytes() const override { return 0; }
    std::int64_t peakBytes() const override { return 0; }
    void resetPeak() override {}
    bool rounds() const override { return true; }
};

} // namespace

std::int64_t reservedBytes()
{
    constexpr auto kAll = static_cast<std::size_t>(c10::CachingAllocator::StatType::AGGREGATE);
    return c10::getDeviceAllocator(c10::DeviceType::CUDA)->getDeviceStats(0).reserved_bytes[kAll].current;
}

std::unique_ptr<MemoryMeter> makeNoMeter()
{
    return std::make_unique<NoMeter>();
}

std::unique_ptr<MemoryMeter> makeCpuMeter()
{
    // Never deleted: tensors that LibTorch keeps in globals are freed after our own globals are gone.
    static CountingAllocator *const kAllocator = [] {
        auto *allocator = new CountingAllocator;
        constexpr std::uint8_t kOverDefault = 100;
        c10::SetCPUAllocator(allocator, kOverDefault);
        return allocator;
    }();
    static_cast<void>(kAllocator);
    return std::make_unique<CpuMeter>();
}

std::unique_ptr<MemoryMeter> makeCudaMeter()
{
    return std::make_unique<CudaMeter>();
}

AllocationScope::AllocationScope(AllocationPlace &place, c10::DeviceType device)
    : m_before(t_place), m_deviceBefore(t_placeDevice)
{
    t_place = &place;
    t_placeDevice = device;
}

AllocationScope::~AllocationScope()
{
    t_place = m_before;
    t_placeDevice = m_deviceBefore;
}

PlacedMemory::PlacedMemory(void *begin, std::int64_t bytes, std::function<void(void *)> give)
{
    g_placedBegin = static_cast<char *>(begin);
    g_placedEnd = g_placedBegin + bytes;
    g_givePlaced = std::move(give);
}

PlacedMemory::~PlacedMemory()
{
    g_placedBegin = g_placedEnd = nullptr;
    g_givePlaced = {};
}

c10::DataPtr placedData(void *data, c10::Device device)
{
    return {data, data, &deleteBlock, device};
}

CudaPlace cudaPlace()
{
    constexpr c10::DeviceType kCuda = c10::DeviceType::CUDA;
    return {[](std::size_t bytes) -> void * { return placeOn(kCuda) ? placeOn(kCuda)->take(bytes) : nullptr; },
            [](void *data, std::size_t bytes) {
                AllocationPlace *const place = placeOn(kCuda);
                if (place) place->elsewhere(data, bytes);
                return place && place->watches();
            },
            [](void *data) {
                if (AllocationPlace *place = placeOn(kCuda)) place->gone(data);
            },
            &deleteBlock};
}

UncountedScope::UncountedScope() : m_before(t_uncounted)
{
    t_uncounted = true;
}

UncountedScope::~UncountedScope()
{
    t_uncounted = m_before;
}

} // namespace remat
