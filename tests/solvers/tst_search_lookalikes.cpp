// SPDX-License-Identifier: Apache-2.0
// Ops that look alike are found, layer by layer.
#include "solvers/search/lookalikes.h"
#include "tests/solvers/solving.h"

#include <QtTest>

using namespace remat;
using namespace remat::search;

class TestSearchLookalikes : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void layersOfAChain()
    {
        const test::Case of(test::chainGraph(12, {.parameterBytes = 3}));
        const FlatGraph flat = flatten(of.graph, of.costs);
        const Lookalikes lookalikes(flat);
        // Forward 0..11, loss 12, backward 13..24 from the last layer to the first.
        QVERIFY(lookalikes.alike(5).size() >= 6);
        QCOMPARE(lookalikes.shifted(5, 1), 6);
        QCOMPARE(lookalikes.shifted(6, -2), 4);
        // The backward op of layer 5 is 24 − 5; one layer later is one op earlier.
        QCOMPARE(lookalikes.shifted(19, 1), 18);
        QCOMPARE(lookalikes.alike(12).size(), std::size_t(1));
        QCOMPARE(lookalikes.shifted(12, 1), -1);
        QCOMPARE(lookalikes.shifted(5, 100), -1);
    }

    void differentTimesAreNotAlike()
    {
        const test::Case of(test::chainGraph(12, {.seed = 4}));
        const FlatGraph flat = flatten(of.graph, of.costs);
        const Lookalikes lookalikes(flat);
        for (int i = 0; i < flat.ops; ++i)
            for (const int other : lookalikes.alike(i)) {
                QCOMPARE(flat.timeUs[other], flat.timeUs[i]);
                QCOMPARE(lookalikes.alike(i)[lookalikes.place(i)], i);
            }
    }
};

QTEST_GUILESS_MAIN(TestSearchLookalikes)
#include "tst_search_lookalikes.moc"
