// SPDX-License-Identifier: Apache-2.0
// Blocks that are kept for the next of their size: never more memory than was held at most.
#include "gpu/engine/kept_blocks.h"
#include "tests/support/random.h"

#include <QtTest>

#include <algorithm>
#include <map>
#include <new>
#include <utility>
#include <vector>

using namespace remat;
using namespace remat::test;

namespace {

constexpr std::size_t kUnit = KeptBlocks::kLeastBytes;

/// What the system has given out, and whether it gives more.
struct System {
    std::map<void *, std::size_t> given;
    std::size_t bytes = 0, asked = 0, most = ~std::size_t(0);
};
System g_system; // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)

void *allocate(std::size_t bytes)
{
    if (bytes > g_system.most) throw std::bad_alloc();
    void *block = new char[16]; // its size is only said
    g_system.given[block] = bytes;
    g_system.bytes += bytes;
    ++g_system.asked;
    return block;
}

void release(void *block)
{
    g_system.bytes -= g_system.given.at(block);
    g_system.given.erase(block);
    delete[] static_cast<char *>(block);
}

} // namespace

class TestKeptBlocks : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { g_system = {}; }

    void theNextOfItsSizeGetsIt()
    {
        KeptBlocks blocks({&allocate, &release});
        void *first = blocks.take(3 * kUnit);
        blocks.give(first, 3 * kUnit);
        QCOMPARE(g_system.bytes, 3 * kUnit);
        QCOMPARE(blocks.take(3 * kUnit), first);
        QCOMPARE(g_system.asked, std::size_t(1));
    }

    void smallOnesGoBackAtOnce()
    {
        KeptBlocks blocks({&allocate, &release});
        blocks.give(blocks.take(kUnit - 1), kUnit - 1);
        QVERIFY(g_system.given.empty());
    }

    void otherSizesMakeRoom()
    {
        KeptBlocks blocks({&allocate, &release});
        void *held = blocks.take(4 * kUnit);
        blocks.give(blocks.take(2 * kUnit), 2 * kUnit);
        static_cast<void>(blocks.take(kUnit)); // 4 held, 2 kept, 1 more: over the 6 that were held at most
        QCOMPARE(g_system.bytes, 5 * kUnit);
        QVERIFY(g_system.given.contains(held));
    }

    /// What could not be had is not held.
    void failingTakesNothing()
    {
        KeptBlocks blocks({&allocate, &release});
        g_system.most = 8 * kUnit;
        QVERIFY_EXCEPTION_THROWN(static_cast<void>(blocks.take(9 * kUnit)), std::bad_alloc);
        blocks.give(blocks.take(2 * kUnit), 2 * kUnit);
        static_cast<void>(blocks.take(2 * kUnit));
        QCOMPARE(g_system.asked, std::size_t(1));
    }

    void neverMoreThanWasHeldAtMost()
    {
        KeptBlocks blocks({&allocate, &release});
        Random random(5);
        std::vector<std::pair<void *, std::size_t>> held;
        std::size_t holds = 0, most = 0;
        for (int turn = 0; turn < 20'000; ++turn) {
            if (held.empty() || random.below(100) < 50) {
                const std::size_t bytes = (1 + static_cast<std::size_t>(random.below(8))) * kUnit;
                void *block = blocks.take(bytes);
                QVERIFY(g_system.given.at(block) == bytes);
                QVERIFY(
                    std::none_of(held.begin(), held.end(), [&](const auto &other) { return other.first == block; }));
                held.emplace_back(block, bytes);
                holds += bytes;
            } else {
                const auto which = static_cast<std::size_t>(random.below(static_cast<int>(held.size())));
                std::swap(held[which], held.back());
                blocks.give(held.back().first, held.back().second);
                holds -= held.back().second;
                held.pop_back();
            }
            most = std::max(most, holds);
            QVERIFY(g_system.bytes <= most);
            QVERIFY(g_system.bytes >= holds);
        }
        QVERIFY(g_system.asked < 10'000);
    }
};

QTEST_APPLESS_MAIN(TestKeptBlocks)
#include "tst_kept_blocks.moc"
