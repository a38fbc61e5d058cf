// Ops that look alike are found, layer by layer.
#include "core/base/expected.h"

#include "solvers/search/twins.h"
#include "tests/solvers/solving.h"

#include <QTest>

using namespace remat;
using namespace remat::search;

class TestSearchTwins : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void layersOfAChain()
    {
        const test::Case of(test::chainGraph(12, {.parameterBytes = 3}));
        const FlatGraph flat = flatten(of.graph, of.costs);
        const Twins twins(flat);
        // Forward 0..11, loss 12, backward 13..24 from the last layer to the first.
        QVERIFY(twins.alike(5).size() >= 6);
        QCOMPARE(twins.shifted(5, 1), 6);
        QCOMPARE(twins.shifted(6, -2), 4);
        // The backward op of layer 5 is 24 − 5; one layer later is one op earlier.
        QCOMPARE(twins.shifted(19, 1), 18);
        QCOMPARE(twins.alike(12).size(), std::size_t(1));
        QCOMPARE(twins.shifted(12, 1), -1);
        QCOMPARE(twins.shifted(5, 100), -1);
    }

    void differentTimesAreNotAlike()
    {
        const test::Case of(test::chainGraph(12, {.seed = 4}));
        const FlatGraph flat = flatten(of.graph, of.costs);
        const Twins twins(flat);
        for (int i = 0; i < flat.ops; ++i)
            for (const int other : twins.alike(i)) {
                QCOMPARE(flat.timeUs[other], flat.timeUs[i]);
                QCOMPARE(twins.alike(i)[twins.place(i)], i);
            }
    }
};

QTEST_GUILESS_MAIN(TestSearchTwins)
#include "tst_search_twins.moc"
