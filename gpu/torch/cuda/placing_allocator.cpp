// SPDX-License-Identifier: Apache-2.0
// libremat_torch_cuda.so: stands in front of LibTorch's allocator on GPUs and asks for memory at planned addresses
// first. Everything else goes on to LibTorch's own, which was there before and stays.
#include "gpu/torch/cuda_place.h"

#include <c10/cuda/CUDACachingAllocator.h>
#include <memory>

namespace remat {
namespace {

using namespace c10::cuda;
using namespace c10::cuda::CUDACachingAllocator;
using c10::DataPtr;
using c10::DeviceIndex;
using c10::MempoolId_t;

/// Memory of LibTorch's that somebody wants to hear of when it goes.
struct Watched {
    DataPtr data;
    void (*gone)(void *data);
};

void endWatch(void *watched)
{
    const std::unique_ptr<Watched> item(static_cast<Watched *>(watched));
    item->gone(item->data.get());
}

class PlacingAllocator final : public CUDAAllocator
{
public:
    PlacingAllocator(CUDAAllocator &inner, const CudaPlace &place) : m_inner(inner), m_place(place) {}

    DataPtr allocate(std::size_t bytes) override
    {
        if (bytes > 0)
            if (void *placed = m_place.take(bytes))
                return {placed, placed, m_place.give, c10::Device(c10::DeviceType::CUDA, 0)};
        DataPtr given = m_inner.allocate(bytes);
        if (bytes == 0 || !m_place.elsewhere(given.get(), bytes)) return given;
        const c10::Device device = given.device();
        void *const data = given.get();
        return {data, new Watched{std::move(given), m_place.gone}, &endWatch, device};
    }

    c10::DeleterFnPtr raw_deleter() const override { return m_inner.raw_deleter(); }
    void copy_data(void *to, const void *from, std::size_t count) const override { m_inner.copy_data(to, from, count); }
    bool initialized() override { return m_inner.initialized(); }
    void emptyCache(MempoolId_t pool) override { m_inner.emptyCache(pool); }
    void recordStream(const DataPtr &data, CUDAStream stream) override { m_inner.recordStream(data, stream); }
    DeviceStats getDeviceStats(DeviceIndex device) override { return m_inner.getDeviceStats(device); }
    void resetAccumulatedStats(DeviceIndex device) override { m_inner.resetAccumulatedStats(device); }
    void resetPeakStats(DeviceIndex device) override { m_inner.resetPeakStats(device); }
    std::pair<std::size_t, std::size_t> getMemoryInfo(DeviceIndex device) override
    {
        return m_inner.getMemoryInfo(device);
    }
    void *raw_alloc(std::size_t bytes) override { return m_inner.raw_alloc(bytes); }
    void *raw_alloc_with_stream(std::size_t bytes, cudaStream_t stream) override
    {
        return m_inner.raw_alloc_with_stream(bytes, stream);
    }
    void raw_delete(void *data) override { m_inner.raw_delete(data); }
    void init(int devices) override { m_inner.init(devices); }
    double getMemoryFraction(DeviceIndex device) override { return m_inner.getMemoryFraction(device); }
    void setMemoryFraction(double share, DeviceIndex device) override { m_inner.setMemoryFraction(share, device); }
    std::vector<StreamSegmentSize> getExpandableSegmentSizes(DeviceIndex device) override
    {
        return m_inner.getExpandableSegmentSizes(device);
    }
    void enable(bool on) override { m_inner.enable(on); }
    bool isEnabled() const override { return m_inner.isEnabled(); }
    void cacheInfo(DeviceIndex device, std::size_t *largest) override { m_inner.cacheInfo(device, largest); }
    void *getBaseAllocation(void *data, std::size_t *bytes) override { return m_inner.getBaseAllocation(data, bytes); }
    SnapshotInfo snapshot(MempoolId_t pool, bool traces) override { return m_inner.snapshot(pool, traces); }
    void beginAllocateToPool(DeviceIndex device, MempoolId_t pool, std::function<bool(cudaStream_t)> filter) override
    {
        m_inner.beginAllocateToPool(device, pool, std::move(filter));
    }
    void endAllocateToPool(DeviceIndex device, MempoolId_t pool) override { m_inner.endAllocateToPool(device, pool); }
    void releasePool(DeviceIndex device, MempoolId_t pool) override { m_inner.releasePool(device, pool); }
    ShareableHandle shareIpcHandle(void *data) override { return m_inner.shareIpcHandle(data); }
    std::shared_ptr<void> getIpcDevPtr(std::string handle) override { return m_inner.getIpcDevPtr(std::move(handle)); }
    void recordHistory(bool on, CreateContextFn recorder, std::size_t entries, RecordContext when, bool clear,
                       const std::vector<std::string> &skipped) override
    {
        m_inner.recordHistory(on, recorder, entries, when, clear, skipped);
    }
    void attachOutOfMemoryObserver(OutOfMemoryObserver observer) override
    {
        m_inner.attachOutOfMemoryObserver(std::move(observer));
    }
    void attachAllocatorTraceTracker(AllocatorTraceTracker tracker) override
    {
        m_inner.attachAllocatorTraceTracker(std::move(tracker));
    }
    void enablePeerAccess(DeviceIndex device, DeviceIndex other) override { m_inner.enablePeerAccess(device, other); }
    cudaError_t memcpyAsync(void *to, int toDevice, const void *from, int fromDevice, std::size_t bytes,
                            cudaStream_t stream, bool peers) override
    {
        return m_inner.memcpyAsync(to, toDevice, from, fromDevice, bytes, stream, peers);
    }
    std::shared_ptr<AllocatorState> getCheckpointState(DeviceIndex device, MempoolId_t pool) override
    {
        return m_inner.getCheckpointState(device, pool);
    }
    CheckpointDelta setCheckpointPoolState(DeviceIndex device, std::shared_ptr<AllocatorState> state) override
    {
        return m_inner.setCheckpointPoolState(device, std::move(state));
    }
    std::string name() override { return m_inner.name(); }

private:
    CUDAAllocator &m_inner;
    const CudaPlace m_place;
};

} // namespace
} // namespace remat

/// Never taken out again: tensors that LibTorch keeps for good come back to it.
extern "C" __attribute__((visibility("default"))) void rematPlaceCudaAllocations(const remat::CudaPlace &place)
{
    auto &current = c10::cuda::CUDACachingAllocator::allocator;
    current.store(new remat::PlacingAllocator(*current.load(), place));
}
