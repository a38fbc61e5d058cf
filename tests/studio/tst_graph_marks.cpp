// SPDX-License-Identifier: Apache-2.0
// What the graph view says on its cards: the plan, the cursor, decisions, overlays, matches.
#include "app/studio/views/graph/card_text.h"
#include "tests/studio/graph_stage.h"

#include <QtTest>
#include <QtWidgets>

#include <set>

using namespace remat;
using namespace remat::studio;
using namespace remat::studio::fixture;

class TestGraphMarks : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { prepareGraphs(); }

    void statesFollowThePlan()
    {
        GraphStage stage(layers(6));
        stage.view.expand(kBlock);
        stage.view.expand(kMlp);
        stage.settle();
        const Graph &graph = stage.document.model()->graph();
        const QString gelu =
            kMlp + QLatin1Char('/') + QString::fromStdString(graph.op(firstOp(graph, "model.h.5.mlp", "gelu")).name);
        QCOMPARE(stage.item(gelu).state, NodeState::Kept);
        stage.document.addPlan(test::recomputingPlan(*stage.document.model(), stage.document.nextPlanId(),
                                                     [](const Op &op) { return op.kind == "gelu"; }));
        QCOMPARE(stage.item(gelu).state, NodeState::Recomputed);
        QCOMPARE(stage.item(kMlp).state, NodeState::Mixed);
        QCOMPARE(stage.item(gelu, Side::Backward).state, NodeState::Backward);
        const GraphScene &scene = stage.view.scene();
        for (const GraphItem &item : scene.picture.items) {
            if (item.side == Side::Backward && item.shape == ItemShape::Frame &&
                scene.nodeOf(item).path == kMlp.toStdString())
                QCOMPARE(recomputeChip(scene, item), QStringLiteral("1 op · 12 µs"));
        }
    }

    void cursorMarksTheRunningOp()
    {
        GraphStage stage(layers(6));
        const auto &timeline = *stage.document.model()->keepAll;
        const GraphScene &scene = stage.view.scene();
        stage.document.setCursor(timeline.startUs[0] + 0.5);
        QVERIFY(scene.marks.running >= 0);
        QCOMPARE(scene.nodeOf(scene.picture.item(scene.marks.running)).path, std::string("model.embed"));
        stage.document.setCursor(timeline.timeUs - 0.5);
        QCOMPARE(scene.picture.item(scene.marks.running).side, Side::Backward);
        stage.document.setCursor(-1);
        QCOMPARE(scene.marks.running, -1);
    }

    void cursorLightsWhatIsAlive()
    {
        GraphStage stage(layers(6));
        stage.view.expandAll();
        stage.settle();
        const auto &model = *stage.document.model();
        const MemoryTimeline &timeline = *model.keepAll;
        const GraphScene &scene = stage.view.scene();
        for (std::size_t sample = 0; sample < timeline.op.size(); sample += 7) {
            stage.document.setCursor((timeline.startUs[sample] + timeline.endUs[sample]) / 2);
            std::set<int> alive;
            for (const LiveRange &range : aliveAt(model.graph(), timeline, sample)) {
                const OpId maker = model.graph().storage(range.storage).producer;
                const Side side = model.graph().op(maker).phase == Phase::Backward ? Side::Backward : Side::Forward;
                const int item = scene.picture.nearestItem(scene.tree, scene.tree.leafOf[maker.index()], side);
                if (item >= 0 && scene.picture.item(item).shape != ItemShape::Frame) alive.insert(item);
            }
            QCOMPARE(std::vector<int>(alive.begin(), alive.end()), scene.marks.live);
            QVERIFY(!alive.empty());
        }
        stage.document.setCursor(-1);
        QVERIFY(scene.marks.live.empty());
    }

    void detailsSayEverythingOfTheSelection()
    {
        GraphStage stage(layers(6));
        DetailsStrip &strip = *stage.view.details();
        QVERIFY(!strip.isVisible());
        const Graph &graph = stage.document.model()->graph();
        const OpId gelu = firstOp(graph, "model.h.5.mlp", "gelu");
        stage.view.reveal(gelu);
        stage.settle();
        QVERIFY(strip.isVisible());
        const OpDetails details = opDetails(*stage.document.model(), nullptr, gelu);
        QCOMPARE(strip.details().text(), details.text());
        QVERIFY(details.text().contains(QString::fromStdString(graph.op(gelu).name)));
        // The selected card is never below it.
        const GraphScene &scene = stage.view.scene();
        QVERIFY(stage.view.canvas()->toWidget(scene.picture.item(scene.marks.selected).rect).bottom() <= strip.y());

        auto *link = strip.findChild<QLabel *>(QStringLiteral("details.link"));
        QVERIFY(link);
        QTest::mouseClick(link, Qt::LeftButton);
        QTRY_COMPARE(stage.document.selection().op, details.producers.front());
        stage.settle();
        QTest::mouseClick(strip.findChild<QAbstractButton *>(QStringLiteral("details.copy")), Qt::LeftButton);
        QCOMPARE(QApplication::clipboard()->text(), strip.details().text());
        QTest::mouseClick(strip.findChild<QAbstractButton *>(QStringLiteral("details.close")), Qt::LeftButton);
        QVERIFY(!strip.isVisible());
        stage.document.selectOp(gelu);
        QVERIFY(!strip.isVisible());
        strip.setWanted(true);
        QVERIFY(strip.isVisible());
        stage.document.clearSelection();
        QVERIFY(!strip.isVisible());
    }

    void pinsAreOnCards()
    {
        GraphStage stage(layers(6));
        stage.view.expand(kBlock);
        stage.view.expand(kMlp);
        stage.settle();
        const Graph &graph = stage.document.model()->graph();
        const OpId gelu = firstOp(graph, "model.h.5.mlp", "gelu");
        const GraphScene &scene = stage.view.scene();
        QVERIFY(scene.pins.empty());
        Pins pins;
        pins.never = {gelu};
        stage.document.setPins(pins);
        const auto state = [&](const QString &path) {
            return scene.pins[static_cast<std::size_t>(scene.tree.find(path.toStdString()))];
        };
        QCOMPARE(scene.pins[static_cast<std::size_t>(scene.tree.leafOf[gelu.index()])], PinState::Locked);
        QCOMPARE(state(kMlp), PinState::Locked);
        pins.keep = {graph.op(OpId(gelu.index() - 1)).outputs.front()};
        stage.document.setPins(pins);
        QCOMPARE(state(kBlock), PinState::Several);
        const QImage pinned = stage.view.grab().toImage();
        stage.document.setPins({});
        QVERIFY(scene.pins.empty());
        QVERIFY(stage.view.grab().toImage() != pinned);
    }

    void overlaysAreWhatTheySay()
    {
        const auto model = layers(6);
        GraphStage stage(model);
        stage.view.expandAll();
        stage.settle();
        stage.document.addPlan(test::recomputingPlan(*model, 1, [](const Op &op) { return op.kind == "gelu"; }));
        const Graph &graph = model->graph();
        const MemoryTimeline &timeline = *stage.document.currentPlan()->timeline;
        const GraphScene &scene = stage.view.scene();

        // Sample by sample: from when to when each copy is there, and when it was used last.
        std::vector<double> lifetimes(graph.storages.size(), 0), waits(graph.storages.size(), 0);
        for (const LiveRange &range : timeline.ranges) {
            double from = -1, to = 0, used = -1;
            for (std::size_t i = 0; i < timeline.op.size(); ++i) {
                if (timeline.step[i] < range.firstStep || timeline.step[i] > range.lastStep) continue;
                if (from < 0) from = timeline.startUs[i];
                to = timeline.endUs[i];
                const Op &op = graph.op(timeline.op[i]);
                const auto uses = [&](const std::vector<StorageId> &list) {
                    return std::find(list.begin(), list.end(), range.storage) != list.end();
                };
                if (!uses(op.inputs) && !uses(op.outputs)) continue;
                double &wait = waits[range.storage.index()];
                if (used >= 0) wait = std::max(wait, timeline.startUs[i] - used);
                used = timeline.endUs[i];
            }
            double &lifetime = lifetimes[range.storage.index()];
            lifetime = std::max(lifetime, to - from);
        }
        QCOMPARE(lifetimesUs(graph, timeline), lifetimes);
        QCOMPARE(waitsUs(graph, timeline), waits);

        for (const ColourBy by : colourChoices()) {
            stage.view.setColourBy(by);
            QCOMPARE(scene.colourBy, by);
            if (by == ColourBy::PlanState) continue;
            if (!overlayKnown(by, *scene.model)) continue;
            QVERIFY(scene.rampTop > 0);
            double most = 0;
            for (const GraphItem &item : scene.picture.items)
                if (item.shape != ItemShape::Frame) most = std::max(most, rampValue(scene, item));
            QCOMPARE(scene.rampTop, most);
            QVERIFY(!overlayText(by, most).isEmpty());
        }
        stage.view.setColourBy(ColourBy::Recomputes);
        int gelus = 0;
        for (const GraphItem &item : scene.picture.items)
            if (item.shape == ItemShape::OpCard && item.side == Side::Forward && rampValue(scene, item) > 0) ++gelus;
        QVERIFY(gelus > 0);

        // How far predictions are off needs measured costs; without them the rail says so.
        stage.view.setColourBy(ColourBy::TimeError);
        QVERIFY(!overlayKnown(ColourBy::TimeError, *scene.model));
        QCOMPARE(scene.rampTop, 0.0);
        auto measured = std::make_shared<CostedModel>(*stage.document.model());
        auto roofline = std::make_shared<CostTable>(*measured->costs);
        const OpId off = firstOp(graph, "model.h.5.mlp", "gelu");
        roofline->timeUs[off.index()] *= 0.5;
        measured->roofline = roofline;
        QVERIFY(overlayKnown(ColourBy::TimeError, *measured));
        const Overlay errors = overlayOf(ColourBy::TimeError, scene.tree, *measured, scene.figures, timeline);
        const auto leaf = static_cast<std::size_t>(scene.tree.leafOf[off.index()]);
        QCOMPARE(errors[0][leaf], 1.0);
        const auto mlp = static_cast<std::size_t>(scene.tree.nodes[leaf].parent);
        QVERIFY(errors[0][mlp] > 0 && errors[0][mlp] < 1);
        QVERIFY(overlayText(ColourBy::TimeError, errors[0][leaf]).startsWith(QStringLiteral("100")));
    }

    void matchesAreLit()
    {
        GraphStage stage(layers(6));
        stage.view.expand(kBlock);
        stage.settle();
        const Graph &graph = stage.document.model()->graph();
        const QImage plain = stage.view.grab().toImage();
        const OpId gelu = firstOp(graph, "model.h.5.mlp", "gelu");
        stage.view.setMatches(std::vector<OpId>{gelu});
        const GraphScene &scene = stage.view.scene();
        int lit = 0;
        for (const GraphItem &item : scene.picture.items)
            if (item.shape != ItemShape::Frame && matchesIn(scene, item) > 0) ++lit;
        QCOMPARE(lit, 1); // the closed mlp
        QVERIFY(stage.view.grab().toImage() != plain);
        stage.view.setMatches(std::nullopt);
        QVERIFY(stage.view.grab().toImage() == plain);
    }

    void colourByBytes()
    {
        GraphStage stage(layers(6));
        const QImage before = stage.view.grab().toImage();
        stage.view.rail()->colourChoice().setCurrentIndex(1);
        QVERIFY(stage.view.scene().rampTop > 0);
        QVERIFY(stage.view.grab().toImage() != before);
        stage.view.rail()->colourChoice().setCurrentIndex(0);
        QCOMPARE(stage.view.grab().toImage(), before);
    }

    void tableTwin()
    {
        GraphStage stage(layers(6));
        QAbstractItemModel *table = stage.view.table();
        QAbstractItemModelTester tester(table, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QCOMPARE(table->rowCount(), static_cast<int>(stage.view.visibleItems().size()));
        stage.view.expandAll();
        stage.settle();
        const std::vector<VisibleItem> items = stage.view.visibleItems();
        QCOMPARE(table->rowCount(), static_cast<int>(items.size()));
        for (int row = 0; row < table->rowCount(); ++row) {
            QCOMPARE(table->index(row, GraphTable::Name).data().toString(), items[static_cast<std::size_t>(row)].title);
            QCOMPARE(table->index(row, GraphTable::Path).data().toString(), items[static_cast<std::size_t>(row)].path);
            for (int column = 0; column < table->columnCount(); ++column)
                QVERIFY(column == GraphTable::Kind || !table->index(row, column).data().toString().isEmpty());
        }
    }

    void tooltipsSayEverything()
    {
        GraphStage stage(layers(6));
        stage.view.expandAll();
        stage.settle();
        const GraphScene &scene = stage.view.scene();
        for (const GraphItem &item : scene.picture.items) {
            const QString text = cardTooltip(scene, item);
            QVERIFY(text.startsWith(QLatin1String("<b>")));
            QVERIFY(text.contains(QLatin1String("Time")));
            QVERIFY(text.contains(QLatin1String("bytes")));
        }
    }

    void narrowViewsDropTheKind()
    {
        GraphStage stage(layers(6), {928, 400});
        QVERIFY(stage.view.scene().picture.columnWidth < PictureMetrics::kFullColumn);
        for (const VisibleItem &item : stage.view.visibleItems())
            QVERIFY(item.rect.right() <= stage.view.canvas()->width() && item.rect.left() >= 0);
        stage.view.resize(1400, 400);
        QTRY_COMPARE(stage.view.scene().picture.columnWidth, PictureMetrics::kFullColumn);
    }
};

QTEST_MAIN(TestGraphMarks)
#include "tst_graph_marks.moc"
