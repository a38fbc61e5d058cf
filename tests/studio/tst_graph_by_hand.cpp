// SPDX-License-Identifier: Apache-2.0
// The graph view by mouse and keys: select, move, zoom, walk.
#include "tests/studio/graph_stage.h"
#include "tests/support/thread_time.h"

#include <QtTest>
#include <QtWidgets>

#include <set>

using namespace remat;
using namespace remat::studio;
using namespace remat::studio::fixture;

class TestGraphByHand : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { prepareGraphs(); }

    void clickSelectsAnOp()
    {
        GraphStage stage(layers(6));
        QSignalSpy cluster(&stage.view, &GraphView::clusterSelected);
        const QString embed = QStringLiteral("model.embed");
        stage.click(stage.item(embed).rect.center());
        const Graph &graph = stage.document.model()->graph();
        QCOMPARE(stage.document.selection().op, firstOp(graph, "model.embed", "embedding"));
        QVERIFY(stage.item(embed).selected);
        stage.click(stage.item(embed, Side::Backward).rect.center());
        QCOMPARE(stage.document.selection().op, firstOp(graph, "model.embed", "embedding_backward"));
        QVERIFY(stage.item(embed, Side::Backward).selected);
        const QVector<GraphCrumb> path = stage.view.path();
        QCOMPARE(path.size(), 3);
        QCOMPARE(path.last().path, embed);
    }

    void clickOnAClusterTellsItsPath()
    {
        GraphStage stage(layers(6));
        stage.document.selectOp(OpId(0));
        QSignalSpy cluster(&stage.view, &GraphView::clusterSelected);
        stage.view.expand(kBlock);
        stage.settle();
        stage.click(stage.item(kMlp).rect.topLeft() + QPointF(60, 12));
        QCOMPARE(cluster.size(), 1);
        QCOMPARE(cluster[0][0].toString(), kMlp);
        QVERIFY(!stage.document.selection().op);
        QVERIFY(stage.item(kMlp).selected);
        // A frame is selected by its header, not by the room between its cards.
        stage.click(stage.item(kBlock).rect.topLeft() + QPointF(60, 12));
        QCOMPARE(cluster.last()[0].toString(), kBlock);
    }

    void clickOnTheBackgroundClears()
    {
        GraphStage stage(layers(6));
        stage.document.selectOp(OpId(0));
        QVERIFY(!stage.selected().isEmpty());
        stage.click(QPointF(5, 780));
        QVERIFY(stage.selected().isEmpty());
        QVERIFY(!stage.document.selection().op);
    }

    void keysMoveAndOpen()
    {
        GraphStage stage(layers(6));
        stage.view.collapseAll();
        stage.settle();
        stage.view.activateWindow();
        stage.view.canvas()->setFocus();
        QTRY_VERIFY(stage.view.canvas()->hasFocus());
        stage.key(Qt::Key_Down);
        QVERIFY(stage.view.scene().marks.focusRing);
        QCOMPARE(stage.selected(), QStringLiteral("model"));
        stage.key(Qt::Key_Right); // opens
        QVERIFY(stage.view.isExpanded(QStringLiteral("model")));
        stage.key(Qt::Key_Down);
        QCOMPARE(stage.selected(), QStringLiteral("embed"));
        stage.key(Qt::Key_Right); // nothing to open: over to the backward column
        QCOMPARE(stage.selected(), QStringLiteral("∂ embed"));
        stage.key(Qt::Key_Left);
        QCOMPARE(stage.selected(), QStringLiteral("embed"));
        stage.key(Qt::Key_Up);
        QCOMPARE(stage.selected(), QStringLiteral("model"));
        stage.key(Qt::Key_Left); // closes
        QVERIFY(!stage.view.isExpanded(QStringLiteral("model")));
        stage.key(Qt::Key_Return);
        QVERIFY(stage.view.isExpanded(QStringLiteral("model")));
        stage.key(Qt::Key_End);
        QCOMPARE(stage.selected(), QStringLiteral("loss"));
        stage.key(Qt::Key_Home);
        QCOMPARE(stage.selected(), QStringLiteral("model"));
        stage.key(Qt::Key_Escape);
        QVERIFY(stage.selected().isEmpty());
    }

    void backspaceGoesOutwards()
    {
        GraphStage stage(layers(6));
        stage.view.revealPath(kMlp);
        stage.settle();
        QSignalSpy path(&stage.view, &GraphView::pathChanged);
        stage.key(Qt::Key_Backspace);
        QVERIFY(stage.item(kBlock).selected);
        QCOMPARE(path.size(), 1);
        QCOMPARE(stage.view.path().last().path, kBlock);
        stage.key(Qt::Key_Backspace);
        stage.key(Qt::Key_Backspace);
        QCOMPARE(stage.view.path().last().path, QStringLiteral("model"));
        stage.key(Qt::Key_Backspace);
        QCOMPARE(stage.view.path().size(), 1);
    }

    void wheelPansAndZoomsAroundTheCursor()
    {
        GraphStage stage(layers(6));
        stage.view.expandAll();
        stage.settle();
        GraphCanvas *canvas = stage.view.canvas();
        const auto wheel = [&](QPointF at, QPoint by, Qt::KeyboardModifiers modifiers) {
            QWheelEvent event(at, canvas->mapToGlobal(at), {}, by, Qt::NoButton, modifiers, Qt::NoScrollPhase, false);
            QCoreApplication::sendEvent(canvas, &event);
        };
        const double top = canvas->sight().top();
        wheel({300, 300}, {0, -480}, {});
        QVERIFY(canvas->sight().top() > top + 100);
        const QPointF under = canvas->toPicture({300, 300});
        wheel({300, 300}, {0, 240}, Qt::ControlModifier);
        QVERIFY(canvas->scale() > 1.3);
        QVERIFY((canvas->toPicture({300, 300}) - under).manhattanLength() < 1);
        for (int i = 0; i < 100; ++i)
            wheel({300, 300}, {0, -240}, Qt::ControlModifier);
        QCOMPARE(canvas->scale(), GraphCanvas::kSmallest);
        for (int i = 0; i < 200; ++i)
            wheel({300, 300}, {0, 240}, Qt::ControlModifier);
        QCOMPARE(canvas->scale(), GraphCanvas::kLargest);
        stage.key(Qt::Key_F);
        QVERIFY(canvas->scale() <= 1);
        QVERIFY(canvas->sight().contains(QRectF(0, 0, 10, 10)));
        // At every level of detail something is painted and nothing fails.
        for (const double factor : {1.0, 0.55, 0.3, 0.15, 0.05}) {
            canvas->zoomAround({300, 300}, factor / canvas->scale());
            QVERIFY(!canvas->grab().isNull());
        }
    }

    void dragPans()
    {
        GraphStage stage(layers(6));
        stage.view.expandAll();
        stage.settle();
        GraphCanvas *canvas = stage.view.canvas();
        const double top = canvas->sight().top();
        QTest::mousePress(canvas, Qt::LeftButton, {}, {5, 600});
        QMouseEvent move(QEvent::MouseMove, QPointF(5, 300), canvas->mapToGlobal(QPointF(5, 300)), Qt::NoButton,
                         Qt::LeftButton, {});
        QCoreApplication::sendEvent(canvas, &move);
        QTest::mouseRelease(canvas, Qt::LeftButton, {}, {5, 300});
        QCOMPARE(canvas->sight().top(), top + 300);
    }

    void minimapMovesTheView()
    {
        GraphStage stage(layers(12));
        stage.view.expandAll();
        stage.settle();
        GraphMinimap &map = stage.view.rail()->minimap();
        QTest::mouseClick(&map, Qt::LeftButton, {}, {55, 56});
        const GraphScene &scene = stage.view.scene();
        const double middle = stage.view.canvas()->sight().center().y();
        QVERIFY(qAbs(middle - scene.picture.bounds.center().y()) < scene.picture.bounds.height() * 0.1);
        QVERIFY(map.frame().contains(QPointF(55, 56)));
    }

    void hoverIsShared()
    {
        GraphStage stage(layers(6));
        stage.view.expand(kBlock);
        stage.view.expand(kMlp);
        stage.settle();
        const Graph &graph = stage.document.model()->graph();
        const OpId gelu = firstOp(graph, "model.h.5.mlp", "gelu");
        const QString path = kMlp + QLatin1Char('/') + QString::fromStdString(graph.op(gelu).name);
        const QPointF at = stage.item(path).rect.center() - stage.view.canvas()->pos();
        QTest::mouseMove(stage.view.canvas(), at.toPoint());
        QCOMPARE(stage.document.hover().op, gelu);
        QVERIFY(stage.document.hover().storage);
        QTest::mouseMove(stage.view.canvas(), QPoint(2, stage.view.canvas()->height() - 2));
        QVERIFY(!stage.document.hover().op);
        stage.document.setHover({{}, graph.op(gelu).outputs.front()});
        const GraphScene &scene = stage.view.scene();
        QVERIFY(scene.marks.hovered >= 0);
        QCOMPARE(QString::fromStdString(scene.nodeOf(scene.picture.item(scene.marks.hovered)).path), path);
    }

    void followsMakersAndReaders()
    {
        GraphStage stage(layers(6));
        const Graph &graph = stage.document.model()->graph();
        const OpId gelu = firstOp(graph, "model.h.5.mlp", "gelu");
        stage.view.reveal(gelu);
        stage.settle();
        stage.view.follow(true);
        stage.settle();
        const OpId reader = stage.document.selection().op;
        const auto &readers = stage.document.model()->open->readers[graph.op(gelu).outputs.front().index()];
        QCOMPARE(reader, readers.front());
        QVERIFY(!stage.selected().isEmpty());
        stage.view.reveal(gelu);
        stage.view.follow(false);
        const OpId maker = stage.document.selection().op;
        QVERIFY(maker.index() < gelu.index());
        const auto makers = producersOf(*stage.document.model()->open, gelu);
        QCOMPARE(maker, makers.back());
    }

    void keysFrameAndWalk()
    {
        GraphStage stage(layers(6), {1032, 360});
        stage.view.expandAll();
        stage.settle();
        GraphCanvas &canvas = *stage.view.canvas();
        const double before = canvas.scale();
        stage.key(Qt::Key_W);
        QVERIFY(canvas.scale() > before);
        stage.key(Qt::Key_S);
        QCOMPARE(canvas.scale(), before);
        const double top = canvas.sight().top();
        stage.key(Qt::Key_D);
        QVERIFY(canvas.sight().top() > top);
        stage.key(Qt::Key_A);
        QCOMPARE(canvas.sight().top(), top);
        stage.key(Qt::Key_Backspace, Qt::ShiftModifier);
        QCOMPARE(canvas.scale(), 1.0);
        stage.key(Qt::Key_Space);
        QVERIFY(canvas.scale() < 1);
        const double fitted = canvas.scale();
        stage.key(Qt::Key_Plus);
        stage.key(Qt::Key_0);
        QCOMPARE(canvas.scale(), fitted);

        canvas.showActualSize();
        stage.document.selectOp(firstOp(stage.document.model()->graph(), "model.h.3.mlp", "gelu"));
        stage.view.frame();
        const GraphScene &scene = stage.view.scene();
        const QRectF rect = canvas.toWidget(scene.picture.item(scene.marks.selected).rect);
        QVERIFY(qAbs(rect.center().y() - (canvas.height() - DetailsStrip::kHeight + GraphCanvas::kHeader) / 2.0) < 2);
        stage.view.frame();
        QCOMPARE(canvas.scale(), fitted);
    }

    void spaceAndDragOnlyMoves()
    {
        GraphStage stage(layers(6), {1032, 360});
        stage.view.expandAll();
        stage.settle();
        GraphCanvas &canvas = *stage.view.canvas();
        canvas.showActualSize();
        QTest::keyPress(&canvas, Qt::Key_Space);
        QTest::mousePress(&canvas, Qt::LeftButton, {}, {400, 200});
        QTest::mouseMove(&canvas, {400, 150});
        QTest::mouseMove(&canvas, {400, 120});
        QTest::mouseRelease(&canvas, Qt::LeftButton, {}, {400, 120});
        QTest::keyRelease(&canvas, Qt::Key_Space);
        QCOMPARE(canvas.scale(), 1.0);
    }

    void wheelMayZoom()
    {
        GraphStage stage(layers(6), {1032, 360});
        stage.view.expandAll();
        stage.settle();
        GraphCanvas &canvas = *stage.view.canvas();
        const auto wheel = [&](Qt::KeyboardModifiers modifiers) {
            QWheelEvent event(QPointF(300, 200), canvas.mapToGlobal(QPointF(300, 200)), {}, {0, -120}, {}, modifiers,
                              Qt::NoScrollPhase, false);
            QCoreApplication::sendEvent(&canvas, &event);
        };
        canvas.showActualSize();
        wheel({});
        QCOMPARE(canvas.scale(), 1.0);
        canvas.setWheelZooms(true);
        wheel({});
        QVERIFY(canvas.scale() < 1);
        const double scale = canvas.scale();
        wheel(Qt::ControlModifier);
        QCOMPARE(canvas.scale(), scale);
    }

    void altOpensEverythingBelow()
    {
        GraphStage stage(layers(6));
        stage.view.collapse(kBlock);
        stage.settle();
        const auto block = stage.item(kBlock);
        QVERIFY(!block.chevron.isNull());
        QTest::mouseClick(stage.view.canvas(), Qt::LeftButton, Qt::AltModifier,
                          (block.chevron.center() - stage.view.canvas()->pos()).toPoint());
        stage.settle();
        QVERIFY(stage.view.isExpanded(kBlock) && stage.view.isExpanded(kMlp));
        const auto frame = stage.item(kBlock);
        QTest::mouseClick(stage.view.canvas(), Qt::LeftButton, Qt::AltModifier,
                          (frame.chevron.center() - stage.view.canvas()->pos()).toPoint());
        stage.settle();
        QVERIFY(!stage.view.isExpanded(kBlock));
        stage.view.expand(kBlock);
        stage.settle();
        QVERIFY(!stage.view.isExpanded(kMlp));
    }

    void movesWhenItMay()
    {
        qunsetenv("REMAT_NO_ANIMATION");
        GraphStage stage(layers(6));
        stage.view.collapse(QStringLiteral("model.h"));
        QTest::qWait(250);
        const QImage closed = stage.view.grab().toImage();
        stage.view.expand(QStringLiteral("model.h"));
        stage.settle();
        QTest::qWait(60);
        const QImage between = stage.view.grab().toImage();
        QTest::qWait(300);
        const QImage open = stage.view.grab().toImage();
        qputenv("REMAT_NO_ANIMATION", "1");
        QVERIFY(between != closed);
        QVERIFY(between != open);
        QCOMPARE(stage.view.grab().toImage(), open); // at rest
    }

    void pansTenThousandOpsSmoothly()
    {
        const auto model = layers(360);
        QVERIFY(model->graph().ops.size() >= 10000);
        GraphStage stage(model, {1600, 900});
        stage.view.expandAll();
        stage.settle();
        QVERIFY(stage.view.visibleItems().size() > 10000);
        GraphCanvas *canvas = stage.view.canvas();
        QImage image(canvas->size(), QImage::Format_ARGB32_Premultiplied);
        QStringList medians;
        for (const double scale : {1.0, 0.5, 0.25, 0.1, GraphCanvas::kSmallest}) {
            canvas->zoomAround({400, 400}, scale / canvas->scale());
            std::vector<double> times, references;
            for (int i = 0; i < 40; ++i) {
                canvas->centreOn({400, 2000.0 + 97.0 * i / scale});
                // Time of this thread, so that a busy machine does not count.
                const double before = test::threadMs();
                canvas->render(&image);
                times.push_back(test::threadMs() - before);
                const double begun = test::threadMs();
                paintCards(image);
                references.push_back(test::threadMs() - begun);
            }
            std::nth_element(times.begin(), times.begin() + 20, times.end());
            std::nth_element(references.begin(), references.begin() + 20, references.end());
            medians << QStringLiteral("%1 ms at %2 (reference %3 ms)")
                           .arg(times[20], 0, 'f', 1)
                           .arg(scale)
                           .arg(references[20], 0, 'f', 1);
            QVERIFY2(times[20] <= kMostReferences * references[20], qPrintable(medians.last()));
        }
        qInfo("10,000 ops: %s", qPrintable(medians.join(QLatin1String(", "))));
    }
};

QTEST_MAIN(TestGraphByHand)
#include "tst_graph_by_hand.moc"
