// SPDX-License-Identifier: Apache-2.0
#include "gpu/cuda/cuda_accelerator.h"

#include "core/base/units.h"
#include "gpu/cuda/kernels.h"

#include <bit>
#include <exception>
#include <fmt/core.h>
#include <new>
#include <nvtx3/nvToolsExt.h>
#include <utility>

namespace remat::cuda {
namespace {

constexpr std::size_t kResultBytes = 64;

/// Whether nothing works in this process any more after it.
bool isFatal(cudaError_t code)
{
    switch (code) {
    case cudaErrorIllegalAddress:
    case cudaErrorIllegalInstruction:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidPc:
    case cudaErrorLaunchFailure:
    case cudaErrorHardwareStackError:
    case cudaErrorECCUncorrectable:
    case cudaErrorAssert:
        return true;
    default:
        return false;
    }
}

/// What work of others throws is a failure like any other.
Expected<void> guarded(const std::function<Expected<void>()> &work)
{
    try {
        return work();
    } catch (const std::bad_alloc &) {
        return fail("Memory ran out. Trace the model with a smaller batch, or run it on a larger machine.");
    } catch (const std::exception &error) {
        return fail(std::string("The device refused: ") + error.what());
    }
}

} // namespace

Error failureOf(cudaError_t code, const std::string &what)
{
    std::string text = "The GPU failed";
    if (!what.empty()) text += " at " + what;
    text += fmt::format(": {}.", cudaGetErrorString(code));
    if (code == cudaErrorMemoryAllocation)
        text += " Plan under a smaller budget, or close other programs that use the GPU.";
    if (isFatal(code))
        text += " It may be the fault of any step since the last wait. The next run starts afresh; set "
                "CUDA_LAUNCH_BLOCKING=1 to see the very step.";
    return {std::move(text)};
}

Expected<std::unique_ptr<Accelerator>> CudaAccelerator::make(const CudaSettings &settings)
{
    std::unique_ptr<CudaAccelerator> made(new CudaAccelerator(settings));
    if (auto ready = made->prepare(); !ready) return tl::unexpected(ready.error());
    return std::unique_ptr<Accelerator>(std::move(made));
}

Expected<void> CudaAccelerator::prepare()
{
    const auto tried = [](cudaError_t code, const char *what) -> Expected<void> {
        if (code == cudaSuccess) return {};
        return tl::unexpected(failureOf(code, what));
    };
    if (auto ok = tried(cudaSetDevice(0), "choosing the first GPU"); !ok) return ok;
    for (const Stream stream : {Stream::ToHost, Stream::ToDevice, Stream::Host}) {
        cudaStream_t &made = m_streams[static_cast<std::size_t>(stream)];
        if (auto ok = tried(cudaStreamCreateWithFlags(&made, cudaStreamNonBlocking), "making a stream"); !ok) return ok;
    }
    if (auto ok = tried(cudaMalloc(&m_result, kResultBytes), "its first 64 bytes"); !ok) return ok;
    record(Stream::Compute); // makes the event that times count from, too
    return synchronize();
}

CudaAccelerator::~CudaAccelerator()
{
    cudaDeviceSynchronize();
    for (const cudaEvent_t event : m_events)
        cudaEventDestroy(event);
    for (const cudaStream_t stream : m_streams)
        if (stream) cudaStreamDestroy(stream);
    cudaFree(m_result);
    cudaGetLastError();
}

Expected<MemoryBlock> CudaAccelerator::deviceBlock(std::int64_t bytes)
{
    void *begin = nullptr;
    if (const cudaError_t code = cudaMalloc(&begin, static_cast<std::size_t>(bytes)); code != cudaSuccess) {
        cudaGetLastError();
        return tl::unexpected(
            failureOf(code, fmt::format("taking {} of its memory", formatBytes(bytes, Rounding::Up))));
    }
    close(static_cast<std::byte *>(begin), bytes);
    return MemoryBlock(static_cast<std::byte *>(begin), [](std::byte *at) { cudaFree(at); });
}

Expected<MemoryBlock> CudaAccelerator::hostBlock(std::int64_t bytes)
{
    if (bytes > m_settings.mostHostBytes - m_hostBytes)
        return fail("The plan parks {} in host memory, and at most {} may be pinned here. Plan with fewer offloads.",
                    formatBytes(bytes, Rounding::Up), formatBytes(m_settings.mostHostBytes, Rounding::Down));
    void *begin = nullptr;
    if (const cudaError_t code = cudaHostAlloc(&begin, static_cast<std::size_t>(bytes), cudaHostAllocPortable);
        code != cudaSuccess) {
        cudaGetLastError();
        return tl::unexpected(
            failureOf(code, fmt::format("pinning {} of host memory", formatBytes(bytes, Rounding::Up))));
    }
    m_hostBytes += bytes;
    return MemoryBlock(static_cast<std::byte *>(begin), [this, bytes](std::byte *at) {
        m_hostBytes -= bytes;
        cudaFreeHost(at);
    });
}

void CudaAccelerator::note(cudaError_t code, const char *what)
{
    if (code != cudaSuccess && !m_failure) m_failure = failureOf(code, m_range.empty() ? what : m_range);
}

void CudaAccelerator::compute(std::function<Expected<void>()> work)
{
    if (m_failure) return;
    if (Expected<void> done = guarded(work); !done) m_failure = std::move(done.error());
    note(cudaPeekAtLastError(), "a launch");
}

void CudaAccelerator::onHost(std::function<Expected<void>()> work)
{
    if (m_failure) return;
    struct Job {
        CudaAccelerator *accelerator;
        std::function<Expected<void>()> work;
    };
    auto job = std::make_unique<Job>(Job{this, std::move(work)});
    const cudaError_t code = cudaLaunchHostFunc(
        streamOf(Stream::Host),
        [](void *data) {
            const std::unique_ptr<Job> mine(static_cast<Job *>(data));
            Expected<void> done = guarded(mine->work);
            if (done) return;
            const std::lock_guard lock(mine->accelerator->m_hostMutex);
            if (!mine->accelerator->m_hostFailure) mine->accelerator->m_hostFailure = std::move(done.error());
        },
        job.get());
    if (code == cudaSuccess)
        static_cast<void>(job.release());
    else
        note(code, "an update on the host");
}

void CudaAccelerator::copy(Stream stream, std::function<Expected<CopyJob>()> job)
{
    if (m_failure) return;
    const Expected<CopyJob> found = job();
    if (!found) {
        m_failure = found.error();
        return;
    }
    if (found->bytes == 0) return;
    note(cudaMemcpyAsync(found->to, found->from, static_cast<std::size_t>(found->bytes), cudaMemcpyDefault,
                         streamOf(stream)),
         "a copy");
}

Expected<void> CudaAccelerator::open(std::byte * /*at*/, std::int64_t /*bytes*/)
{
    return {};
}

void CudaAccelerator::close(std::byte *at, std::int64_t bytes)
{
    if (m_settings.poison && bytes > 0)
        note(poison(at, static_cast<std::uint64_t>(bytes), streamOf(Stream::Compute)), "filling freed memory");
}

template <class T>
Expected<T> CudaAccelerator::fetch(cudaError_t launched, const char *what)
{
    static_assert(sizeof(T) <= kResultBytes);
    T result{};
    cudaError_t code = launched;
    if (code == cudaSuccess)
        code = cudaMemcpyAsync(&result, m_result, sizeof result, cudaMemcpyDeviceToHost, streamOf(Stream::Compute));
    if (code == cudaSuccess) code = cudaStreamSynchronize(streamOf(Stream::Compute));
    if (code != cudaSuccess) return tl::unexpected(failureOf(code, what));
    return result;
}

Expected<std::uint64_t> CudaAccelerator::checksum(std::span<const std::byte> bytes)
{
    const cudaStream_t stream = streamOf(Stream::Compute);
    cudaError_t code = cudaMemsetAsync(m_result, 0, kResultBytes, stream);
    if (code == cudaSuccess && !bytes.empty())
        code = cuda::checksum(bytes.data(), bytes.size(), static_cast<unsigned long long *>(m_result), stream);
    const Expected<unsigned long long> sum = fetch<unsigned long long>(code, "a checksum");
    if (!sum) return tl::unexpected(sum.error());
    return *sum + bytes.size();
}

Expected<StorageDifference> CudaAccelerator::compare(std::span<const std::byte> a, std::span<const std::byte> b,
                                                     ElementKind kind)
{
    const cudaStream_t stream = streamOf(Stream::Compute);
    auto *result = static_cast<DifferenceOnDevice *>(m_result);
    cudaError_t code = cudaMemsetAsync(m_result, 0, kResultBytes, stream);
    if (code == cudaSuccess) code = cudaMemsetAsync(&result->first, 0xff, sizeof result->first, stream);
    if (code == cudaSuccess && !a.empty()) code = cuda::compare(a.data(), b.data(), a.size(), kind, result, stream);
    const Expected<DifferenceOnDevice> found = fetch<DifferenceOnDevice>(code, "a comparison");
    if (!found) return tl::unexpected(found.error());
    return StorageDifference{found->count, found->count > 0 ? found->first : 0,
                             std::bit_cast<double>(found->largestBits)};
}

void CudaAccelerator::beginRange(const std::string &name)
{
    m_range = name;
    nvtxRangePushA(name.c_str());
}

void CudaAccelerator::endRange()
{
    m_range.clear();
    nvtxRangePop();
}

StreamEvent CudaAccelerator::record(Stream stream)
{
    if (std::exchange(m_allDone, false)) {
        m_used = 0;
        m_happened.clear();
        // Times are floats of milliseconds: near their beginning they are fine.
        if (!m_events.empty()) note(cudaEventRecord(m_events.front(), streamOf(Stream::Compute)), "an event");
    }
    // The first event of all is where times begin.
    const std::size_t at = m_used + 1;
    while (m_events.size() <= at) {
        cudaEvent_t event = nullptr;
        note(cudaEventCreate(&event), "making an event");
        if (m_failure) return {};
        m_events.push_back(event);
        if (m_events.size() == 1) note(cudaEventRecord(event, streamOf(Stream::Compute)), "an event");
    }
    if (!m_failure) note(cudaEventRecord(m_events[at], streamOf(stream)), "an event");
    m_happened.push_back(m_failure ? 0 : 1);
    ++m_used;
    return {static_cast<std::int64_t>(at) - 1};
}

void CudaAccelerator::wait(Stream stream, StreamEvent event)
{
    if (event.id < 0 || m_failure) return;
    note(cudaStreamWaitEvent(streamOf(stream), m_events[static_cast<std::size_t>(event.id) + 1], 0), "a wait");
}

Expected<void> CudaAccelerator::synchronize()
{
    for (const cudaStream_t stream : m_streams)
        note(cudaStreamSynchronize(stream), "the wait for all streams");
    cudaGetLastError(); // what is known is not told again
    m_allDone = true;
    std::optional<Error> failure = std::move(m_failure);
    m_failure.reset();
    {
        const std::lock_guard lock(m_hostMutex);
        if (!failure) failure = std::move(m_hostFailure);
        m_hostFailure.reset();
    }
    if (failure) return tl::unexpected(std::move(*failure));
    return {};
}

double CudaAccelerator::timeUs(StreamEvent event) const
{
    constexpr double kUsPerMs = 1000;
    const auto at = static_cast<std::size_t>(event.id);
    if (event.id < 0 || at >= m_happened.size() || m_happened[at] == 0) return 0;
    float ms = 0;
    return cudaEventElapsedTime(&ms, m_events.front(), m_events[at + 1]) == cudaSuccess ? ms * kUsPerMs : 0;
}

} // namespace remat::cuda
