// Counts dynamic memory where it is given out: at LibTorch's allocators.
#pragma once

#include <cstdint>
#include <memory>

namespace remat {

/// Bytes that LibTorch has allocated on one device, each allocation rounded up to 512 where the allocator is ours.
/// One thread at a time resets it; allocations on other threads are counted too.
class MemoryMeter
{
public:
    MemoryMeter() = default;
    MemoryMeter(const MemoryMeter &) = delete;
    MemoryMeter &operator=(const MemoryMeter &) = delete;
    virtual ~MemoryMeter() = default;

    virtual std::int64_t currentBytes() const = 0;
    /// The largest value of `currentBytes` since the last reset.
    virtual std::int64_t peakBytes() const = 0;
    virtual void resetPeak() = 0;
    /// True when each allocation counts rounded up to 512 bytes, as the rule of storages has it.
    virtual bool rounds() const = 0;
};

/// Counts LibTorch's CPU allocations: the first call puts our allocator in place of LibTorch's own, so it must come
/// before the tensors that are to be counted.
std::unique_ptr<MemoryMeter> makeCpuMeter();

/// Reads the statistics of LibTorch's caching allocator on the first GPU; its CUDA libraries must be loaded.
std::unique_ptr<MemoryMeter> makeCudaMeter();

/// While it lives, CPU allocations of this thread are not counted: host copies, results that are kept for comparison.
class UncountedScope
{
public:
    UncountedScope();
    ~UncountedScope();
    UncountedScope(const UncountedScope &) = delete;
    UncountedScope &operator=(const UncountedScope &) = delete;

private:
    bool m_before;
};

} // namespace remat
