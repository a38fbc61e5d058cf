// SPDX-License-Identifier: Apache-2.0
#include "gpu/engine/device_check.h"

#include <algorithm>
#include <array>
#include <bit>

namespace remat {
namespace {

/// No multiple of a word, so that the ends are looked at, too; large enough that a GPU needs many blocks.
constexpr std::int64_t kBytes = (std::int64_t(1) << 20) + 13;
constexpr std::int64_t kRoom = std::int64_t(1) << 21;

class Checker
{
public:
    explicit Checker(Accelerator &accelerator) : m_accelerator(accelerator) {}

    std::vector<DeviceCheck> run()
    {
        if (!ready()) return std::move(m_checks);
        tryOut("Checksums equal the CPU's", [this] { return checksums(); });
        tryOut("Comparison counts what differs", [this] { return comparisons(); });
        tryOut("Copies there and back keep every bit", [this] { return copies(); });
        tryOut("Streams wait for each other's events", [this] { return order(); });
        tryOut("Freed memory is filled", [this] { return poison(); });
        return std::move(m_checks);
    }

private:
    template <class Try>
    void tryOut(const char *name, const Try &attempt)
    {
        const Expected<void> done = attempt();
        m_checks.push_back({name, done.has_value(), done ? std::string() : done.error().message});
    }

    bool ready()
    {
        tryOut("Device and pinned host memory are given", [this]() -> Expected<void> {
            auto device = m_accelerator.deviceBlock(2 * kRoom);
            if (!device) return tl::unexpected(device.error());
            auto host = m_accelerator.hostBlock(2 * kRoom);
            if (!host) return tl::unexpected(host.error());
            m_device = std::move(*device);
            m_host = std::move(*host);
            return onDevice([this] { return m_accelerator.open(m_device.get(), 2 * kRoom); });
        });
        std::uint64_t state = 1;
        for (std::int64_t i = 0; i < kBytes && m_host; ++i) {
            state = state * 6364136223846793005ULL + 1442695040888963407ULL;
            m_host.get()[i] = static_cast<std::byte>(state >> 56);
        }
        return m_checks.back().passed;
    }

    Expected<void> onDevice(std::function<Expected<void>()> work)
    {
        m_accelerator.compute(std::move(work));
        return m_accelerator.synchronize();
    }
    void put(Stream stream, std::byte *to, const std::byte *from, std::int64_t bytes)
    {
        m_accelerator.copy(stream, [=]() -> Expected<CopyJob> { return CopyJob{to, from, bytes}; });
    }
    static std::span<std::byte> part(std::byte *at) { return {at, static_cast<std::size_t>(kBytes)}; }

    Expected<void> checksums()
    {
        put(Stream::ToDevice, m_device.get(), m_host.get(), kBytes);
        if (auto done = m_accelerator.synchronize(); !done) return done;
        // At any address, of any size.
        for (const std::size_t from : {0U, 1U, 8U})
            for (const std::size_t less : {0U, 1U, 1U << 20}) {
                const auto size = static_cast<std::size_t>(kBytes) - from - less;
                std::uint64_t found = 0;
                auto done = onDevice([&]() -> Expected<void> {
                    const auto sum = m_accelerator.checksum(part(m_device.get()).subspan(from, size));
                    if (!sum) return tl::unexpected(sum.error());
                    found = *sum;
                    return {};
                });
                if (!done) return done;
                if (found != checksumOf(part(m_host.get()).subspan(from, size)))
                    return fail("The checksum of {} bytes is another one.", size);
            }
        return {};
    }

    Expected<void> comparisons()
    {
        std::byte *other = m_host.get() + kRoom;
        std::copy_n(m_host.get(), kBytes, other);
        // 1.0 against 3.5 as floats, at the fifth element; a byte near the end.
        const auto one = std::bit_cast<std::array<std::byte, 4>>(1.0F);
        const auto more = std::bit_cast<std::array<std::byte, 4>>(3.5F);
        std::copy(one.begin(), one.end(), m_host.get() + 20);
        std::copy(more.begin(), more.end(), other + 20);
        other[kBytes - 1] ^= std::byte{1};
        put(Stream::ToDevice, m_device.get(), m_host.get(), kBytes);
        put(Stream::ToDevice, m_device.get() + kRoom, other, kBytes);
        if (auto done = m_accelerator.synchronize(); !done) return done;
        for (const ElementKind kind :
             {ElementKind::Float, ElementKind::Byte, ElementKind::Half, ElementKind::BFloat16, ElementKind::Double}) {
            StorageDifference found;
            auto done = onDevice([&]() -> Expected<void> {
                const auto difference = m_accelerator.compare(part(m_device.get()), part(m_device.get() + kRoom), kind);
                if (!difference) return tl::unexpected(difference.error());
                found = *difference;
                return {};
            });
            if (!done) return done;
            const StorageDifference wanted = compareStorages(part(m_host.get()), part(other), kind);
            if (found.count != wanted.count || found.first != wanted.first || found.largest != wanted.largest)
                return fail("Where {} elements differ from number {} on, {} were found from {} on.", wanted.count,
                            wanted.first, found.count, found.first);
        }
        return {};
    }

    Expected<void> copies()
    {
        std::byte *back = m_host.get() + kRoom;
        put(Stream::ToDevice, m_device.get(), m_host.get(), kBytes);
        m_accelerator.wait(Stream::ToHost, m_accelerator.record(Stream::ToDevice));
        std::fill_n(back, kBytes, std::byte{0});
        put(Stream::ToHost, back, m_device.get(), kBytes);
        if (auto done = m_accelerator.synchronize(); !done) return done;
        if (!std::equal(back, back + kBytes, m_host.get())) return fail("What came back is not what went there.");
        return {};
    }

    /// Each copy reads what the one before it wrote, on the other stream.
    Expected<void> order()
    {
        constexpr int kTurns = 8;
        const std::int64_t size = kRoom / kTurns / 2;
        for (int turn = 0; turn + 1 < kTurns; ++turn) {
            std::byte *there = m_device.get() + turn * size;
            put(Stream::ToDevice, there, m_host.get() + turn * size, size);
            m_accelerator.wait(Stream::ToHost, m_accelerator.record(Stream::ToDevice));
            put(Stream::ToHost, m_host.get() + (turn + 1) * size, there, size);
            m_accelerator.wait(Stream::ToDevice, m_accelerator.record(Stream::ToHost));
        }
        if (auto done = m_accelerator.synchronize(); !done) return done;
        if (!std::equal(m_host.get(), m_host.get() + size, m_host.get() + (kTurns - 1) * size))
            return fail("A copy ran before the one that it waits for had ended.");
        return {};
    }

    Expected<void> poison()
    {
        auto closed = onDevice([this]() -> Expected<void> {
            m_accelerator.close(m_device.get(), 2 * kRoom);
            return m_accelerator.open(m_device.get(), 2 * kRoom);
        });
        if (!closed) return closed;
        put(Stream::ToHost, m_host.get(), m_device.get(), 2 * kRoom);
        if (auto done = m_accelerator.synchronize(); !done) return done;
        if (std::any_of(m_host.get(), m_host.get() + 2 * kRoom, [](std::byte b) { return b != std::byte{0xff}; }))
            return fail("Bytes of freed memory are as they were.");
        return {};
    }

    Accelerator &m_accelerator;
    MemoryBlock m_device, m_host;
    std::vector<DeviceCheck> m_checks;
};

} // namespace

std::vector<DeviceCheck> checkDevice(Accelerator &accelerator)
{
    return Checker(accelerator).run();
}

} // namespace remat
