// SPDX-License-Identifier: Apache-2.0
// The first GPU as the engine sees it, by CUDA's runtime API.
#pragma once

#include "gpu/engine/cuda_module.h"

#include <array>
#include <cuda_runtime_api.h>
#include <mutex>
#include <optional>
#include <vector>

namespace remat::cuda {

/// `after offload of gelu: an illegal memory access was encountered`: what CUDA said, as a sentence.
Error failureOf(cudaError_t code, const std::string &what);

/// Work is launched by the thread that puts it; the streams do it later. A fault that shows late is named by
/// `synchronize`, with what had been put last.
class CudaAccelerator final : public Accelerator
{
public:
    /// The device must be there.
    static Expected<std::unique_ptr<Accelerator>> make(const CudaSettings &settings);
    ~CudaAccelerator() override;

    Expected<MemoryBlock> deviceBlock(std::int64_t bytes) override;
    Expected<MemoryBlock> hostBlock(std::int64_t bytes) override;
    void compute(std::function<Expected<void>()> work) override;
    void copy(Stream stream, std::function<Expected<CopyJob>()> job) override;
    void onHost(std::function<Expected<void>()> work) override;
    Expected<void> open(std::byte *at, std::int64_t bytes) override;
    void close(std::byte *at, std::int64_t bytes) override;
    Expected<std::uint64_t> checksum(std::span<const std::byte> bytes) override;
    Expected<StorageDifference> compare(std::span<const std::byte> a, std::span<const std::byte> b,
                                        ElementKind kind) override;
    void beginRange(const std::string &name) override;
    void endRange() override;
    StreamEvent record(Stream stream) override;
    void wait(Stream stream, StreamEvent event) override;
    Expected<void> synchronize() override;
    double timeUs(StreamEvent event) const override;

private:
    explicit CudaAccelerator(const CudaSettings &settings) : m_settings(settings) {}
    Expected<void> prepare();
    cudaStream_t streamOf(Stream stream) const { return m_streams[static_cast<std::size_t>(stream)]; }
    /// Takes note of the first failure.
    void note(cudaError_t code, const char *what);
    /// Copies a result back from the device, once the compute stream has come to it.
    template <class T>
    Expected<T> fetch(cudaError_t launched, const char *what);

    const CudaSettings m_settings;
    /// The first is the legacy default stream, which LibTorch computes on; the others do not wait for it by themselves.
    std::array<cudaStream_t, kAllStreams> m_streams = {};
    void *m_result = nullptr; ///< in device memory: of checksums and comparisons
    std::int64_t m_hostBytes = 0;
    std::vector<cudaEvent_t> m_events; ///< made once, used again after each synchronize
    std::size_t m_used = 0;            ///< how many of those are in use
    std::vector<char> m_happened;      ///< per used event: it was recorded
    bool m_allDone = false;
    std::optional<Error> m_failure;
    std::mutex m_hostMutex;
    std::optional<Error> m_hostFailure; ///< failure of work on the host, which a thread of the driver does
    std::string m_range;                ///< name of what is being put, for sentences
};

} // namespace remat::cuda
