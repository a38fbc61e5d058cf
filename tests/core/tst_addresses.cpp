// SPDX-License-Identifier: Apache-2.0
#include "core/addresses/address_space.h"
#include "core/addresses/layout.h"
#include "core/plan/simulator.h"
#include "tests/support/graphs.h"
#include "tests/support/random_plans.h"

#include <QtTest>

#include <algorithm>
#include <functional>
#include <numeric>

using namespace remat;

namespace {

bool together(const MemoryInstance &a, const MemoryInstance &b)
{
    return a.firstStep < b.endStep && b.firstStep < a.endStep;
}

/// No two instances that are alive together share an address, and the height is where the highest one ends.
bool sound(const std::vector<MemoryInstance> &instances, const MemoryLayout &layout)
{
    std::int64_t height = 0;
    for (std::size_t i = 0; i < instances.size(); ++i) {
        if (layout.offsets[i] < 0) return false;
        height = std::max(height, layout.offsets[i] + instances[i].bytes);
        for (std::size_t j = 0; j < i; ++j)
            if (together(instances[i], instances[j]) && layout.offsets[i] < layout.offsets[j] + instances[j].bytes &&
                layout.offsets[j] < layout.offsets[i] + instances[i].bytes)
                return false;
    }
    return height == layout.heightBytes;
}

/// The lowest height there is: tries every offset that is a sum of sizes, which is where some lowest layout lies.
std::int64_t lowestHeight(const std::vector<MemoryInstance> &instances)
{
    std::int64_t best = 0;
    for (const MemoryInstance &instance : instances)
        best += instance.bytes;
    const std::int64_t all = best;
    std::vector<std::int64_t> offsets(instances.size(), -1);
    const std::function<void(std::size_t, std::int64_t)> place = [&](std::size_t i, std::int64_t height) {
        if (height >= best) return;
        if (i == instances.size()) {
            best = height;
            return;
        }
        for (std::int64_t offset = 0; offset + instances[i].bytes <= all; ++offset) {
            bool fits = true;
            for (std::size_t j = 0; j < i && fits; ++j)
                fits = !together(instances[i], instances[j]) || offset >= offsets[j] + instances[j].bytes ||
                       offsets[j] >= offset + instances[i].bytes;
            if (!fits) continue;
            offsets[i] = offset;
            place(i + 1, std::max(height, offset + instances[i].bytes));
        }
    };
    place(0, 0);
    return best;
}

std::vector<MemoryInstance> randomInstances(test::Random &random, int count, int steps, int largest)
{
    std::vector<MemoryInstance> instances;
    for (int i = 0; i < count; ++i) {
        const int first = random.below(steps);
        instances.push_back(
            {StorageId(i), {}, first, first + random.between(1, steps - first), random.between(1, largest)});
    }
    std::stable_sort(instances.begin(), instances.end(),
                     [](const MemoryInstance &a, const MemoryInstance &b) { return a.firstStep < b.firstStep; });
    return instances;
}

} // namespace

class TestAddresses : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void instancesAddUpToThePeakOfRandomPlans()
    {
        for (std::uint64_t seed = 0; seed < 300; ++seed) {
            test::RandomGraphParams params;
            params.joint = seed % 2 == 0;
            const Graph graph = test::randomGraph(seed, params);
            const CostTable costs = test::graphCosts(graph);
            test::Random random(seed);
            const std::vector<Step> steps = test::randomValidPlan(graph, random);
            const Expected<Simulation> simulation = simulate(graph, costs, steps);
            QVERIFY(simulation.has_value());
            const std::vector<MemoryInstance> instances = memoryInstances(graph, costs, steps);
            QCOMPARE(largestLoad(instances), simulation->peakBytes);
            const MemoryLayout layout = layOut(instances);
            QVERIFY(sound(instances, layout));
            QCOMPARE(layout.loadBytes, simulation->peakBytes);
            QVERIFY(layout.heightBytes >= layout.loadBytes);
        }
    }

    void smallLayoutsAreNearTheLowest()
    {
        int lowest = 0, all = 0;
        for (std::uint64_t seed = 0; seed < 200; ++seed) {
            test::Random random(seed);
            const std::vector<MemoryInstance> instances = randomInstances(random, 6, 6, 4);
            const MemoryLayout layout = layOut(instances);
            QVERIFY(sound(instances, layout));
            const std::int64_t best = lowestHeight(instances);
            QVERIFY(layout.heightBytes >= best);
            QVERIFY(static_cast<double>(layout.heightBytes) <= 1.34 * static_cast<double>(best));
            ++all;
            lowest += layout.heightBytes == best ? 1 : 0;
        }
        QVERIFY2(lowest * 100 >= all * 97, qPrintable(QString("%1 of %2").arg(lowest).arg(all)));
    }

    void severalRoundsBeatTheOrderOfTime()
    {
        // Time order puts the short 2 below the long 3 and leaves a hole under it.
        const std::vector<MemoryInstance> instances = {
            {StorageId(0), {}, 0, 2, 2}, {StorageId(1), {}, 1, 4, 3}, {StorageId(2), {}, 2, 4, 3}};
        const MemoryLayout layout = layOut(instances);
        QCOMPARE(layout.loadBytes, 6);
        QCOMPARE(layout.heightBytes, 6);
        QCOMPARE(layout.fragmentation(), 0.0);
    }

    void nothingNeedsNoAddresses()
    {
        const MemoryLayout layout = layOut({});
        QCOMPARE(layout.heightBytes, 0);
        QCOMPARE(layout.fragmentation(), 0.0);
    }

    void anAddressSpaceSplitsAndJoins()
    {
        AddressSpace space(10);
        QCOMPARE(space.allocate(3, 0, AddressEnd::Left), 0);
        QCOMPARE(space.allocate(2, 1, AddressEnd::Right), 8);
        QCOMPARE(space.allocate(4, 2, AddressEnd::Left), 3);
        QCOMPARE(space.freeBytes(), 1);
        QCOMPARE(space.allocate(2, 3, AddressEnd::Left), -1);
        QCOMPARE(space.allocate(0, 3, AddressEnd::Left), 0);
        space.free(5); // nothing begins there
        QCOMPARE(space.freeBytes(), 1);
        space.free(0);
        QCOMPARE(space.allocate(4, 4, AddressEnd::Left), -1); // 3 and 1 are free, apart from each other
        space.free(3);
        QCOMPARE(space.pieces().size(), 2U);
        QCOMPARE(space.pieces().front().bytes, 8);
        QCOMPARE(space.allocate(8, 4, AddressEnd::Right), 0);
        space.setOwner(0, 7);
        QCOMPARE(space.pieces().front().owner, 7);
    }

    void theBestFitIsTheSmallestPieceThatIsLargeEnough()
    {
        AddressSpace space(20);
        for (int i = 0; i < 10; ++i)
            space.allocate(2, i, AddressEnd::Left);
        space.free(0);
        space.free(2); // 0 to 4 are free,
        space.free(10);
        space.free(12);
        space.free(14); // 10 to 16,
        space.free(18); // and 18 to 20
        QCOMPARE(space.allocate(2, 10, AddressEnd::Smallest), 18);
        QCOMPARE(space.allocate(3, 11, AddressEnd::Smallest), 0);
        QCOMPARE(space.allocate(5, 12, AddressEnd::Smallest), 10);
        QCOMPARE(space.allocate(2, 13, AddressEnd::Smallest), -1);
        QCOMPARE(space.freeBytes(), 2);
    }

    void randomTrafficKeepsTheListWhole()
    {
        test::Random random(7);
        AddressSpace space(1000);
        std::vector<std::int64_t> taken;
        for (int round = 0; round < 5000; ++round) {
            if (taken.empty() || random.percent(55)) {
                const std::int64_t offset = space.allocate(random.between(1, 60), round,
                                                           random.percent(50) ? AddressEnd::Left : AddressEnd::Right);
                if (offset >= 0) taken.push_back(offset);
            } else {
                const auto which = static_cast<std::size_t>(random.below(static_cast<int>(taken.size())));
                space.free(taken[which]);
                taken.erase(taken.begin() + static_cast<std::ptrdiff_t>(which));
            }
            std::int64_t at = 0, free = 0;
            bool lastFree = false;
            for (const MemoryPiece &piece : space.pieces()) {
                QCOMPARE(piece.offset, at);
                QVERIFY(piece.bytes > 0);
                at += piece.bytes;
                const bool isFree = piece.owner == MemoryPiece::kFree;
                QVERIFY(!(isFree && lastFree));
                lastFree = isFree;
                if (isFree) free += piece.bytes;
            }
            QCOMPARE(at, 1000);
            QCOMPARE(free, space.freeBytes());
        }
    }
};

QTEST_APPLESS_MAIN(TestAddresses)
#include "tst_addresses.moc"
