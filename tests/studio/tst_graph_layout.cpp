// SPDX-License-Identifier: Apache-2.0
// Geometry, and the process that is asked for layouts.
#include "app/studio/views/graph/edge_routes.h"
#include "app/studio/views/graph/graph_picture.h"
#include "app/studio/views/graph/layout_book.h"
#include "tests/support/costed_models.h"
#include "tests/support/text_rows.h"

#include <algorithm>
#include <map>
#include <unistd.h>

using namespace remat;
using namespace remat::studio;

namespace {

OrderQuestion chain(int rows)
{
    OrderQuestion question;
    question.rows = rows;
    for (int i = 0; i + 1 < rows; ++i)
        question.edges.emplace_back(i, i + 1);
    return question;
}

/// Everything open, in plain order.
OpenClusters openAll(const GraphTree &tree, const Graph &graph, bool branches = false, bool beside = true)
{
    OpenClusters open;
    for (int i = 0; i < static_cast<int>(tree.nodes.size()); ++i) {
        if (!tree.node(i).expandable()) continue;
        OpenCluster cluster;
        cluster.edges = rowEdges(tree, graph, i);
        const OrderQuestion question = orderQuestion(static_cast<int>(tree.node(i).children.size()), cluster.edges);
        const std::vector<int> column = rowsInOrder(question, longestPathRanks(question));
        for (const int place : column)
            cluster.rows.push_back(tree.node(i).children[static_cast<std::size_t>(place)]);
        if (branches) {
            cluster.branches = bandsOf(column, rowFlow(tree, graph, i), {});
            if (!hasBranches(cluster.branches)) cluster.branches.clear();
            cluster.beside = beside;
        }
        open.emplace(i, std::move(cluster));
    }
    return open;
}

QString script(const QTemporaryDir &folder, const char *name, const QByteArray &text)
{
    QFile file(folder.filePath(QString::fromLatin1(name)));
    if (!file.open(QIODevice::WriteOnly)) return {};
    file.write("#!/bin/sh\n" + text);
    file.close();
    file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    return file.fileName();
}

} // namespace

class TestGraphLayout : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void sameClusterSameHeight_data() { test::textRows("what", {"layers", "gpt2", "resnet50", "unet", "transformer"}); }

    void sameClusterSameHeight()
    {
        QFETCH(QString, what);
        Graph graph = test::layeredGraph(6);
        if (what != QLatin1String("layers")) {
            auto model = test::loadSample(what.toStdString());
            if (!model) QFAIL(model.error().message.c_str());
            graph = std::move(model->graph);
        }
        for (const ClusterTree &clusters :
             {moduleTree(graph), blockPartition(graph, test::graphCosts(graph).timeUs, {})}) {
            const GraphTree tree = buildGraphTree(graph, clusters);
            const GraphPicture picture = layOutGraph(tree, openAll(tree, graph), {});
            for (std::size_t node = 1; node < tree.nodes.size(); ++node) {
                const int forward = picture.itemOf[0][node], backward = picture.itemOf[1][node];
                if (forward >= 0 && picture.item(forward).shape == ItemShape::LossCard) continue;
                QCOMPARE(forward >= 0, !tree.nodes[node].forwardOps.empty());
                QCOMPARE(backward >= 0, !tree.nodes[node].backwardOps.empty());
                if (forward < 0 || backward < 0) continue;
                QCOMPARE(picture.item(forward).rect.top(), picture.item(backward).rect.top());
                QCOMPARE(picture.item(forward).rect.height(), picture.item(backward).rect.height());
            }
            int last[2] = {-1, -1};
            for (int i = 0; i < static_cast<int>(picture.items.size()); ++i) {
                const GraphItem &item = picture.item(i);
                QVERIFY(picture.bounds.contains(item.rect));
                if (item.parent >= 0) {
                    QVERIFY(picture.item(item.parent).rect.contains(item.rect));
                    QVERIFY(i < picture.item(item.parent).end);
                    QVERIFY(item.rect.top() >= picture.item(item.parent).rect.top() + 24);
                } else {
                    // Outermost rows of a column follow each other without touching.
                    int &above = last[static_cast<int>(item.side)];
                    QVERIFY(above < 0 || picture.item(above).bottom() < item.rect.top());
                    above = i;
                }
            }
        }
    }

    void numbersKeepTheirRoomInDeepFrames()
    {
        test::GraphBuilder builder;
        const StorageId x = builder.resident(8);
        std::string module = "m";
        for (int i = 0; i < 20; ++i, module += ".m")
            for (int k = 0; k < 2; ++k)
                builder.edit(builder.op({x}, {{8, StorageKind::Activation, true, {}}})).module = module;
        const Graph graph = builder.finish();
        const GraphTree tree = buildGraphTree(graph, moduleTree(graph));
        const GraphPicture picture = layOutGraph(tree, openAll(tree, graph), {});
        for (const GraphItem &item : picture.items) {
            QVERIFY(item.rect.right() > picture.columnRight(item.side) - 35 + 13 - 1);
            QVERIFY(item.rect.width() >= 40);
        }
    }

    void itemAtFindsTheInnermost()
    {
        const Graph graph = test::layeredGraph(3);
        const GraphTree tree = buildGraphTree(graph, moduleTree(graph));
        const GraphPicture picture = layOutGraph(tree, openAll(tree, graph), {});
        for (int i = 0; i < static_cast<int>(picture.items.size()); ++i) {
            const GraphItem &item = picture.item(i);
            QCOMPARE(picture.itemAt(item.rect.topLeft() + QPointF(2, 2)), i);
        }
        QCOMPARE(picture.itemAt(QPointF(picture.columnWidth + 20, 5)), -1);
        QCOMPARE(picture.itemAt(QPointF(-50, -50)), -1);
    }

    void edgesAreOrthogonalAndEndAtBorders_data()
    {
        QTest::addColumn<QString>("model");
        QTest::addColumn<bool>("branches");
        for (const char *model : {"tiny_unet", "tiny_resnet", "tiny_gpt2", "tiny_transformer", "branches"})
            for (const bool branches : {false, true})
                QTest::addRow("%s %s", model, branches ? "side by side" : "column")
                    << QString::fromLatin1(model) << branches;
    }

    void edgesAreOrthogonalAndEndAtBorders()
    {
        QFETCH(QString, model);
        QFETCH(bool, branches);
        const auto sample = test::loadSample(model.toStdString());
        if (!sample) QFAIL(sample.error().message.c_str());
        const GraphTree tree = buildGraphTree(sample->graph, moduleTree(sample->graph));
        const GraphPicture picture = layOutGraph(tree, openAll(tree, sample->graph, branches), {});
        QVERIFY(picture.edges.size() > 10);
        std::map<EdgeKind, int> kinds;
        for (const GraphEdge &edge : picture.edges) {
            ++kinds[edge.kind];
            const std::vector<QPointF> corners = routeEdge(picture, edge);
            QVERIFY(corners.size() >= 2);
            const GraphItem &from = picture.item(edge.from), &to = picture.item(edge.to);
            for (const auto &[item, end] : {std::pair(from, corners.front()), std::pair(to, corners.back())}) {
                QVERIFY(!item.rect.adjusted(1, 1, -1, -1).contains(end));
                QVERIFY(item.rect.adjusted(-1, -1, 1, 1 + PictureMetrics::kStackEdges).contains(end));
            }
            const std::size_t first = from.parent < 0 ? 0 : static_cast<std::size_t>(from.parent) + 1;
            for (std::size_t corner = 1; corner < corners.size(); ++corner) {
                const QPointF a = corners[corner - 1], b = corners[corner];
                QVERIFY(a.x() == b.x() || a.y() == b.y());
                if (edge.kind >= EdgeKind::ToLoss) continue;
                // No line runs over a card of the cluster that it belongs to.
                const QRectF piece = QRectF(a, b).normalized().adjusted(-0.5, -0.5, 0.5, 0.5);
                for (std::size_t i = first; i < picture.items.size();
                     i = static_cast<std::size_t>(picture.items[i].end)) {
                    const GraphItem &card = picture.items[i];
                    if (card.parent != from.parent) break;
                    if (card.side == from.side && card.shape != ItemShape::LossCard &&
                        card.rect.adjusted(2, 2, -2, -2).intersects(piece))
                        QFAIL(tree.node(card.node).path.c_str());
                }
            }
        }
        QVERIFY(kinds[EdgeKind::Step] > 0 && kinds[EdgeKind::Skip] > 0);
        QCOMPARE(kinds[EdgeKind::Join] > 0, branches && model != QLatin1String("tiny_unet"));
        if (!branches) QCOMPARE(kinds[EdgeKind::Fork] + kinds[EdgeKind::Beside] + kinds[EdgeKind::Around], 0);
    }

    void branchesStandSideBySide_data()
    {
        test::textRows("model", {"branches", "tiny_resnet", "tiny_gpt2", "tiny_transformer"});
    }

    void branchesStandSideBySide()
    {
        QFETCH(QString, model);
        const auto sample = test::loadSample(model.toStdString());
        if (!sample) QFAIL(sample.error().message.c_str());
        const GraphTree tree = buildGraphTree(sample->graph, moduleTree(sample->graph));
        const GraphPicture picture = layOutGraph(tree, openAll(tree, sample->graph, true), {});
        const auto name = PictureMetrics().nameWidth;
        int beside = 0;
        for (std::size_t i = 0; i < picture.items.size(); ++i) {
            const GraphItem &item = picture.items[i];
            if (item.shape == ItemShape::LossCard) continue;
            const auto node = static_cast<std::size_t>(item.node);
            QVERIFY(picture.bounds.contains(item.rect));
            if (item.parent >= 0) QVERIFY(picture.item(item.parent).rect.contains(item.rect));
            const int twin = picture.itemOf[item.side == Side::Forward ? 1 : 0][node];
            if (twin >= 0) {
                QCOMPARE(picture.item(twin).rect.top(), item.rect.top());
                QCOMPARE(picture.item(twin).rect.height(), item.rect.height());
            }
            if (item.narrow) {
                const std::string &title =
                    item.side == Side::Forward ? tree.node(item.node).title : tree.node(item.node).backwardTitle;
                QVERIFY2(item.rect.width() >= PictureMetrics::kNameLeft + name(title), title.c_str());
            }
            for (std::size_t other = static_cast<std::size_t>(item.end); other < picture.items.size();
                 other = static_cast<std::size_t>(picture.items[other].end)) {
                const GraphItem &second = picture.items[other];
                if (second.parent != item.parent || second.side != item.side) break;
                QVERIFY(!item.rect.adjusted(-1, -1, 1, 1).intersects(second.rect));
                beside += item.rect.top() < second.rect.bottom() && second.rect.top() < item.rect.bottom();
            }
        }
        QVERIFY2(beside > 10, qPrintable(QString::number(beside)));
        for (const GraphLane &lane : picture.lanes)
            QVERIFY(lane.bandBegin <= lane.begin && lane.begin < lane.end && lane.end <= lane.bandEnd);
    }

    void branchesInAColumnChangeNothing()
    {
        const auto sample = test::loadSample("branches");
        if (!sample) QFAIL(sample.error().message.c_str());
        const GraphTree tree = buildGraphTree(sample->graph, moduleTree(sample->graph));
        const GraphPicture plain = layOutGraph(tree, openAll(tree, sample->graph), {});
        const GraphPicture column = layOutGraph(tree, openAll(tree, sample->graph, true, false), {});
        QCOMPARE(column.items.size(), plain.items.size());
        for (std::size_t i = 0; i < plain.items.size(); ++i) {
            QCOMPARE(column.items[i].rect, plain.items[i].rect);
            QCOMPARE(column.items[i].node, plain.items[i].node);
            QVERIFY(!column.items[i].narrow);
        }
        QCOMPARE(column.edges.size(), plain.edges.size());
        QCOMPARE(column.columnWidth, PictureMetrics::kFullColumn);
        QVERIFY(column.lanes.empty());
    }

    void branchesAsGraphvizPlacesThem()
    {
        // Two rows that cross unless their branches change places: the layout puts 2 left of 1.
        OrderQuestion question;
        question.rows = 7;
        question.edges = {{0, 3}, {1, 4}, {2, 3}, {3, 5}, {4, 6}, {5, 6}};
        RowFlow flow;
        flow.edges = question.edges;
        flow.enters.assign(7, 0);
        LayoutBook book;
        QSignalSpy settled(&book, &LayoutBook::settled);
        QVERIFY(!book.ranks(question));
        QTRY_COMPARE_WITH_TIMEOUT(settled.size(), 1, 120000);
        QCOMPARE(book.laidOut(), 1);
        const std::vector<RowRank> *ranks = book.ranks(question);
        QVERIFY(ranks);
        const Bands bands = bandsOf({0, 2, 3, 5, 1, 4, 6}, flow, *ranks);
        QCOMPARE(bands.size(), std::size_t(2));
        const std::vector<Bands> &lanes = bands.front().lanes;
        QCOMPARE(lanes.size(), std::size_t(2));
        const auto middle = [&](const Bands &lane) {
            double sum = 0;
            for (const int row : rowsOf(lane))
                sum += (*ranks)[static_cast<std::size_t>(row)].x;
            return sum / static_cast<double>(rowsOf(lane).size());
        };
        QVERIFY(middle(lanes[0]) < middle(lanes[1]));
        // Mirrored by hand, the same question gives the lanes the other way round.
        std::vector<RowRank> mirrored = *ranks;
        for (RowRank &rank : mirrored)
            rank.x = 10000 - rank.x;
        const Bands turned = bandsOf({0, 2, 3, 5, 1, 4, 6}, flow, mirrored);
        QCOMPARE(rowsOf(turned.front().lanes.front()).size(), rowsOf(lanes.back()).size());
        QCOMPARE(rowsOf(turned.front().lanes.front()).back(), rowsOf(lanes.back()).back());
    }

    void helperAnswers()
    {
        LayoutClient client;
        QSignalSpy answered(&client, &LayoutClient::answered), failed(&client, &LayoutClient::failed);
        for (int rows = 1; rows <= 5; ++rows)
            client.ask(QByteArray::number(rows), chain(rows));
        QCOMPARE(client.waiting(), 5);
        QTRY_COMPARE_WITH_TIMEOUT(answered.size(), 5, 120000);
        QCOMPARE(failed.size(), 0);
        for (int i = 0; i < 5; ++i) {
            QCOMPARE(answered[i][0].toByteArray(), QByteArray::number(i + 1));
            const auto ranks = answered[i][1].value<std::vector<RowRank>>();
            QCOMPARE(ranks.size(), static_cast<std::size_t>(i + 1));
            for (int row = 0; row <= i; ++row)
                QCOMPARE(ranks[static_cast<std::size_t>(row)].rank, row);
        }
    }

    void identicalBlocksAreAskedOnce()
    {
        LayoutBook book;
        QSignalSpy settled(&book, &LayoutBook::settled);
        const Graph graph = test::layeredGraph(12);
        const GraphTree tree = buildGraphTree(graph, moduleTree(graph));
        int asked = 0, blocks = 0;
        for (int i = 0; i < 12; ++i) {
            const int node = tree.find("model.h." + std::to_string(i) + ".mlp");
            QVERIFY(node > 0);
            ++blocks;
            const OrderQuestion question =
                orderQuestion(static_cast<int>(tree.node(node).children.size()), rowEdges(tree, graph, node));
            asked += book.ranks(question) ? 0 : 1;
        }
        QCOMPARE(asked, blocks);
        QVERIFY(book.total() <= 2); // the last block may differ in what follows it
        QTRY_COMPARE_WITH_TIMEOUT(settled.size(), 1, 120000);
        QCOMPARE(book.laidOut(), book.total());
        QVERIFY(!book.waiting());
    }

    void largeClustersNeedNoHelper()
    {
        LayoutBook book;
        book.client().setProgram(QStringLiteral("/nowhere/at/all"));
        const std::vector<RowRank> *ranks = book.ranks(chain(5000));
        QVERIFY(ranks);
        QCOMPARE(ranks->back().rank, 4999);
    }

    void slowHelperIsKilled()
    {
        QTemporaryDir folder;
        LayoutBook book;
        book.client().setProgram(script(folder, "slow", "exec sleep 300\n"));
        book.client().setTimeLimit(100);
        QSignalSpy settled(&book, &LayoutBook::settled), fellBack(&book, &LayoutBook::fellBack);
        const OrderQuestion question = chain(6);
        QVERIFY(!book.ranks(question));
        QTRY_COMPARE_WITH_TIMEOUT(settled.size(), 1, 120000);
        QCOMPARE(fellBack.size(), 1);
        QVERIFY(fellBack[0][0].toString().contains(QLatin1String("0.1 s")));
        const std::vector<RowRank> *ranks = book.ranks(question);
        QVERIFY(ranks);
        QCOMPARE(*ranks, longestPathRanks(question));
        // Forgotten, it is asked for again, now of a helper that works.
        book.forgetFallbacks();
        book.client().setProgram(LayoutClient::defaultProgram());
        book.client().setTimeLimit(5000);
        QVERIFY(!book.ranks(question));
        QTRY_COMPARE_WITH_TIMEOUT(settled.size(), 2, 120000);
        QCOMPARE(book.laidOut(), 1);
    }

    void crashingHelperIsReplaced()
    {
        QTemporaryDir folder;
        LayoutClient client;
        client.setProgram(script(folder, "crash", "read line\nkill -SEGV $$\n"));
        QSignalSpy failed(&client, &LayoutClient::failed);
        client.ask("a", chain(2));
        client.ask("b", chain(3));
        QTRY_COMPARE_WITH_TIMEOUT(failed.size(), 2, 120000);
        QVERIFY(failed[0][1].toString().contains(QLatin1String("crashed")));
        QCOMPARE(failed[1][0].toByteArray(), QByteArray("b"));
    }

    void missingHelperIsSaid()
    {
        LayoutClient client;
        client.setProgram(QStringLiteral("/nowhere/remat-layout"));
        QSignalSpy failed(&client, &LayoutClient::failed);
        client.ask("a", chain(2));
        client.ask("b", chain(2));
        QTRY_COMPARE_WITH_TIMEOUT(failed.size(), 2, 120000);
        QVERIFY(failed[0][1].toString().contains(QLatin1String("/nowhere/remat-layout")));
    }

    void whatNeverAnswersIsEndedWithItsChildren()
    {
        QTemporaryDir folder;
        const QByteArray seconds = "30." + QByteArray::number(getpid()); // nobody else sleeps as long
        const auto sleeping = [&seconds] {
            const QStringList processes =
                QDir(QStringLiteral("/proc")).entryList({QStringLiteral("[0-9]*")}, QDir::Dirs);
            return std::count_if(processes.begin(), processes.end(), [&](const QString &process) {
                QFile arguments(QStringLiteral("/proc/%1/cmdline").arg(process));
                return arguments.open(QIODevice::ReadOnly) && arguments.readAll().split('\0').contains(seconds);
            });
        };
        for (const QByteArray what : {"wait", "exec yes", "exec cat /dev/zero", "trap '' TERM; wait"}) {
            LayoutClient client;
            client.setTimeLimit(500);
            client.setProgram(script(folder, "endless", "sleep " + seconds + " &\n" + what + "\n"));
            QSignalSpy failed(&client, &LayoutClient::failed);
            client.ask("a", chain(2));
            QTRY_COMPARE_WITH_TIMEOUT(failed.size(), 1, 120000);
            QTRY_COMPARE(sleeping(), 0);
        }
    }

    void nonsenseFromTheHelper()
    {
        QTemporaryDir folder;
        for (const QByteArray answer :
             {"nonsense", R"({"id":1,"nodes":[]})", R"({"id":1,"nodes":[{"id":"1"},{"id":"0"}]})",
              R"({"id":1,"error":"It is Tuesday."})"}) {
            LayoutClient client;
            client.setTimeLimit(300);
            client.setProgram(
                script(folder, "nonsense", "read line\nprintf '%s\\n' '" + answer + "'\nexec sleep 30\n"));
            QSignalSpy failed(&client, &LayoutClient::failed);
            client.ask("a", chain(2));
            QTRY_COMPARE_WITH_TIMEOUT(failed.size(), 1, 120000);
        }
    }

    void stopGivesUp()
    {
        QTemporaryDir folder;
        LayoutBook book;
        book.client().setProgram(script(folder, "slow", "exec sleep 300\n"));
        QSignalSpy settled(&book, &LayoutBook::settled);
        QVERIFY(!book.ranks(chain(3)));
        QVERIFY(!book.ranks(chain(4)));
        book.stop();
        QCOMPARE(settled.size(), 1);
        QVERIFY(book.ranks(chain(3)) && book.ranks(chain(4)));
        QVERIFY(!book.waiting());
    }
};

QTEST_GUILESS_MAIN(TestGraphLayout)
#include "tst_graph_layout.moc"
