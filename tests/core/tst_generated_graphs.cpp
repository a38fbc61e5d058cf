// SPDX-License-Identifier: Apache-2.0
// The graphs that benchmarks are made on are what their descriptions say.
#include "tests/support/random_layered.h"
#include "tests/support/u_shaped.h"

#include <QtTest>

#include <algorithm>
#include <vector>

using namespace remat;

class TstGeneratedGraphs : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void randomLayeredHasThePublishedFigures_data()
    {
        QTest::addColumn<int>("ops");
        QTest::addColumn<int>("layers");
        QTest::addColumn<double>("width");
        QTest::newRow("100") << 100 << 21 << 4.76;
        QTest::newRow("250") << 250 << 24 << 10.4;
        QTest::newRow("500") << 500 << 33 << 15.2;
        QTest::newRow("1000") << 1000 << 51 << 19.6;
        QTest::newRow("10000") << 10000 << 510 << 19.6;
    }
    void randomLayeredHasThePublishedFigures()
    {
        QFETCH(int, ops);
        QFETCH(int, layers);
        QFETCH(double, width);
        test::RandomLayeredParams params;
        params.ops = ops;
        const Graph graph = test::randomLayeredGraph(3, params);
        QCOMPARE(int(graph.ops.size()), ops);

        // An op's layer is one more than that of its highest input, since every op reads one of the layer before.
        std::vector<int> layer(graph.ops.size(), 0), widths, readers(graph.ops.size(), 0);
        int edges = 0, adjacent = 0;
        for (std::size_t op = 0; op < graph.ops.size(); ++op)
            for (const StorageId input : graph.ops[op].inputs) {
                const std::size_t from = graph.storage(input).producer.index();
                layer[op] = std::max(layer[op], layer[from] + 1);
                ++readers[from];
            }
        for (std::size_t op = 0; op < graph.ops.size(); ++op) {
            if (op > 0) QVERIFY(layer[op] >= layer[op - 1] && layer[op] > 0);
            widths.resize(static_cast<std::size_t>(layer[op]) + 1);
            ++widths[static_cast<std::size_t>(layer[op])];
            for (const StorageId input : graph.ops[op].inputs) {
                ++edges;
                adjacent += layer[graph.storage(input).producer.index()] + 1 == layer[op] ? 1 : 0;
            }
        }
        QCOMPARE(int(widths.size()), layers);
        QVERIFY(qAbs(ops / double(layers) - width) < 0.1);
        QCOMPARE(widths.front(), 1);
        QCOMPARE(widths.back(), 1);
        QVERIFY(*std::max_element(widths.begin(), widths.end()) < 2.5 * width);
        QCOMPARE(std::count(readers.begin(), readers.end(), 0), 1); // the sink
        const double share = adjacent / double(edges);
        QVERIFY2(share > 0.855 && share < 0.88, qPrintable(QString::number(share)));

        std::vector<std::int64_t> bytes;
        double sumUs = 0;
        for (const Op &op : graph.ops) {
            bytes.push_back(graph.storage(op.outputs.front()).bytes);
            sumUs += op.timeUs;
            QVERIFY(op.timeUs >= 1 && op.timeUs <= 1000);
        }
        std::sort(bytes.begin(), bytes.end());
        const std::int64_t median = bytes[bytes.size() / 2];
        QVERIFY2(median > 1100 && median < 2100 && bytes.back() <= 8100 && bytes.back() > 5000,
                 qPrintable(QString("%1 %2").arg(median).arg(bytes.back())));
        QVERIFY(qAbs(sumUs / ops - 500) < 90);
    }

    void randomLayeredIsMadeBySeed()
    {
        test::RandomLayeredParams params;
        params.ops = 250;
        QCOMPARE(test::randomLayeredGraph(1, params).fingerprint, test::randomLayeredGraph(1, params).fingerprint);
        QVERIFY(test::randomLayeredGraph(1, params).fingerprint != test::randomLayeredGraph(2, params).fingerprint);
        for (int ops = 4; ops < 60; ++ops) {
            params.ops = ops;
            QCOMPARE(int(test::randomLayeredGraph(7, params).ops.size()), ops);
        }
    }

    void uShapedReadsItsSkips()
    {
        const Graph graph = test::uShapedGraph(3, 2);
        QCOMPARE(int(graph.ops.size()), 49); // 24 layers, the loss, 24 gradients
        // The first skip is made before everything below it and read after it.
        const auto readers = readersOf(graph);
        int longest = 0;
        for (std::size_t s = 0; s < graph.storages.size(); ++s) {
            if (!graph.planned(StorageId(s))) continue;
            for (const OpId reader : readers[s])
                if (graph.op(reader).phase == Phase::Forward)
                    longest = std::max(longest, reader.value - graph.storages[s].producer.value);
        }
        QCOMPARE(longest, 19);
    }
};

QTEST_APPLESS_MAIN(TstGeneratedGraphs)
#include "tst_generated_graphs.moc"
