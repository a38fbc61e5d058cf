// SPDX-License-Identifier: Apache-2.0
// An accelerator without hardware: four streams that are threads, a block of memory with walls around it, copies as
// slow as a link would make them, and faults on demand.
#pragma once

#include "gpu/engine/accelerator.h"

#include <array>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <limits>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace remat {

/// What happens to device memory that nobody may use.
enum class ClosedMemory : std::uint8_t {
    AsItIs,     ///< nothing: the fastest
    Poisoned,   ///< filled with 0xff, which floats read as NaN
    Unreadable, ///< filled, and whole pages of it cannot be read or written: the process ends at the first touch
};

struct SimulatedSettings {
    std::int64_t memoryBytes = std::int64_t(1) << 40; ///< device blocks together
    double linkBytesPerSecond = 0;                    ///< each way; 0: as fast as memory
    double linkLatencyUs = 0;
    ClosedMemory closed = ClosedMemory::Poisoned;
    /// Per stream: it only works when another stream waits for it, or when there is nothing else to do. The worst
    /// order of events that the waits allow, whatever threads the system gives.
    std::array<bool, kAllStreams> late = {};
    double jitterUs = 0;    ///< copies and events take up to that much longer, at random
    std::uint64_t seed = 0; ///< seed of that jitter
    /// Which one fails, counted from 0 over the life of the accelerator; negative: none.
    int failingCopy = -1, failingCompute = -1, failingAllocation = -1;
};

/// Any number of accelerators may live beside each other. Not copyable; each is used by one thread at a time.
class SimulatedAccelerator final : public Accelerator
{
public:
    explicit SimulatedAccelerator(const SimulatedSettings &settings = {});
    ~SimulatedAccelerator() override;

    Expected<MemoryBlock> deviceBlock(std::int64_t bytes) override;
    Expected<MemoryBlock> hostBlock(std::int64_t bytes) override;
    void compute(std::function<Expected<void>()> work) override;
    void copy(Stream stream, std::function<Expected<CopyJob>()> job) override;
    void onHost(std::function<Expected<void>()> work) override;
    Expected<void> open(std::byte *at, std::int64_t bytes) override;
    void close(std::byte *at, std::int64_t bytes) override;
    Expected<std::uint64_t> checksum(std::span<const std::byte> bytes) override { return checksumOf(bytes); }
    Expected<StorageDifference> compare(std::span<const std::byte> a, std::span<const std::byte> b,
                                        ElementKind kind) override
    {
        return compareStorages(a, b, kind);
    }
    StreamEvent record(Stream stream) override;
    void wait(Stream stream, StreamEvent event) override;
    Expected<void> synchronize() override;
    double timeUs(StreamEvent event) const override;

    /// Bytes of blocks that were given out and not given back; 0 when nothing stayed behind.
    std::int64_t deviceBytes() const { return m_deviceBytes; }
    std::int64_t hostBytes() const { return m_hostBytes; }

private:
    using Clock = std::chrono::steady_clock;
    /// A block with a guard page at each end, its bytes up against the second.
    struct Block {
        std::byte *begin = nullptr;
        std::int64_t bytes = 0;
        std::byte *map = nullptr; ///< what was mapped, guard pages included
        std::size_t mapBytes = 0;
        std::vector<std::int32_t> users; ///< per page between the guards: open parts that touch it
    };
    struct Work {
        std::function<Expected<void>()> run; ///< nothing to do when empty
        StreamEvent waitsFor, records;
    };
    /// Whoever sleeps is woken for what it waits for and nothing else: on a small machine each needless waking takes a
    /// processor from what computes.
    struct Queue {
        std::deque<Work> work;
        std::int64_t put = 0, done = 0, wanted = 0;                      ///< numbers of works
        std::int64_t awaited = std::numeric_limits<std::int64_t>::max(); ///< the first that somebody sleeps for
        std::condition_variable toDo, finished;
    };
    struct Happened {
        Stream stream = Stream::Compute;
        std::int64_t number = 0; ///< the work that records it
        double timeUs = 0;
    };

    void put(Stream stream, Work work);
    void putCompute(Stream stream, std::function<Expected<void>()> work);
    void serve(Stream stream);
    void waitUntilDone(std::unique_lock<std::mutex> &lock, Stream stream, std::int64_t number);
    Expected<void> doCopy(const CopyJob &job, double extraUs) const;
    double randomUs();
    Expected<void> allocationFault(std::int64_t bytes);
    Block *blockAt(const std::byte *at);

    const SimulatedSettings m_settings;
    const Clock::time_point m_start = Clock::now();
    std::int64_t m_deviceBytes = 0, m_hostBytes = 0;
    std::vector<Block> m_blocks; ///< for the thread that puts work; the compute stream reads it between those calls
    int m_copies = 0, m_computes = 0, m_allocations = 0;

    mutable std::mutex m_mutex; ///< for all below
    std::array<Queue, kAllStreams> m_queues;
    std::vector<Happened> m_events; ///< since the last time all was done
    bool m_allDone = false;
    std::optional<Error> m_failure;
    bool m_ending = false;
    std::uint64_t m_random;
    std::vector<std::thread> m_threads;
};

} // namespace remat
