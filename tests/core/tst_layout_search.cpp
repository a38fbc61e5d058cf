// SPDX-License-Identifier: Apache-2.0
// Layouts that are as low as they can be: instances whose lowest height is known because they were cut from a block.
#include "core/addresses/canonical_search.h"
#include "core/addresses/layout.h"
#include "core/io/layout_csv.h"
#include "tests/support/random.h"

#include <QtTest>

#include <algorithm>
#include <functional>

using namespace remat;

namespace {

/// Cuts a block of `steps` by `bytes` into about `count` pieces without a gap: no layout is lower than the block.
std::vector<MemoryInstance> cutBlock(std::uint64_t seed, int count, std::int32_t steps, std::int64_t bytes)
{
    struct Piece {
        std::int32_t first = 0, end = 0;
        std::int64_t low = 0, high = 0;
    };
    test::Random random(seed);
    std::vector<Piece> pieces = {{0, steps, 0, bytes}};
    while (static_cast<int>(pieces.size()) < count) {
        // Takes the largest of a few, so that no piece stays huge.
        std::size_t at = 0;
        double largest = -1;
        for (int look = 0; look < 4; ++look) {
            const auto candidate = static_cast<std::size_t>(random.below(static_cast<int>(pieces.size())));
            const Piece &piece = pieces[candidate];
            const double area =
                static_cast<double>(piece.end - piece.first) * static_cast<double>(piece.high - piece.low);
            if (area > largest) {
                largest = area;
                at = candidate;
            }
        }
        Piece &piece = pieces[at];
        Piece rest = piece;
        const auto wide = piece.end - piece.first;
        const auto high = static_cast<int>(piece.high - piece.low);
        if (random.percent(50) ? wide > 1 : high <= 1 && wide > 1) {
            piece.end = rest.first = piece.first + random.between(1, wide - 1);
        } else if (high > 1) {
            piece.high = rest.low = piece.low + random.between(1, high - 1);
        } else {
            continue;
        }
        pieces.push_back(rest);
    }
    std::vector<MemoryInstance> instances;
    for (const Piece &piece : pieces)
        instances.push_back({StorageId(instances.size()), {}, piece.first, piece.end, piece.high - piece.low});
    std::stable_sort(instances.begin(), instances.end(),
                     [](const MemoryInstance &a, const MemoryInstance &b) { return a.firstStep < b.firstStep; });
    return instances;
}

/// Tries every offset of every instance.
bool fitsSomehow(const std::vector<MemoryInstance> &instances, std::int64_t height)
{
    std::vector<std::int64_t> offsets(instances.size(), -1);
    const auto apart = [&](std::size_t i, std::size_t j) {
        return instances[i].firstStep >= instances[j].endStep || instances[j].firstStep >= instances[i].endStep ||
               offsets[i] >= offsets[j] + instances[j].bytes || offsets[j] >= offsets[i] + instances[i].bytes;
    };
    const std::function<bool(std::size_t)> place = [&](std::size_t i) {
        if (i == instances.size()) return true;
        for (offsets[i] = 0; offsets[i] + instances[i].bytes <= height; ++offsets[i]) {
            bool fits = true;
            for (std::size_t j = 0; j < i && fits; ++j)
                fits = apart(i, j);
            if (fits && place(i + 1)) return true;
        }
        return false;
    };
    return place(0);
}

} // namespace

class TestLayoutSearch : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void tightBlocksAreFoundAgain()
    {
        constexpr std::int64_t kBytes = 1 << 20;
        int lowest = 0, plain = 0;
        std::int64_t nodes = 0;
        for (std::uint64_t seed = 0; seed < 10; ++seed) {
            const std::vector<MemoryInstance> instances = cutBlock(seed, 300, 1000, kBytes);
            QCOMPARE(largestLoad(instances), kBytes);
            plain += layOut(instances).heightBytes == kBytes ? 1 : 0;
            LayoutEffort effort;
            effort.mostNodes = 100'000;
            const SearchedLayout found = layOutWell(instances, effort);
            const std::optional<std::string> fault = layoutFault(instances, found.layout);
            QVERIFY2(!fault, fault ? fault->c_str() : "");
            QCOMPARE(found.boundBytes, kBytes);
            lowest += found.layout.heightBytes == kBytes ? 1 : 0;
            nodes += found.nodes;
        }
        qInfo("%d of 10 are lowest, %d without search; %lld nodes", lowest, plain, static_cast<long long>(nodes));
        QVERIFY2(lowest >= 9, qPrintable(QString("%1 of 10, %2 without search").arg(lowest).arg(plain)));
        QVERIFY2(plain < lowest, "the search is not needed for these");
    }

    void faultsAreNamed()
    {
        const std::vector<MemoryInstance> instances = {{StorageId(0), {}, 0, 2, 4}, {StorageId(1), {}, 1, 3, 4}};
        MemoryLayout layout;
        layout.offsets = {0, 4};
        layout.heightBytes = 8;
        QVERIFY(!layoutFault(instances, layout));
        layout.offsets = {0, 3};
        layout.heightBytes = 7;
        QCOMPARE(QString::fromStdString(*layoutFault(instances, layout)),
                 QString("Instances 0 and 1 share an address at step 1."));
        layout.offsets = {3, 0};
        QVERIFY(layoutFault(instances, layout));
        layout.offsets = {0, -1};
        QVERIFY(layoutFault(instances, layout));
        layout.offsets = {0, 4};
        QVERIFY(QString::fromStdString(*layoutFault(instances, layout)).contains("it is 8"));
        layout.offsets = {0};
        QVERIFY(layoutFault(instances, layout));
    }

    /// Every step is filled up to the same load by one more instance, which must find its room in one piece: often
    /// there is no layout as low as the load, and the bound says so. Trying all offsets agrees.
    void impossibleHeightsAreProven()
    {
        constexpr int kSteps = 6;
        int above = 0;
        for (std::uint64_t seed = 0; seed < 300; ++seed) {
            test::Random random(seed);
            std::vector<MemoryInstance> instances;
            std::vector<std::int64_t> load(kSteps, 0);
            const auto add = [&](std::int32_t first, std::int32_t end, std::int64_t bytes) {
                instances.push_back({StorageId(instances.size()), {}, first, end, bytes});
                for (std::int32_t step = first; step < end; ++step)
                    load[static_cast<std::size_t>(step)] += bytes;
            };
            for (int i = 0; i < 7; ++i) {
                const std::int32_t first = random.below(kSteps);
                const std::int32_t end = first + random.between(1, kSteps - first);
                add(first, end, random.between(1, 5));
            }
            const std::int64_t most = *std::max_element(load.begin(), load.end());
            for (std::int32_t step = 0; step < kSteps; ++step)
                if (const std::int64_t left = most - load[static_cast<std::size_t>(step)]; left > 0)
                    add(step, step + 1, left);
            std::stable_sort(instances.begin(), instances.end(), [](const MemoryInstance &a, const MemoryInstance &b) {
                return a.firstStep < b.firstStep;
            });
            const SearchedLayout found = layOutWell(instances, {});
            QVERIFY(!layoutFault(instances, found.layout));
            // What is small is searched to the end.
            QCOMPARE(found.boundBytes, found.layout.heightBytes);
            if (found.boundBytes == found.layout.loadBytes) continue;
            ++above;
            QVERIFY(!fitsSomehow(instances, found.boundBytes - 1));
        }
        QVERIFY2(above > 3, "hardly an instance needed a proof");
    }

    void tablesAreReadAndWritten()
    {
        const auto table = readBufferTable(std::string_view("id,lower,upper,size\nb,2,5,10\na,0,3,4\n"));
        QVERIFY2(table, table ? "" : table.error().message.c_str());
        QCOMPARE(table->ids, (std::vector<std::string>{"a", "b"}));
        QVERIFY(!table->offsets);
        const SearchedLayout found = layOutWell(table->instances, {});
        QCOMPARE(found.layout.heightBytes, 14);
        const auto again = readBufferTable(std::string_view(bufferTableText(*table, found.layout)));
        QVERIFY2(again, again ? "" : again.error().message.c_str());
        QVERIFY(again->offsets && *again->offsets == found.layout.offsets);
        // The older names; `end` is the last step itself.
        const auto older =
            readBufferTable(std::string_view("buffer_id,start,end,size,hint\r\n7,0,0,3,\r\n8,1,1,5,x\r\n"));
        QVERIFY2(older, older ? "" : older.error().message.c_str());
        QCOMPARE(older->instances[0].endStep, 1);
        QCOMPARE(layOutWell(older->instances, {}).layout.heightBytes, 5);
        QCOMPARE(readBufferTable(std::string_view("id,lower,upper,size\n"))->instances.size(), std::size_t(0));
    }

    void wrongTablesAreRefused_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("says");
        const auto row = [](const char *name, const char *text, const char *says) {
            QTest::newRow(name) << QByteArray(text) << says;
        };
        row("nothing", "", "no column id");
        row("no size", "id,lower,upper\n", "no column size");
        row("twice", "id,lower,start,upper,size\n", "two columns for lower");
        row("few fields", "id,lower,upper,size\na,1,2\n", "Line 2");
        row("no number", "id,lower,upper,size\na,1,x,3\n", "whole numbers");
        row("backwards", "id,lower,upper,size\na,2,2,3\n", "lower below upper");
        row("negative", "id,lower,upper,size\na,0,2,-3\n", "whole numbers");
        row("huge", "id,lower,upper,size\na,0,99999999999,3\n", "2^31");
        row("aligned", "id,lower,upper,size,alignment\na,0,2,3,64\n", "alignment");
        row("gaps", "id,lower,upper,size,gaps\na,0,9,3,2-4\n", "gaps");
        row("offset", "id,lower,upper,size,offset\na,0,9,3,-1\n", "offset");
    }
    void wrongTablesAreRefused()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, says);
        const auto table = readBufferTable(std::string_view(text.constData(), static_cast<std::size_t>(text.size())));
        QVERIFY(!table);
        QVERIFY2(QString::fromStdString(table.error().message).contains(says), table.error().message.c_str());
    }

    void stopsWhenAsked()
    {
        const std::vector<MemoryInstance> instances = cutBlock(3, 300, 1000, 1 << 20);
        LayoutEffort effort;
        effort.stop = [] { return true; };
        const SearchedLayout found = layOutWell(instances, effort);
        QVERIFY(!layoutFault(instances, found.layout));
        QVERIFY(found.nodes < 10'000);
    }
};

QTEST_APPLESS_MAIN(TestLayoutSearch)
#include "tst_layout_search.moc"
