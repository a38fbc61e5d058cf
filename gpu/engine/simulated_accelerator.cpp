// SPDX-License-Identifier: Apache-2.0
#include "gpu/engine/simulated_accelerator.h"

#include "core/base/units.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <exception>
#include <fmt/core.h>
#include <new>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

namespace remat {

namespace {

constexpr int kPoison = 0xff;
constexpr std::array kEveryStream = {Stream::Compute, Stream::ToHost, Stream::ToDevice, Stream::Host};
/// What a busy core copies in a second at least: a slow copy moves its bytes so long before its end.
constexpr double kMemoryBytesPerSecond = 1e9;

std::size_t pageBytes()
{
    static const auto kBytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    return kBytes;
}

std::size_t index(Stream stream)
{
    return static_cast<std::size_t>(stream);
}

/// What work of others throws is a failure like any other.
Expected<void> guarded(const std::function<Expected<void>()> &run)
{
    try {
        return run();
    } catch (const std::bad_alloc &) {
        return fail("Memory ran out. Trace the model with a smaller batch, or run it on a larger machine.");
    } catch (const std::exception &error) {
        return fail(std::string("The device refused: ") + error.what());
    }
}

} // namespace

SimulatedAccelerator::SimulatedAccelerator(const SimulatedSettings &settings)
    : m_settings(settings), m_random(settings.seed)
{
    for (const Stream stream : kEveryStream)
        m_threads.emplace_back([this, stream] { serve(stream); });
}

SimulatedAccelerator::~SimulatedAccelerator()
{
    {
        const std::lock_guard lock(m_mutex);
        m_ending = true;
        for (Queue &queue : m_queues) {
            queue.toDo.notify_all();
            queue.finished.notify_all();
        }
    }
    for (std::thread &thread : m_threads)
        thread.join();
}

Expected<void> SimulatedAccelerator::allocationFault(std::int64_t bytes)
{
    if (m_allocations++ != m_settings.failingAllocation) return {};
    return fail(
        fmt::format("The simulated device has no {} to give, as was asked of it.", formatBytes(bytes, Rounding::Up)));
}

Expected<MemoryBlock> SimulatedAccelerator::deviceBlock(std::int64_t bytes)
{
    if (auto fault = allocationFault(bytes); !fault) return tl::unexpected(fault.error());
    if (bytes > m_settings.memoryBytes - m_deviceBytes)
        return fail("The simulated device has {} of memory, of which {} are taken; {} more do not fit. "
                    "Plan under a smaller budget.",
                    formatBytes(m_settings.memoryBytes, Rounding::Down), formatBytes(m_deviceBytes, Rounding::Up),
                    formatBytes(bytes, Rounding::Up));
    const std::size_t page = pageBytes();
    const std::size_t pages = (static_cast<std::size_t>(bytes) + page - 1) / page;
    Block block;
    block.bytes = bytes;
    block.mapBytes = (pages + 2) * page;
    void *map = mmap(nullptr, block.mapBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (map == MAP_FAILED) return fail("This machine has no {} of memory to give.", formatBytes(bytes, Rounding::Up));
    block.map = static_cast<std::byte *>(map);
    block.begin = block.map + (pages + 1) * page - bytes;
    const bool walls = m_settings.closed == ClosedMemory::Unreadable;
    if (walls) block.users.assign(pages, 0);
    if (!walls && pages > 0 && mprotect(block.map + page, pages * page, PROT_READ | PROT_WRITE) != 0) {
        munmap(map, block.mapBytes);
        return fail("This process may not take {} of memory.", formatBytes(bytes, Rounding::Up));
    }
    std::byte *begin = block.begin;
    m_blocks.push_back(std::move(block));
    m_deviceBytes += bytes;
    return MemoryBlock(begin, [this](std::byte *at) {
        const auto found =
            std::find_if(m_blocks.begin(), m_blocks.end(), [&](const Block &b) { return b.begin == at; });
        munmap(found->map, found->mapBytes);
        m_deviceBytes -= found->bytes;
        m_blocks.erase(found);
    });
}

Expected<MemoryBlock> SimulatedAccelerator::hostBlock(std::int64_t bytes)
{
    if (auto fault = allocationFault(bytes); !fault) return tl::unexpected(fault.error());
    auto *begin = new (std::nothrow) std::byte[static_cast<std::size_t>(bytes)](); // touched, as pinned memory is
    if (!begin)
        return fail(
            fmt::format("There is no {} of host memory for offloaded storages.", formatBytes(bytes, Rounding::Up)));
    m_hostBytes += bytes;
    return MemoryBlock(begin, [this, bytes](std::byte *at) {
        m_hostBytes -= bytes;
        delete[] at;
    });
}

SimulatedAccelerator::Block *SimulatedAccelerator::blockAt(const std::byte *at)
{
    for (Block &block : m_blocks)
        if (at >= block.begin && at < block.begin + block.bytes) return &block;
    return nullptr;
}

Expected<void> SimulatedAccelerator::open(std::byte *at, std::int64_t bytes)
{
    if (auto fault = allocationFault(bytes); !fault) return fault;
    Block *block = blockAt(at);
    if (!block || block->users.empty() || bytes == 0) return {};
    const std::size_t page = pageBytes();
    const auto first = static_cast<std::size_t>(at - block->map) / page;
    const auto last = static_cast<std::size_t>(at + bytes - 1 - block->map) / page;
    for (std::size_t p = first; p <= last; ++p) {
        if (block->users[p - 1]++ > 0) continue;
        if (mprotect(block->map + p * page, page, PROT_READ | PROT_WRITE) != 0)
            return fail("This process may not take {} of memory.", formatBytes(bytes, Rounding::Up));
    }
    return {};
}

void SimulatedAccelerator::close(std::byte *at, std::int64_t bytes)
{
    if (m_settings.closed == ClosedMemory::AsItIs || bytes == 0) return;
    std::memset(at, kPoison, static_cast<std::size_t>(bytes));
    Block *block = blockAt(at);
    if (!block || block->users.empty()) return;
    const std::size_t page = pageBytes();
    const auto first = static_cast<std::size_t>(at - block->map) / page;
    const auto last = static_cast<std::size_t>(at + bytes - 1 - block->map) / page;
    for (std::size_t p = first; p <= last; ++p)
        if (--block->users[p - 1] == 0) mprotect(block->map + p * page, page, PROT_NONE);
}

double SimulatedAccelerator::randomUs()
{
    if (m_settings.jitterUs <= 0) return 0;
    m_random = m_random * 6364136223846793005ULL + 1442695040888963407ULL;
    return m_settings.jitterUs * static_cast<double>(m_random >> 40) / 16777216.0;
}

void SimulatedAccelerator::compute(std::function<Expected<void>()> work)
{
    putCompute(Stream::Compute, std::move(work));
}

void SimulatedAccelerator::onHost(std::function<Expected<void>()> work)
{
    putCompute(Stream::Host, std::move(work));
}

void SimulatedAccelerator::putCompute(Stream stream, std::function<Expected<void>()> work)
{
    const bool fails = m_computes++ == m_settings.failingCompute;
    Work item;
    item.run = [work = std::move(work), fails]() -> Expected<void> {
        if (fails) return fail("The simulated device could not launch this, as was asked of it.");
        return work();
    };
    put(stream, std::move(item));
}

void SimulatedAccelerator::copy(Stream stream, std::function<Expected<CopyJob>()> job)
{
    const bool fails = m_copies++ == m_settings.failingCopy;
    Work item;
    item.run = [this, job = std::move(job), fails, extraUs = randomUs()]() -> Expected<void> {
        if (fails) return fail("The simulated device could not copy, as was asked of it.");
        const Expected<CopyJob> found = job();
        if (!found) return tl::unexpected(found.error());
        return doCopy(*found, extraUs);
    };
    put(stream, std::move(item));
}

/// The bytes move at the end, so that what is read too early is not there, and what was freed too early is gone.
Expected<void> SimulatedAccelerator::doCopy(const CopyJob &job, double extraUs) const
{
    const auto bytes = static_cast<double>(job.bytes);
    double us = extraUs + m_settings.linkLatencyUs;
    if (m_settings.linkBytesPerSecond > 0) us += bytes / m_settings.linkBytesPerSecond * 1e6;
    const auto after = [begin = Clock::now()](double later) {
        return begin + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double, std::micro>(later));
    };
    if (us > 0) std::this_thread::sleep_until(after(us - bytes / kMemoryBytesPerSecond * 1e6));
    if (job.bytes > 0) std::memcpy(job.to, job.from, static_cast<std::size_t>(job.bytes));
    if (us > 0) std::this_thread::sleep_until(after(us));
    return {};
}

StreamEvent SimulatedAccelerator::record(Stream stream)
{
    Work item;
    {
        const std::lock_guard lock(m_mutex);
        if (std::exchange(m_allDone, false)) m_events.clear();
        item.records.id = static_cast<std::int64_t>(m_events.size());
        m_events.push_back({stream, m_queues[index(stream)].put + 1, 0});
    }
    const StreamEvent event = item.records;
    put(stream, std::move(item));
    return event;
}

void SimulatedAccelerator::wait(Stream stream, StreamEvent event)
{
    if (event.id < 0) return;
    Work item;
    item.waitsFor = event;
    put(stream, std::move(item));
}

void SimulatedAccelerator::put(Stream stream, Work work)
{
    const std::lock_guard lock(m_mutex);
    Queue &queue = m_queues[index(stream)];
    queue.work.push_back(std::move(work));
    ++queue.put;
    queue.toDo.notify_one();
}

void SimulatedAccelerator::waitUntilDone(std::unique_lock<std::mutex> &lock, Stream stream, std::int64_t number)
{
    Queue &queue = m_queues[index(stream)];
    if (queue.wanted < number) {
        queue.wanted = number;
        queue.toDo.notify_one();
    }
    while (queue.done < number && !m_ending) {
        queue.awaited = std::min(queue.awaited, number);
        queue.finished.wait(lock);
    }
}

/// A stream's thread.
void SimulatedAccelerator::serve(Stream stream)
{
    Queue &queue = m_queues[index(stream)];
    const bool late = m_settings.late[index(stream)];
    std::unique_lock lock(m_mutex);
    while (true) {
        queue.toDo.wait(lock,
                        [&] { return m_ending || (!queue.work.empty() && (!late || queue.wanted > queue.done)); });
        if (m_ending) return;
        Work work = std::move(queue.work.front());
        queue.work.pop_front();
        if (work.waitsFor.id >= 0) {
            const Happened target = m_events[static_cast<std::size_t>(work.waitsFor.id)];
            waitUntilDone(lock, target.stream, target.number);
        }
        if (work.run && !m_failure && !m_ending) {
            lock.unlock();
            Expected<void> done = guarded(work.run);
            work.run = {}; // what it holds goes before others hear of it
            lock.lock();
            if (!done && !m_failure) m_failure = std::move(done.error());
        }
        if (work.records.id >= 0 && !m_failure)
            m_events[static_cast<std::size_t>(work.records.id)].timeUs =
                std::chrono::duration<double, std::micro>(Clock::now() - m_start).count();
        if (++queue.done < queue.awaited) continue;
        queue.awaited = std::numeric_limits<std::int64_t>::max();
        queue.finished.notify_all();
    }
}

Expected<void> SimulatedAccelerator::synchronize()
{
    std::unique_lock lock(m_mutex);
    for (const bool late : {false, true})
        for (const Stream stream : kEveryStream)
            if (m_settings.late[index(stream)] == late) waitUntilDone(lock, stream, m_queues[index(stream)].put);
    std::optional<Error> failure = std::move(m_failure);
    m_failure.reset();
    m_allDone = true;
    if (failure) return tl::unexpected(std::move(*failure));
    return {};
}

double SimulatedAccelerator::timeUs(StreamEvent event) const
{
    const std::lock_guard lock(m_mutex);
    return event.id < 0 ? 0 : m_events[static_cast<std::size_t>(event.id)].timeUs;
}

} // namespace remat
