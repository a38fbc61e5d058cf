// SPDX-License-Identifier: Apache-2.0
// Branches of a cluster beside each other: which rows stand in which lane, and how what flows runs between lanes.
#include "core/views/bands.h"
#include "core/views/lane_flow.h"
#include "core/views/sort_distinct.h"
#include "tests/support/graphs.h"
#include "tests/support/random.h"

#include <QtTest>

#include <algorithm>

using namespace remat;

namespace {

using Edges = std::vector<RowEdge>;

RowFlow flowOf(int rows, Edges edges, const std::vector<int> &enters = {})
{
    RowFlow flow;
    sortDistinct(edges);
    flow.edges = std::move(edges);
    flow.enters.assign(static_cast<std::size_t>(rows), 0);
    for (const int row : enters)
        flow.enters[static_cast<std::size_t>(row)] = 1;
    return flow;
}

std::vector<int> columnFor(const RowFlow &flow)
{
    const OrderQuestion question = branchQuestion(static_cast<int>(flow.enters.size()), flow);
    return rowsInOrder(question, longestPathRanks(question));
}

/// `0 [1 2 | 3] 4`
QByteArray text(const Bands &bands)
{
    QByteArrayList parts;
    for (const Band &band : bands) {
        if (band.row >= 0) {
            parts << QByteArray::number(band.row);
            continue;
        }
        QByteArrayList lanes;
        for (const Bands &lane : band.lanes)
            lanes << text(lane);
        parts << '[' + lanes.join(" | ") + ']';
    }
    return parts.join(' ');
}

Bands bands(const RowFlow &flow)
{
    return bandsOf(columnFor(flow), flow, {});
}

} // namespace

class TestBands : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void rowsByShape_data()
    {
        QTest::addColumn<int>("rows");
        QTest::addColumn<Edges>("edges");
        QTest::addColumn<std::vector<int>>("enters");
        QTest::addColumn<QByteArray>("expected");
        const auto row = [](const char *name, int rows, const Edges &edges, const std::vector<int> &enters,
                            const char *expected) {
            QTest::newRow(name) << rows << edges << enters << QByteArray(expected);
        };
        row("nothing", 0, {}, {}, "");
        row("chain", 4, {{0, 1}, {1, 2}, {2, 3}}, {0}, "0 1 2 3");
        row("residual", 4, {{0, 1}, {1, 2}, {2, 3}, {0, 3}}, {0}, "0 1 2 3");
        row("diamond", 4, {{0, 1}, {0, 2}, {1, 3}, {2, 3}}, {0}, "0 [1 | 2] 3");
        row("residual around a diamond", 6, {{0, 1}, {1, 2}, {1, 3}, {2, 4}, {3, 4}, {4, 5}, {0, 5}}, {0},
            "0 1 [2 | 3] 4 5");
        row("nothing flows", 3, {}, {0, 1, 2}, "[0 | 1 | 2]");
        // Four branches that begin with what comes into the cell; the third splits once more.
        row("inception", 10, {{0, 9}, {1, 2}, {2, 9}, {3, 4}, {3, 5}, {4, 6}, {5, 6}, {6, 9}, {7, 8}, {8, 9}},
            {0, 1, 3, 7}, "[0 | 1 2 | 3 [4 | 5] 6 | 7 8] 9");
        row("eight heads", 10,
            {{0, 1},
             {0, 2},
             {0, 3},
             {0, 4},
             {0, 5},
             {0, 6},
             {0, 7},
             {0, 8},
             {1, 9},
             {2, 9},
             {3, 9},
             {4, 9},
             {5, 9},
             {6, 9},
             {7, 9},
             {8, 9}},
            {0}, "0 [1 | 2 | 3 | 4 | 5 | 6 | 7 | 8] 9");
        row("attention", 6, {{0, 3}, {1, 3}, {3, 4}, {2, 5}, {4, 5}}, {0, 1, 2}, "[[0 | 1] 3 4 | 2] 5");
        // Skips hold no ops: what passes the levels is a line in the gutter.
        row("U-Net", 7, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 6}, {0, 6}, {1, 5}, {2, 4}}, {0}, "0 1 2 3 4 5 6");
        row("U-Net with ops on its skips", 6, {{0, 1}, {0, 2}, {1, 3}, {3, 4}, {2, 4}, {4, 5}}, {0}, "0 [1 3 | 2] 4 5");
        // A constant that something is added to stands beside what it is added to, not beside everything before.
        row("constant", 5, {{0, 1}, {1, 2}, {3, 4}, {2, 4}}, {0}, "0 1 [2 | 3] 4");
        // An input of the model or the cluster is a branch from its top.
        row("shortcut of a block", 5, {{0, 1}, {1, 2}, {3, 4}, {2, 4}}, {0, 3}, "[0 1 2 | 3] 4");
        // The same module before and after others: one knot, whose order of computation is that of the column.
        row("module used again", 6, {{0, 1}, {1, 2}, {2, 3}, {3, 1}, {1, 4}, {4, 5}}, {0}, "0 1 2 3 4 5");
        row("experts that a gate weighs", 9,
            {{0, 1}, {1, 3}, {1, 5}, {1, 7}, {2, 3}, {2, 5}, {2, 7}, {3, 4}, {4, 6}, {5, 6}, {6, 8}, {7, 8}}, {0, 2},
            "[0 1 | 2] [[3 4 | 5] 6 | 7] 8");
        row("all to all", 6, {{0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 4}, {3, 5}, {4, 5}}, {0, 1}, "[0 | 1] [2 4 | 3] 5");
        row("what cannot be parted", 5, {{0, 2}, {0, 3}, {1, 3}, {2, 4}, {3, 4}}, {0, 1}, "0 2 1 3 4");
    }

    void rowsByShape()
    {
        QFETCH(int, rows);
        QFETCH(Edges, edges);
        QFETCH(std::vector<int>, enters);
        QFETCH(QByteArray, expected);
        const RowFlow flow = flowOf(rows, edges, enters);
        const Bands found = bands(flow);
        QCOMPARE(text(found), expected);
        QCOMPARE(hasBranches(found), expected.contains('['));
        if (hasBranches(found)) QVERIFY(mayBranch(branchQuestion(rows, flow)));
        if (!hasBranches(found)) QCOMPARE(rowsOf(found), columnFor(flow));
    }

    void lanesStandWhereTheLayoutPutsThem()
    {
        const RowFlow flow = flowOf(6, {{0, 1}, {0, 2}, {0, 3}, {2, 4}, {1, 5}, {4, 5}, {3, 5}}, {0});
        const auto at = [&](double first, double second, double third) {
            const std::vector<RowRank> ranks = {{0, 0, 200},   {1, 0, first},       {1, 1, second},
                                                {1, 2, third}, {2, 0, second + 20}, {3, 0, 200}};
            return text(bandsOf(columnFor(flow), flow, ranks));
        };
        QCOMPARE(at(100, 200, 300), QByteArray("0 [1 | 2 4 | 3] 5"));
        QCOMPARE(at(200, 100, 300), QByteArray("0 [2 4 | 1 | 3] 5"));
        QCOMPARE(at(300, 200, 100), QByteArray("0 [3 | 2 4 | 1] 5"));
    }

    void mirroredLayoutsGiveTheSameLanes()
    {
        const RowFlow flow = flowOf(6, {{0, 1}, {0, 2}, {0, 3}, {1, 4}, {2, 4}, {3, 4}, {4, 5}}, {0});
        std::vector<RowRank> upright = {{0, 0, 200}, {1, 0, 100}, {1, 1, 200}, {1, 2, 310}, {2, 0, 200}, {3, 0, 200}};
        std::vector<RowRank> mirrored = upright;
        for (RowRank &rank : mirrored)
            rank.x = 400 - rank.x;
        for (int row = 1; row <= 3; ++row)
            mirrored[static_cast<std::size_t>(row)].order = 3 - row;
        unmirror(mirrored);
        const std::vector<int> column = columnFor(flow);
        QCOMPARE(text(bandsOf(column, flow, mirrored)), text(bandsOf(column, flow, upright)));
        QCOMPARE(text(bandsOf(column, flow, upright)), QByteArray("0 [1 | 2 | 3] 4 5"));
    }

    void senselessRanksCountAsNotGiven()
    {
        const RowFlow flow = flowOf(4, {{0, 1}, {0, 2}, {1, 3}, {2, 3}}, {0});
        const QByteArray expected = "0 [1 | 2] 3";
        QCOMPARE(text(bandsOf(columnFor(flow), flow, {})), expected);
        QCOMPARE(text(bandsOf(columnFor(flow), flow, {{3, 0}, {2, 0}, {1, 0}, {0, 0}})), expected);
        QCOMPARE(text(bandsOf(columnFor(flow), flow, std::vector<RowRank>(4))), expected);
    }

    void anyGraphKeepsItsRowsAndEdges()
    {
        int branching = 0;
        for (std::uint64_t seed = 1; seed <= 300; ++seed) {
            test::Random random(seed);
            const int rows = 2 + static_cast<int>(seed % 25);
            Edges edges;
            for (int to = 1; to < rows; ++to)
                for (int from = 0; from < to; ++from)
                    if (random.percent(12)) edges.emplace_back(from, to);
            if (seed % 5 == 0) edges.emplace_back(rows - 1, rows / 2); // used again
            const RowFlow flow = flowOf(rows, edges, {0, rows / 3});
            const std::vector<int> column = columnFor(flow);
            const Bands found = bandsOf(column, flow, {});
            branching += hasBranches(found);

            std::vector<int> all = rowsOf(found);
            std::sort(all.begin(), all.end());
            for (int row = 0; row < rows; ++row)
                QCOMPARE(all[static_cast<std::size_t>(row)], row);
            QCOMPARE(all.size(), static_cast<std::size_t>(rows));

            const std::vector<int> order = rowsOf(found);
            const ColumnFlow lines = columnFlow(found, static_cast<std::size_t>(rows), flow.edges, true);
            for (const FlowLine &line : lines.lines) {
                const RowPlace from = lines.rows[static_cast<std::size_t>(line.from)];
                const RowPlace to = lines.rows[static_cast<std::size_t>(line.to)];
                const int fromLane = laneWithin(lines, from.sequence, line.sequence);
                const int toLane = laneWithin(lines, to.sequence, line.sequence);
                // Nothing flows between two branches of one band.
                QVERIFY(line.kind != FlowKind::Beside);
                if (fromLane >= 0 && toLane >= 0)
                    QVERIFY(lines.sequences[static_cast<std::size_t>(fromLane)].place !=
                            lines.sequences[static_cast<std::size_t>(toLane)].place);
            }
            for (const auto &[from, to] : flow.edges)
                if (from < to)
                    QVERIFY(std::find(order.begin(), order.end(), from) < std::find(order.begin(), order.end(), to));
        }
        QVERIFY2(branching > 60, qPrintable(QString::number(branching)));
    }

    void narrowRoomMakesColumns()
    {
        const RowFlow flow =
            flowOf(10, {{0, 9}, {1, 2}, {2, 9}, {3, 4}, {3, 5}, {4, 6}, {5, 6}, {6, 9}, {7, 8}, {8, 9}}, {0, 1, 3, 7});
        const Bands found = bands(flow);
        const auto width = [](int) { return 100.0; };
        QCOMPARE(widthOf(found, width, 10), 540.0);
        QCOMPARE(noWiderThan(540, found, width, 10), found);
        QCOMPARE(text(noWiderThan(539, found, width, 10)), QByteArray("[0 | 1 2 | 3 4 5 6 | 7 8] 9"));
        QCOMPARE(text(noWiderThan(429, found, width, 10)), QByteArray("0 1 2 3 4 5 6 7 8 9"));
    }

    void hiddenRowsLeaveTheirLanes()
    {
        const RowFlow flow = flowOf(6, {{0, 1}, {0, 2}, {0, 3}, {1, 4}, {2, 4}, {3, 4}, {4, 5}}, {0});
        const Bands found = bands(flow);
        QCOMPARE(text(withOnly(found, [](int row) { return row != 2; })), QByteArray("0 [1 | 3] 4 5"));
        QCOMPARE(text(withOnly(found, [](int row) { return row != 2 && row != 3; })), QByteArray("0 1 4 5"));
        QCOMPARE(text(withOnly(found, [](int row) { return row == 5; })), QByteArray("5"));
        QVERIFY(withOnly(found, [](int) { return false; }).empty());
    }

    void flowFindsItsWay_data()
    {
        QTest::addColumn<RowEdge>("edge");
        QTest::addColumn<int>("kind");
        QTest::addColumn<bool>("down");
        const auto row = [](const char *name, RowEdge edge, FlowKind kind, bool down = true) {
            QTest::newRow(name) << edge << static_cast<int>(kind) << down;
        };
        // 0 [1 2 3 | 4 [5 | 6]] 7 8
        row("step", {7, 8}, FlowKind::Step);
        row("step in a lane", {1, 2}, FlowKind::Step);
        row("against the flow", {2, 1}, FlowKind::Skip);
        row("skip in a lane", {1, 3}, FlowKind::Skip);
        row("past the branches", {0, 7}, FlowKind::Skip);
        row("fork", {0, 4}, FlowKind::Fork);
        row("into the middle", {0, 2}, FlowKind::Around);
        row("fork in a lane", {4, 6}, FlowKind::Fork);
        row("join", {3, 7}, FlowKind::Join);
        row("join of branches in a branch", {5, 7}, FlowKind::Join);
        row("out of the middle", {4, 7}, FlowKind::Around);
        row("further down", {3, 8}, FlowKind::Around);
        row("to the branch beside", {4, 1}, FlowKind::Beside);
        row("into a branch of the one beside", {1, 5}, FlowKind::Around);
        row("up out of a branch", {1, 0}, FlowKind::Fork, false);
        row("up into one", {7, 3}, FlowKind::Join, false);
        row("up a step", {8, 7}, FlowKind::Step, false);
    }

    void flowFindsItsWay()
    {
        QFETCH(RowEdge, edge);
        QFETCH(int, kind);
        QFETCH(bool, down);
        const Bands right = {{4, {}}, {-1, {columnOf({5}), columnOf({6})}}};
        const Bands all = {{0, {}}, {-1, {columnOf({1, 2, 3}), right}}, {7, {}}, {8, {}}};
        const ColumnFlow flow = columnFlow(all, 9, {edge}, down);
        QCOMPARE(flow.lines.size(), std::size_t(1));
        QCOMPARE(static_cast<int>(flow.lines[0].kind), kind);
        QCOMPARE(flow.sequences.size(), std::size_t(5));
        const bool skips = flow.lines[0].kind == FlowKind::Skip || flow.lines[0].kind == FlowKind::Around;
        const bool room = std::any_of(flow.sequences.begin(), flow.sequences.end(),
                                      [](const BandSequence &sequence) { return sequence.gutter; });
        QCOMPARE(room, skips);
    }

    void samplesBranchWhereTheyShould_data()
    {
        QTest::addColumn<QString>("model");
        QTest::addColumn<QString>("path");
        QTest::addColumn<int>("lanes"); // lanes of the first band that has some; 0 for a column
        const auto row = [](const char *name, const char *model, const char *path, int lanes) {
            QTest::newRow(name) << QString::fromLatin1(model) << QString::fromLatin1(path) << lanes;
        };
        row("inception cell", "branches", "mixed_a", 4);
        row("inception cell with split branches", "branches", "mixed_e", 4);
        row("heads", "branches", "attention.heads", 2); // one of them, and the stack of the others
        row("inside a head", "branches", "attention.heads.0", 2);
        row("experts", "branches", "experts.experts", 3);
        row("gate and experts", "branches", "experts", 2);
        row("block of a ResNet with a shortcut", "tiny_resnet", "layer1.0", 2);
        row("block without", "tiny_resnet", "layer1.1", 0);
        row("query, key and value", "tiny_transformer", "encoder.0.attention", 2);
        row("attention with a mask", "tiny_gpt2", "transformer.h.0.attn", 2);
        row("block of a transformer", "tiny_gpt2", "transformer.h.0", 0);
        row("U-Net", "tiny_unet", "", 0);
        row("levels, which follow each other through ops outside", "tiny_unet", "down", 0);
    }

    void samplesBranchWhereTheyShould()
    {
        QFETCH(QString, model);
        QFETCH(QString, path);
        QFETCH(int, lanes);
        const auto sample = test::loadSample(model.toStdString());
        if (!sample) QFAIL(sample.error().message.c_str());
        const GraphTree tree = buildGraphTree(sample->graph, moduleTree(sample->graph));
        const int node = path.isEmpty() ? 0 : tree.find(path.toStdString());
        QVERIFY(node >= 0);
        const RowFlow flow = rowFlow(tree, sample->graph, node);
        const Bands found = bands(flow);
        const auto first =
            std::find_if(found.begin(), found.end(), [](const Band &band) { return !band.lanes.empty(); });
        QCOMPARE(first == found.end() ? 0 : static_cast<int>(first->lanes.size()), lanes);
    }
};

QTEST_GUILESS_MAIN(TestBands)
#include "tst_bands.moc"
