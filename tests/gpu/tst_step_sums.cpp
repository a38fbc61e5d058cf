// SPDX-License-Identifier: Apache-2.0
// Ops that never settle, and what is made of what they make.
#include "gpu/engine/step_sums.h"
#include "tests/support/graphs.h"

#include <QtTest>

#include <algorithm>

using namespace remat;
using namespace remat::test;

class TestStepSums : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void opsThatMakeOtherBitsFromEqualOnes()
    {
        const Graph graph = chainGraph(2);
        const std::vector<StepSums> first = {{OpId(0), {1}, {2}}, {}, {OpId(1), {2}, {3}}};
        QVERIFY(restlessOps(graph, first, first).empty());
        std::vector<StepSums> second = first;
        second[0].made = {7};
        second[2] = {OpId(1), {7}, {8}}; // follows from the first
        QCOMPARE(restlessOps(graph, first, second), std::vector<OpId>{OpId(0)});
        second[0].made = {0}; // not known: equal to all
        second[2] = {OpId(1), {2}, {8}};
        QCOMPARE(restlessOps(graph, first, second), std::vector<OpId>{OpId(1)});
        QVERIFY(restlessOps(graph, first, {}).empty());
    }

    void whatTheyReach()
    {
        const Graph graph = chainGraph(4);
        const std::vector<char> none = reachedFrom(graph, {});
        QCOMPARE(std::count(none.begin(), none.end(), 1), 0);
        const OpId second(1);
        const std::vector<char> reached = reachedFrom(graph, {second});
        QCOMPARE(reached[graph.op(OpId(0)).outputs[0].index()], 0);
        QCOMPARE(reached[graph.op(second).outputs[0].index()], 1);
        // All that comes after it in a chain.
        for (std::size_t op = 2; op < graph.ops.size(); ++op)
            for (const StorageId output : graph.ops[op].outputs)
                QCOMPARE(reached[output.index()], 1);
    }
};

QTEST_GUILESS_MAIN(TestStepSums)
#include "tst_step_sums.moc"
