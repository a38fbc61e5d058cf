// SPDX-License-Identifier: Apache-2.0
// A device as the engine sees it: a block of memory, host memory that copies reach, three streams, a fourth on the
// host, and events. What is CUDA's or the simulation's stays behind it.
#pragma once

#include "core/base/expected.h"
#include "core/streams/stream_program.h"
#include "gpu/engine/storage_checks.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace remat {

/// Memory that goes back to where it came from when it is let go. Must not outlive its accelerator.
using MemoryBlock = std::unique_ptr<std::byte, std::function<void(std::byte *)>>;

/// One copy; `to` and `from` hold `bytes` each.
struct CopyJob {
    std::byte *to = nullptr;
    const std::byte *from = nullptr;
    std::int64_t bytes = 0;
};

/// A point in a stream's work. Only the accelerator that gave it knows what it means.
struct StreamEvent {
    std::int64_t id = -1; ///< negative: none, and a wait for it is no wait
};

/// Work is put on streams by one thread and done later, in order on each stream. After the first failure all work that
/// has not begun is passed over, and `synchronize` says what it was.
class Accelerator
{
public:
    Accelerator() = default;
    Accelerator(const Accelerator &) = delete;
    Accelerator &operator=(const Accelerator &) = delete;
    virtual ~Accelerator() = default;

    /// Device memory, all of it closed. Fails when it is more than there is.
    virtual Expected<MemoryBlock> deviceBlock(std::int64_t bytes) = 0;
    /// Host memory that copies reach at full speed (pinned).
    virtual Expected<MemoryBlock> hostBlock(std::int64_t bytes) = 0;

    /// Puts work on the compute stream. On CUDA it is called at once and launches kernels; elsewhere it is the work.
    virtual void compute(std::function<Expected<void>()> work) = 0;
    /// Puts a copy on one of the copy streams; `job` is asked when its turn has come.
    virtual void copy(Stream stream, std::function<Expected<CopyJob>()> job) = 0;
    /// Puts work on the host's stream: it runs on a thread of its own beside the others, and touches host memory alone.
    virtual void onHost(std::function<Expected<void>()> work) = 0;
    /// From work on the compute stream: this part of a device block may be used from now on. Fails when memory runs
    /// out.
    virtual Expected<void> open(std::byte *at, std::int64_t bytes) = 0;
    /// From work on the compute stream: nobody may read or write it from now on.
    virtual void close(std::byte *at, std::int64_t bytes) = 0;

    /// From work on the compute stream: the checksum of bytes that the device can reach, once all work that was put on
    /// that stream before is done.
    virtual Expected<std::uint64_t> checksum(std::span<const std::byte> bytes) = 0;
    /// The same for what differs between two parts of equal size.
    virtual Expected<StorageDifference> compare(std::span<const std::byte> a, std::span<const std::byte> b,
                                                ElementKind kind) = 0;

    /// What is put until `endRange` has this name in profilers that look.
    virtual void beginRange(const std::string & /*name*/) {}
    virtual void endRange() {}

    /// An event that happens when all work put on the stream so far is done.
    virtual StreamEvent record(Stream stream) = 0;
    /// What is put on the stream from now on waits for the event.
    virtual void wait(Stream stream, StreamEvent event) = 0;
    /// Waits for all streams. The first failure since the last call, if any; then everything works again.
    virtual Expected<void> synchronize() = 0;
    /// When an event happened, in µs from some moment that is the same for all; 0 when it was passed over. Only after
    /// `synchronize`, and until something is put on a stream again.
    virtual double timeUs(StreamEvent event) const = 0;
};

} // namespace remat
