// SPDX-License-Identifier: Apache-2.0
// The graph view: what opens, closes, is remembered; and pictures to look at.
#include "tests/studio/golden.h"
#include "tests/studio/graph_stage.h"

#include <QtTest>
#include <QtWidgets>

#include <set>

using namespace remat;
using namespace remat::studio;
using namespace remat::studio::fixture;

class TestGraphView : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { prepareGraphs(); }

    void emptyOffersToOpen()
    {
        GraphStage stage(nullptr);
        QSignalSpy open(&stage.view, &GraphView::openRequested);
        auto *button = stage.view.findChild<QPushButton *>();
        auto buttons = stage.view.findChildren<QPushButton *>();
        for (QPushButton *candidate : buttons)
            if (candidate->isVisible()) button = candidate;
        QVERIFY(button && button->isVisible());
        button->click();
        QCOMPARE(open.size(), 1);
        QVERIFY(stage.view.visibleItems().empty());
        QTest::keyClick(stage.view.canvas(), Qt::Key_Down); // does nothing, and does not crash
    }

    void chevronOpensAndCloses()
    {
        GraphStage stage(layers(6));
        stage.view.expand(kBlock);
        stage.settle();
        QVERIFY(stage.shows(kMlp));
        QCOMPARE(stage.item(kMlp).shape, ItemShape::OpCard);
        const double topBefore = stage.item(kMlp).rect.top();
        stage.click(stage.item(kMlp).chevron.center());
        stage.settle();
        QVERIFY(stage.view.isExpanded(kMlp));
        QCOMPARE(stage.item(kMlp).shape, ItemShape::Frame);
        QCOMPARE(stage.item(kMlp, Side::Backward).shape, ItemShape::Frame);
        QCOMPARE(stage.item(kMlp).rect.top(), topBefore);
        int inside = 0;
        for (const VisibleItem &item : stage.view.visibleItems()) {
            if (!item.path.startsWith(kMlp + QLatin1Char('/'))) continue;
            ++inside;
            QVERIFY(stage.item(kMlp, item.side).rect.contains(item.rect));
        }
        QVERIFY(inside >= 10);
        stage.click(stage.item(kMlp).chevron.center());
        stage.settle();
        QVERIFY(!stage.view.isExpanded(kMlp));
        QCOMPARE(stage.item(kMlp).shape, ItemShape::OpCard);
    }

    void doubleClickOpens()
    {
        GraphStage stage(layers(6));
        stage.view.expand(kBlock);
        const QPoint middle =
            (stage.item(kMlp).rect.topLeft() + QPointF(60, 12) - stage.view.canvas()->pos()).toPoint();
        QTest::mouseClick(stage.view.canvas(), Qt::LeftButton, {}, middle);
        QTest::mouseDClick(stage.view.canvas(), Qt::LeftButton, {}, middle);
        stage.settle();
        QVERIFY(stage.view.isExpanded(kMlp));
    }

    void sameHeightInBothColumns()
    {
        GraphStage stage(layers(6));
        stage.view.expandAll();
        stage.settle();
        int pairs = 0;
        for (const VisibleItem &item : stage.view.visibleItems()) {
            const VisibleItem twin = stage.item(item.path, Side::Backward);
            if (item.side != Side::Forward || twin.rect.isNull()) continue;
            QCOMPARE(item.rect.top(), twin.rect.top());
            QVERIFY(twin.rect.left() > item.rect.right());
            ++pairs;
        }
        QVERIFY(pairs > 50);
        stage.view.collapseAll();
        stage.settle();
        QCOMPARE(stage.view.visibleItems().size(), std::size_t(3)); // model, ∂ model, loss
    }

    void selectionFromElsewhereMarksTheNearestCard()
    {
        GraphStage stage(layers(6));
        const Graph &graph = stage.document.model()->graph();
        const OpId gelu = firstOp(graph, "model.h.5.mlp", "gelu");
        QSignalSpy cluster(&stage.view, &GraphView::clusterSelected);
        stage.document.selectStorage(graph.op(gelu).outputs[0]);
        QVERIFY(!stage.view.isExpanded(kMlp)); // nothing opens by itself
        const GraphScene &scene = stage.view.scene();
        QVERIFY(scene.marks.selected >= 0);
        QVERIFY(kMlp.startsWith(QString::fromStdString(scene.nodeOf(scene.picture.item(scene.marks.selected)).path)));
        QCOMPARE(cluster.size(), 0);
        stage.view.expand(kBlock);
        stage.view.expand(kMlp);
        stage.settle();
        QCOMPARE(stage.selected(), QString::fromStdString(graph.op(gelu).name));
        // Its readers are lit, and an arc goes over to the backward op that reads it.
        QVERIFY(scene.marks.readers.size() >= 2);
        QCOMPARE(scene.marks.arcs.size(), std::size_t(1));
        QCOMPARE(scene.picture.item(scene.marks.arcs[0].second).side, Side::Backward);
        stage.document.clearSelection();
        QVERIFY(scene.marks.readers.empty() && scene.marks.arcs.empty() && scene.marks.selected < 0);
    }

    void revealOpensTheWay()
    {
        GraphStage stage(layers(12), {1032, 400});
        const Graph &graph = stage.document.model()->graph();
        const OpId op = firstOp(graph, "model.h.3.mlp", "gelu_backward");
        QVERIFY(op);
        stage.view.reveal(op);
        stage.settle();
        QCOMPARE(stage.document.selection().op, op);
        // The stacked block has become the one that is shown.
        QVERIFY(stage.view.isExpanded(QStringLiteral("model.h.3.mlp")));
        QVERIFY(stage.shows(QStringLiteral("model.h.3")));
        bool seen = false;
        for (const VisibleItem &item : stage.view.visibleItems()) {
            if (!item.selected) continue;
            seen = true;
            QCOMPARE(item.side, Side::Backward);
            QVERIFY(QRectF(stage.view.rect()).contains(item.rect));
        }
        QVERIFY(seen);
    }

    void revealPathOpensTheWay()
    {
        GraphStage stage(layers(12));
        QSignalSpy cluster(&stage.view, &GraphView::clusterSelected);
        stage.view.revealPath(QStringLiteral("model.h.7.attn"));
        stage.settle();
        QVERIFY(stage.item(QStringLiteral("model.h.7.attn")).selected);
        QCOMPARE(cluster.last()[0].toString(), QStringLiteral("model.h.7.attn"));
        stage.view.revealPath(QStringLiteral("no.such.path"));
        QVERIFY(stage.item(QStringLiteral("model.h.7.attn")).selected);
        stage.view.revealPath(QString()); // the root
        QVERIFY(stage.selected().isEmpty());
    }

    void stepperChoosesTheBlock()
    {
        GraphStage stage(layers(12));
        const std::vector<std::string> members = stage.view.scene().tree.runs.at(0).paths;
        const QString last = QString::fromStdString(members.back());
        const QString before = QString::fromStdString(members[members.size() - 2]);
        stage.view.expand(last);
        stage.view.expand(last + QStringLiteral(".mlp"));
        stage.settle();
        const std::size_t count = stage.view.visibleItems().size();
        stage.view.stepRun(last, -1);
        stage.settle();
        QVERIFY(stage.shows(before) && !stage.view.isExpanded(last));
        QVERIFY(stage.view.isExpanded(before + QStringLiteral(".mlp"))); // what was open stays open
        QVERIFY(stage.view.visibleItems().size() >= count);
        // By mouse: back again.
        const GraphScene &scene = stage.view.scene();
        const GraphItem item = scene.picture.item(
            scene.picture.itemOf[0][static_cast<std::size_t>(scene.tree.find(before.toStdString()))]);
        QCOMPARE(item.shape, ItemShape::Frame);
        stage.click(stage.view.canvas()->toWidget(item.rect).topRight() + QPointF(-17, 13) +
                    stage.view.canvas()->pos());
        stage.settle();
        QVERIFY(stage.view.isExpanded(last + QStringLiteral(".mlp")));
        stage.view.stepRun(last, 1); // there is none after it
        QVERIFY(stage.view.isExpanded(last));
        stage.view.stepRun(QStringLiteral("model"), 1);
    }

    void longLayoutsCanBeStopped()
    {
        GraphStage stage(layers(6));
        GraphCanvas &canvas = *stage.view.canvas();
        auto *stop = canvas.findChild<QAbstractButton *>(QStringLiteral("stopLayout"));
        QVERIFY(stop && !stop->isVisible());
        canvas.setProgress(0.4, QString()); // the bar alone, before there is much to wait for
        QVERIFY(!stop->isVisible());
        canvas.setProgress(0.5, QStringLiteral("Laying out h.5, 3 of 14 clusters"));
        QVERIFY(stop->isVisible());
        QVERIFY(canvas.rect().contains(stop->geometry()));
        QSignalSpy wanted(&canvas, &GraphCanvas::stopWanted);
        QTest::mouseClick(stop, Qt::LeftButton);
        QCOMPARE(wanted.size(), 1);
        canvas.setProgress(-1, {});
        QVERIFY(!stop->isVisible());
    }

    void stateIsRemembered()
    {
        GraphStage stage(layers(6));
        stage.view.expand(kBlock);
        stage.view.expand(kMlp);
        stage.settle();
        stage.view.setColourBy(ColourBy::Lifetime);
        stage.view.zoomIn();
        const double scale = stage.view.canvas()->scale();
        const QJsonObject state = stage.view.saveState();
        stage.view.collapseAll();
        stage.settle();
        stage.view.setHierarchy(Hierarchy::Partition);
        stage.settle();
        stage.view.setColourBy(ColourBy::PlanState);
        stage.view.fit();
        stage.view.restoreState(state);
        stage.settle();
        QCOMPARE(stage.view.hierarchy(), Hierarchy::Modules);
        QVERIFY(stage.view.isExpanded(kBlock) && stage.view.isExpanded(kMlp));
        QCOMPARE(stage.view.colourBy(), ColourBy::Lifetime);
        QCOMPARE(stage.view.canvas()->scale(), scale);
        QCOMPARE(stage.view.saveState(), state);
        // Another model's state, or nonsense: nothing of it is taken, and nothing breaks.
        stage.view.restoreState({{QStringLiteral("open"), QJsonArray{QStringLiteral("no.such"), 3}},
                                 {QStringLiteral("colourBy"), 99},
                                 {QStringLiteral("scale"), -1},
                                 {QStringLiteral("chosen"), QJsonObject{{QStringLiteral("model.h.0"), 900}}}});
        stage.settle();
        QVERIFY(!stage.view.isExpanded(kBlock));
    }

    void partitionAndBack()
    {
        GraphStage stage(layers(6));
        stage.view.expand(kBlock);
        stage.settle();
        stage.view.setHierarchy(Hierarchy::Partition);
        stage.settle();
        QVERIFY(!stage.shows(kBlock));
        bool blocks = false;
        for (const VisibleItem &item : stage.view.visibleItems())
            blocks = blocks || item.path.startsWith(QLatin1String("block"));
        QVERIFY(blocks);
        stage.document.selectOp(OpId(3));
        QVERIFY(!stage.selected().isEmpty());
        stage.view.setHierarchy(Hierarchy::Modules);
        stage.settle();
        QVERIFY(stage.view.isExpanded(kBlock)); // as it was left
    }

    void failingHelperIsSaidAndTheGraphStays()
    {
        Document document;
        GraphView view(&document);
        view.layouts().client().setProgram(QStringLiteral("/nowhere/remat-layout"));
        view.resize(1032, 800);
        view.show();
        document.setModel(layers(6));
        QTRY_VERIFY_WITH_TIMEOUT(!view.layoutPending() && !view.scene().picture.items.empty(), 120000);
        QVERIFY(view.strip()->isVisible());
        QVERIFY(view.strip()->sentence().contains(QLatin1String("remat-layout")));
        QVERIFY(view.visibleItems().size() > 5);
        view.layouts().client().setProgram(LayoutClient::defaultProgram());
        view.strip()->findChild<QAbstractButton *>(QStringLiteral("messageAction"))->click();
        QTRY_VERIFY_WITH_TIMEOUT(view.layouts().laidOut() > 0 && !view.layoutPending(), 120000);
        QVERIFY(!view.strip()->isVisible());
    }

    void newestExpansionWins()
    {
        GraphStage stage(layers(6));
        stage.view.collapseAll();
        stage.settle();
        for (int i = 0; i < 7; ++i) {
            stage.view.expandAll();
            stage.view.collapseAll();
            stage.view.expand(QStringLiteral("model"));
            if (i % 2 == 0) stage.view.expand(QStringLiteral("model.h"));
        }
        stage.settle();
        QVERIFY(stage.view.isExpanded(QStringLiteral("model.h")));
        QCOMPARE(stage.item(QStringLiteral("model.h")).shape, ItemShape::Frame);
        for (const VisibleItem &item : stage.view.visibleItems())
            QVERIFY2(!item.path.contains(QLatin1Char('/')), qPrintable(item.path));
    }

    void modelCanBeReplacedAndClosed()
    {
        GraphStage stage(layers(6));
        stage.document.selectOp(OpId(4));
        stage.document.setModel(test::costedModel(test::chainGraph(5)));
        stage.settle();
        QVERIFY(stage.selected().isEmpty());
        QVERIFY(!stage.view.visibleItems().empty());
        stage.document.setModel(nullptr);
        QVERIFY(stage.view.visibleItems().empty());
        QVERIFY(!stage.view.grab().isNull());
        stage.document.setModel(layers(3));
        stage.settle();
        QVERIFY(!stage.view.visibleItems().empty());
        // Other costs of the same model leave everything open as it was.
        stage.view.expandAll();
        stage.settle();
        const std::size_t count = stage.view.visibleItems().size();
        stage.document.setModel(std::make_shared<CostedModel>(*stage.document.model()));
        QCOMPARE(stage.view.visibleItems().size(), count);
    }

    void goldenPicture_data()
    {
        QTest::addColumn<int>("scheme");
        QTest::addColumn<int>("colourBy");
        QTest::addColumn<QSize>("size");
        const QSize large(1032, 640), small(928, 380);
        QTest::newRow("light") << 0 << int(ColourBy::PlanState) << large;
        QTest::newRow("dark") << 1 << int(ColourBy::PlanState) << large;
        QTest::newRow("contrast") << 2 << int(ColourBy::PlanState) << large;
        QTest::newRow("branches_light") << 0 << int(ColourBy::PlanState) << QSize(1500, 760);
        QTest::newRow("branches_dark") << 1 << int(ColourBy::PlanState) << QSize(1500, 760);
        QTest::newRow("overlay_light") << 0 << int(ColourBy::Lifetime) << large;
        QTest::newRow("overlay_dark") << 1 << int(ColourBy::Lifetime) << large;
        QTest::newRow("overlay_light_small") << 0 << int(ColourBy::Bytes) << small;
        QTest::newRow("overlay_dark_small") << 1 << int(ColourBy::Bytes) << small;
    }

    void goldenPicture()
    {
        QFETCH(int, scheme);
        Theme::instance().setScheme(static_cast<Scheme>(scheme));
        Theme::instance().apply();
        QFETCH(int, colourBy);
        QFETCH(QSize, size);
        if (QByteArray(QTest::currentDataTag()).startsWith("branches")) {
            GraphStage stage(branched(), size);
            stage.open({"mixed_e", "mixed_a", "attention", "attention.heads", "attention.heads.3"});
            stage.document.selectOp(firstOp(stage.document.model()->graph(), "mixed_a", "avg_pool2d"));
            if (scheme == 0) stage.view.canvas()->fit(); // in the other the details
            const QString wrong = fixture::goldenDifference(
                stage.view, QStringLiteral("graph_view_%1.png").arg(QString::fromLatin1(QTest::currentDataTag())),
                0.004);
            Theme::instance().setScheme(Scheme::Light);
            Theme::instance().apply();
            QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
            return;
        }
        GraphStage stage(layers(6), size);
        stage.view.setColourBy(static_cast<ColourBy>(colourBy));
        stage.document.addPlan(test::recomputingPlan(*stage.document.model(), 1, [](const Op &op) {
            return op.kind == "gelu" || (op.kind == "norm" && op.module != "model.h.5.attn");
        }));
        stage.view.expand(kBlock);
        stage.view.expand(kMlp);
        stage.settle();
        const Graph &graph = stage.document.model()->graph();
        stage.document.selectOp(firstOp(graph, "model.h.5.mlp", "gelu"));
        const QString wrong = fixture::goldenDifference(
            stage.view, QStringLiteral("graph_view_%1.png").arg(QString::fromLatin1(QTest::currentDataTag())), 0.004);
        Theme::instance().setScheme(Scheme::Light);
        Theme::instance().apply();
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
    }
};

QTEST_MAIN(TestGraphView)
#include "tst_graph_view.moc"
