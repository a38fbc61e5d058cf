// SPDX-License-Identifier: Apache-2.0
// Counts dynamic memory where it is given out: at LibTorch's allocators.
#pragma once

#include "core/base/expected.h"
#include "gpu/torch/cuda_place.h"

#include <c10/core/Allocator.h>
#include <cstdint>
#include <functional>
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

/// Gives memory to LibTorch's allocations of one thread, while an `AllocationScope` lives, or watches them.
class AllocationPlace
{
public:
    AllocationPlace() = default;
    AllocationPlace(const AllocationPlace &) = delete;
    AllocationPlace &operator=(const AllocationPlace &) = delete;
    virtual ~AllocationPlace() = default;

    /// Memory for an allocation; null leaves it to ordinary memory.
    virtual void *take(std::size_t bytes) = 0;
    /// Whether it wants to hear of ordinary memory that goes back.
    virtual bool watches() const { return false; }
    /// Ordinary memory was given out, or goes back, inside of the scope.
    virtual void elsewhere(void * /*data*/, std::size_t /*bytes*/) {}
    virtual void gone(void * /*data*/) {}
};

/// While it lives, allocations of this thread on such a device ask `place` first; on a GPU after
/// `placeCudaAllocations`.
class AllocationScope
{
public:
    AllocationScope(AllocationPlace &place, c10::DeviceType device);
    ~AllocationScope();
    AllocationScope(const AllocationScope &) = delete;
    AllocationScope &operator=(const AllocationScope &) = delete;

private:
    AllocationPlace *m_before;
    c10::DeviceType m_deviceBefore;
};

/// Memory that is not ordinary: what lies in it is not counted, and goes back here. One at a time in a process.
class PlacedMemory
{
public:
    /// From now on data in [begin, begin + bytes) goes back by `give`, on whatever thread lets it go.
    PlacedMemory(void *begin, std::int64_t bytes, std::function<void(void *)> give);
    ~PlacedMemory();
    PlacedMemory(const PlacedMemory &) = delete;
    PlacedMemory &operator=(const PlacedMemory &) = delete;
};

/// A tensor's data that lies in placed memory already, on this device.
c10::DataPtr placedData(void *data, c10::Device device);

/// How the module in front of LibTorch's allocator on GPUs reaches the place of a thread.
CudaPlace cudaPlace();

/// From now on LibTorch's allocations on GPUs ask the place of their thread first. LibTorch's CUDA libraries must be
/// loaded. Does nothing the second time. Fails with a sentence where the module in between is missing.
Expected<void> placeCudaAllocations();

/// Counts LibTorch's CPU allocations: the first call puts our allocator in place of LibTorch's own, so it must come
/// before the tensors that are to be counted.
std::unique_ptr<MemoryMeter> makeCpuMeter();

/// Reads the statistics of LibTorch's caching allocator on the first GPU; its CUDA libraries must be loaded.
std::unique_ptr<MemoryMeter> makeCudaMeter();

/// What LibTorch's caching allocator has of the first GPU, what it keeps for later included.
std::int64_t reservedBytes();

/// Counts nothing and says 0: for runs that are timed, which asking an allocator would slow down.
std::unique_ptr<MemoryMeter> makeNoMeter();

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
