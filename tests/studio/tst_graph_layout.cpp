// Geometry, and the process that is asked for layouts.
#include "app/studio/views/graph/edge_routes.h"
#include "app/studio/views/graph/graph_picture.h"
#include "app/studio/views/graph/layout_book.h"
#include "tests/support/costed_models.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <unistd.h>

using namespace remat;
using namespace remat::studio;

class TestGraphLayout : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void sameClusterSameHeight_data();
    void sameClusterSameHeight();
    void numbersKeepTheirRoomInDeepFrames();
    void itemAtFindsTheInnermost();
    void edgesAreOrthogonalAndEndAtBorders();
    void helperAnswers();
    void identicalBlocksAreAskedOnce();
    void largeClustersNeedNoHelper();
    void slowHelperIsKilled();
    void crashingHelperIsReplaced();
    void missingHelperIsSaid();
    void whatNeverAnswersIsEndedWithItsChildren();
    void nonsenseFromTheHelper();
    void stopGivesUp();
};

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
OpenClusters openAll(const GraphTree &tree, const Graph &graph)
{
    OpenClusters open;
    for (int i = 0; i < static_cast<int>(tree.nodes.size()); ++i) {
        if (!tree.node(i).expandable()) continue;
        OpenCluster cluster;
        cluster.edges = rowEdges(tree, graph, i);
        const OrderQuestion question = orderQuestion(static_cast<int>(tree.node(i).children.size()), cluster.edges);
        for (const int place : rowsInOrder(question, longestPathRanks(question)))
            cluster.rows.push_back(tree.node(i).children[static_cast<std::size_t>(place)]);
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

void TestGraphLayout::sameClusterSameHeight_data()
{
    QTest::addColumn<QString>("what");
    for (const char *what : {"layers", "gpt2", "resnet50", "unet", "transformer"})
        QTest::newRow(what) << QString::fromLatin1(what);
}

void TestGraphLayout::sameClusterSameHeight()
{
    QFETCH(QString, what);
    Graph graph = test::layeredGraph(6);
    if (what != QLatin1String("layers")) {
        auto model = test::loadSample(what.toStdString());
        if (!model) QFAIL(model.error().message.c_str());
        graph = std::move(model->graph);
    }
    for (const ClusterTree &clusters : {moduleTree(graph), blockPartition(graph, test::graphCosts(graph).timeUs, {})}) {
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

void TestGraphLayout::numbersKeepTheirRoomInDeepFrames()
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

void TestGraphLayout::itemAtFindsTheInnermost()
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

void TestGraphLayout::edgesAreOrthogonalAndEndAtBorders()
{
    auto model = test::loadSample("tiny_unet");
    if (!model) QFAIL(model.error().message.c_str());
    const GraphTree tree = buildGraphTree(model->graph, moduleTree(model->graph));
    const GraphPicture picture = layOutGraph(tree, openAll(tree, model->graph), {});
    QVERIFY(picture.edges.size() > 10);
    bool skips = false;
    for (const GraphEdge &edge : picture.edges) {
        skips = skips || edge.kind == EdgeKind::Skip;
        const std::vector<QPointF> corners = routeEdge(picture, edge);
        QVERIFY(corners.size() >= 2);
        for (std::size_t i = 1; i < corners.size(); ++i)
            QVERIFY(corners[i].x() == corners[i - 1].x() || corners[i].y() == corners[i - 1].y());
        const GraphItem &to = picture.item(edge.to);
        const QRectF inner = to.rect.adjusted(1, 1, -1, -1);
        QVERIFY(!inner.contains(corners.back()));
        QVERIFY(to.rect.adjusted(-1, -1, 1, 1 + PictureMetrics::kStackEdges).contains(corners.back()));
    }
    QVERIFY(skips);
}

void TestGraphLayout::helperAnswers()
{
    LayoutClient client;
    QSignalSpy answered(&client, &LayoutClient::answered), failed(&client, &LayoutClient::failed);
    for (int rows = 1; rows <= 5; ++rows)
        client.ask(QByteArray::number(rows), chain(rows));
    QCOMPARE(client.waiting(), 5);
    QTRY_COMPARE_WITH_TIMEOUT(answered.size(), 5, 10000);
    QCOMPARE(failed.size(), 0);
    for (int i = 0; i < 5; ++i) {
        QCOMPARE(answered[i][0].toByteArray(), QByteArray::number(i + 1));
        const auto ranks = answered[i][1].value<std::vector<RowRank>>();
        QCOMPARE(ranks.size(), static_cast<std::size_t>(i + 1));
        for (int row = 0; row <= i; ++row)
            QCOMPARE(ranks[static_cast<std::size_t>(row)].rank, row);
    }
}

void TestGraphLayout::identicalBlocksAreAskedOnce()
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
    QTRY_COMPARE_WITH_TIMEOUT(settled.size(), 1, 10000);
    QCOMPARE(book.laidOut(), book.total());
    QVERIFY(!book.waiting());
}

void TestGraphLayout::largeClustersNeedNoHelper()
{
    LayoutBook book;
    book.client().setProgram(QStringLiteral("/nowhere/at/all"));
    const std::vector<RowRank> *ranks = book.ranks(chain(5000));
    QVERIFY(ranks);
    QCOMPARE(ranks->back().rank, 4999);
}

void TestGraphLayout::slowHelperIsKilled()
{
    QTemporaryDir folder;
    LayoutBook book;
    book.client().setProgram(script(folder, "slow", "exec sleep 30\n"));
    book.client().setTimeLimit(100);
    QSignalSpy settled(&book, &LayoutBook::settled), fellBack(&book, &LayoutBook::fellBack);
    QElapsedTimer clock;
    clock.start();
    const OrderQuestion question = chain(6);
    QVERIFY(!book.ranks(question));
    QTRY_COMPARE_WITH_TIMEOUT(settled.size(), 1, 5000);
    QVERIFY2(clock.elapsed() < 3000, qPrintable(QString::number(clock.elapsed())));
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
    QTRY_COMPARE_WITH_TIMEOUT(settled.size(), 2, 10000);
    QCOMPARE(book.laidOut(), 1);
}

void TestGraphLayout::crashingHelperIsReplaced()
{
    QTemporaryDir folder;
    LayoutClient client;
    client.setProgram(script(folder, "crash", "read line\nkill -SEGV $$\n"));
    QSignalSpy failed(&client, &LayoutClient::failed);
    client.ask("a", chain(2));
    client.ask("b", chain(3));
    QTRY_COMPARE_WITH_TIMEOUT(failed.size(), 2, 10000);
    QVERIFY(failed[0][1].toString().contains(QLatin1String("crashed")));
    QCOMPARE(failed[1][0].toByteArray(), QByteArray("b"));
}

void TestGraphLayout::missingHelperIsSaid()
{
    LayoutClient client;
    client.setProgram(QStringLiteral("/nowhere/remat-layout"));
    QSignalSpy failed(&client, &LayoutClient::failed);
    client.ask("a", chain(2));
    client.ask("b", chain(2));
    QTRY_COMPARE_WITH_TIMEOUT(failed.size(), 2, 10000);
    QVERIFY(failed[0][1].toString().contains(QLatin1String("/nowhere/remat-layout")));
}

void TestGraphLayout::whatNeverAnswersIsEndedWithItsChildren()
{
    QTemporaryDir folder;
    const QByteArray seconds = "30." + QByteArray::number(getpid()); // nobody else sleeps as long
    const auto sleeping = [&seconds] {
        const QStringList processes = QDir(QStringLiteral("/proc")).entryList({QStringLiteral("[0-9]*")}, QDir::Dirs);
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
        QTRY_COMPARE_WITH_TIMEOUT(failed.size(), 1, 10000);
        QTRY_COMPARE(sleeping(), 0);
    }
}

void TestGraphLayout::nonsenseFromTheHelper()
{
    QTemporaryDir folder;
    for (const QByteArray answer : {"nonsense", R"({"id":1,"nodes":[]})", R"({"id":1,"nodes":[{"id":"1"},{"id":"0"}]})",
                                    R"({"id":1,"error":"It is Tuesday."})"}) {
        LayoutClient client;
        client.setTimeLimit(300);
        client.setProgram(script(folder, "nonsense", "read line\nprintf '%s\\n' '" + answer + "'\nexec sleep 30\n"));
        QSignalSpy failed(&client, &LayoutClient::failed);
        client.ask("a", chain(2));
        QTRY_COMPARE_WITH_TIMEOUT(failed.size(), 1, 5000);
    }
}

void TestGraphLayout::stopGivesUp()
{
    QTemporaryDir folder;
    LayoutBook book;
    book.client().setProgram(script(folder, "slow", "exec sleep 30\n"));
    QSignalSpy settled(&book, &LayoutBook::settled);
    QVERIFY(!book.ranks(chain(3)));
    QVERIFY(!book.ranks(chain(4)));
    book.stop();
    QCOMPARE(settled.size(), 1);
    QVERIFY(book.ranks(chain(3)) && book.ranks(chain(4)));
    QVERIFY(!book.waiting());
}

QTEST_GUILESS_MAIN(TestGraphLayout)
#include "tst_graph_layout.moc"
