// SPDX-License-Identifier: Apache-2.0
// The memory view by mouse and keys: budget, selection, zoom, ranges.
#include "app/studio/base/style/theme.h"
#include "app/studio/base/text/text.h"
#include "app/studio/base/widgets/message_strip.h"
#include "app/studio/views/memory/alive_list.h"
#include "tests/studio/memory_stage.h"

#include <QtTest>
#include <QtWidgets>

#include <cmath>

using namespace remat;
using namespace remat::studio;
using namespace remat::studio::fixture;

class TestMemoryByHand : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { fixture::lightTheme(); }

    void budgetFollowsTheMouse()
    {
        MemoryStage f;
        QSignalSpy drags(&f.document, &Document::budgetDragChanged), moves(&f.document, &Document::budgetMoved),
            changed(&f.document, &Document::budgetChanged);
        const QPoint grab = f.budgetPoint() + QPoint(0, 4);
        move(f.canvas, grab);
        QCOMPARE(f.canvas.cursor().shape(), Qt::SizeVerCursor);
        QTest::mousePress(&f.canvas, Qt::LeftButton, {}, grab);
        QCOMPARE(drags.count(), 1);
        QVERIFY(f.document.draggingBudget());
        const std::int64_t before = f.document.budgetBytes();
        move(f.canvas, grab + QPoint(0, 20), Qt::LeftButton);
        QVERIFY(f.document.budgetBytes() < before);
        const double moved =
            f.canvas.layout().y.pixel(double(f.document.budgetBytes())) - f.canvas.layout().y.pixel(double(before));
        QVERIFY(std::abs(moved - 20) < 1);
        move(f.canvas, QPoint(grab.x(), -500), Qt::LeftButton);
        QCOMPARE(f.document.budgetBytes(), f.document.model()->keepAll->peakBytes);
        QCOMPARE(moves.count(), 2);
        QCOMPARE(changed.count(), 2);
        QCOMPARE(drags.count(), 1);
        QTest::mouseRelease(&f.canvas, Qt::LeftButton, {}, grab);
        QCOMPARE(drags.count(), 2);
        QVERIFY(!f.document.draggingBudget());
        // And no longer.
        move(f.canvas, grab + QPoint(0, 50));
        QCOMPARE(changed.count(), 2);
    }

    void handleIsGrabbedToo()
    {
        MemoryStage f;
        const QPoint handle = f.canvas.layout().budgetHandle(f.document.budgetBytes()).center().toPoint();
        QTest::mousePress(&f.canvas, Qt::LeftButton, {}, handle);
        const std::int64_t before = f.document.budgetBytes();
        move(f.canvas, handle - QPoint(0, 10), Qt::LeftButton);
        QVERIFY(f.document.budgetBytes() > before);
        QTest::mouseRelease(&f.canvas, Qt::LeftButton, {}, handle);
    }

    void keysMoveTheBudget()
    {
        MemoryStage f;
        const std::int64_t peak = f.document.model()->keepAll->peakBytes, half = peak / 2;
        QSignalSpy drags(&f.document, &Document::budgetDragChanged);
        f.document.setBudget(half);
        QTest::keyClick(&f.canvas, Qt::Key_Up);
        QVERIFY(std::abs(double(f.document.budgetBytes() - half) - double(peak) * 0.01) < 2);
        QTest::keyClick(&f.canvas, Qt::Key_Down, Qt::ShiftModifier);
        QVERIFY(std::abs(double(f.document.budgetBytes() - half) - double(peak) * 0.009) < 3);
        QTest::keyClick(&f.canvas, Qt::Key_End);
        QCOMPARE(f.document.budgetBytes(), peak);
        QTest::keyClick(&f.canvas, Qt::Key_Up);
        QCOMPARE(f.document.budgetBytes(), peak);
        QTest::keyClick(&f.canvas, Qt::Key_Home);
        QCOMPARE(f.document.budgetBytes(), f.document.model()->floor.bytes);
        QCOMPARE(drags.count(), 10); // each key begins and ends
    }

    void budgetUnderTheFloorSaysSo()
    {
        MemoryStage f;
        auto *strip = f.view.findChild<MessageStrip *>();
        QVERIFY(!strip->isVisible());
        f.document.setBudget(f.document.model()->floor.bytes / 2);
        QVERIFY(strip->isVisible());
        QVERIFY(strip->sentence().startsWith(QStringLiteral("No plan fits ")));
        QVERIFY(strip->sentence().contains(OpLabels(f.graph()).op(f.graph(), f.document.model()->floor.op)));
        QTest::mouseClick(strip->findChild<QWidget *>(QStringLiteral("messageAction")), Qt::LeftButton);
        QCOMPARE(f.document.budgetBytes(), f.document.model()->floor.bytes);
        QVERIFY(!strip->isVisible());
    }

    void clickSelects()
    {
        MemoryStage f;
        f.canvas.setPeakPinned(false);
        const std::size_t sample = f.timeline().op.size() / 3;
        const studio::MemoryLayout layout = f.canvas.layout();
        QTest::mouseClick(&f.canvas, Qt::LeftButton, {}, {f.at(sample).x(), int(layout.lanes[0].center().y())});
        QCOMPARE(f.document.selection().op,
                 f.timeline().op[f.canvas.scene().axis().sampleAt(layout.x.value(f.at(sample).x()))]);

        const QPoint inStack = f.at(sample, double(f.timeline().totalBytes[sample]) * 0.4);
        QTest::mouseClick(&f.canvas, Qt::LeftButton, Qt::ControlModifier, inStack);
        const Selection selection = f.document.selection();
        QVERIFY(selection.storage);
        QVERIFY(!f.canvas.scene().storageSpans(f.document.selection().storage).empty());
        QCOMPARE(selection.op, f.graph().storage(selection.storage).producer);

        QTest::mouseClick(&f.canvas, Qt::LeftButton, {}, {int(layout.plot.right()) - 3, int(layout.plot.top()) + 6});
        QCOMPARE(f.document.selection(), Selection());
    }

    void popoverSelectsStorages()
    {
        MemoryStage f({1272, 620}); // with room for all rows
        const MemoryLook look = f.canvas.look();
        QVERIFY(look.peakOpen);
        const std::vector<PeakRow> &rows = f.canvas.scene().peakRows();
        for (int row = 0; row < int(rows.size()); ++row) {
            f.document.clearSelection();
            QTest::mouseClick(&f.canvas, Qt::LeftButton, {}, peakPopoverRow(look, row).center().toPoint());
            QCOMPARE(f.document.selection().storage, rows[std::size_t(row)].storage);
        }
        QTest::mouseClick(&f.canvas, Qt::LeftButton, {}, peakMarker(look).center().toPoint());
        QVERIFY(!f.canvas.peakPinned());
    }

    /// To find room beside the curves reads every sample: not done anew for each step of a drag of the budget.
    void placesOutliveTheBudget()
    {
        MemoryStage f({1272, 620});
        const QRectF name = keepAllName(f.canvas.look()), box = peakPopover(f.canvas.look());
        QVERIFY(!name.isEmpty() && !box.isEmpty());
        const auto places = f.canvas.look().places;
        QVERIFY(places->keepAllName && places->popover);
        for (int percent = 90; percent > 50; percent -= 10) {
            f.document.setBudget(f.document.model()->keepAllPeakBytes * percent / 100);
            QCOMPARE(f.canvas.look().places, places);
        }
        f.document.setCursor(f.timeline().timeUs / 2);
        QVERIFY(f.canvas.look().places != places && !f.canvas.look().places->popover);
        f.document.setCursor(-1);
        QCOMPARE(peakPopover(f.canvas.look()), box);
        f.canvas.resize(900, 620);
        QVERIFY(keepAllName(f.canvas.look()) != name);
    }

    /// The popover never hides the curve, keep-all's name or the cursor, wherever that is.
    void popoverHidesNothing_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::newRow("usual") << QSize(1272, 334);
        QTest::newRow("narrow") << QSize(900, 280);
        QTest::newRow("high") << QSize(1600, 700);
    }
    void popoverHidesNothing()
    {
        QFETCH(QSize, size);
        MemoryStage f(size);
        for (int part = -1; part < 40; ++part) {
            f.document.setCursor(part < 0 ? -1 : f.timeline().timeUs * part / 40);
            const MemoryLook look = f.canvas.look();
            const QRectF box = peakPopover(look);
            if (box.isEmpty()) continue;
            QVERIFY(look.layout.plot.contains(box));
            QVERIFY(!box.intersects(keepAllName(look)) && !box.intersects(peakMarker(look)));
            const double cursor = look.layout.x.pixel(look.scene.axis().ofTime(f.document.cursorUs()));
            QVERIFY(part < 0 || cursor < box.left() || cursor > box.right());
            const SampleAxis &axis = look.scene.axis();
            for (std::size_t i = 0; i < axis.count(); ++i) {
                const double x = look.layout.x.pixel(axis.edges()[i]);
                if (x > box.left() && x < box.right())
                    QVERIFY(look.layout.y.pixel(double(f.timeline().totalBytes[i])) > box.bottom());
            }
        }
        QVERIFY2(size.height() < 600 || !peakPopover(f.canvas.look()).isEmpty(), "where there is room it is shown");
    }

    /// A click on an area selects the storage that lies there, and its band is where it was clicked.
    void aClickOnAnAreaSelectsItsStorage()
    {
        MemoryStage f;
        const std::size_t sample = f.timeline().peakSample;
        const double height = double(f.timeline().totalBytes[sample]) * 0.4;
        QTest::mouseClick(&f.canvas, Qt::LeftButton, {}, f.at(sample, height));
        const StorageId storage = f.document.selection().storage;
        QVERIFY(storage);
        const StorageHeights &heights = f.canvas.scene().heights(storage);
        QVERIFY(heights.bottomBytes[sample] <= qint64(height * 1.02) &&
                heights.topBytes[sample] >= qint64(height * 0.98));
        QCOMPARE(heights.topBytes[sample] - heights.bottomBytes[sample], f.graph().storage(storage).bytes);
        // Every storage alive there has its own place in the stack, and together they fill it without the workspace.
        qint64 sum = 0;
        for (const LiveRange &range : aliveAt(f.graph(), f.timeline(), sample)) {
            const StorageHeights own = storageHeights(f.graph(), f.timeline(), range.storage);
            sum += own.topBytes[sample] - own.bottomBytes[sample];
        }
        QCOMPARE(sum, f.timeline().totalBytes[sample] -
                          f.timeline().bytes[static_cast<std::size_t>(Category::Workspace)][sample]);
    }

    /// The rest opens as a list in which every storage can be found.
    void theRestOpens()
    {
        MemoryStage f;
        f.canvas.setGrouping(Grouping::Storage, 5);
        const std::int64_t others = f.canvas.scene().bands().others;
        QVERIFY(others > 10);
        // Anywhere above the bands and below the top of the stack.
        const studio::MemoryLayout layout = f.canvas.layout();
        const auto isRest = [&](QPoint point) {
            const std::size_t sample = f.canvas.scene().axis().sampleAt(layout.x.value(point.x()));
            const double bytes = layout.y.value(point.y());
            return bytes < double(f.timeline().totalBytes[sample]) && bytes > 0 &&
                   !f.canvas.scene().storageAt(sample, qint64(bytes));
        };
        QPoint rest;
        for (int x = int(layout.plot.left()) + 20; x < layout.plot.right() - 20 && rest.isNull(); x += 7)
            for (int y = int(layout.plot.top()) + 30; y < layout.plot.bottom() - 4 && rest.isNull(); y += 3)
                if (isRest({x, y}) && isRest({x, y + 3})) rest = {x, y};
        QVERIFY(!rest.isNull());
        QTest::mouseClick(&f.canvas, Qt::LeftButton, {}, rest);
        auto *list = f.canvas.findChild<AliveList *>();
        QVERIFY(list && list->isVisible());
        QCOMPARE(qint64(list->model()->rowCount()), others);
        auto *search = list->findChild<QLineEdit *>();
        const QString name = list->model()->index(list->model()->rowCount() - 1, AliveTable::Name).data().toString();
        QTest::keyClicks(search, name);
        QVERIFY(list->model()->rowCount() >= 1 && list->model()->rowCount() < others);
        const StorageId found = list->model()->storageAt(0);
        QTest::keyClick(search, Qt::Key_Return);
        QCOMPARE(f.document.selection().storage, found);
        // It has a band now, which can be seen.
        const auto &bands = f.canvas.scene().bands().bands;
        QVERIFY(std::any_of(bands.begin(), bands.end(), [&](const auto &band) { return band.storage == found; }));
    }

    void wheelZoomsAroundTheMouse()
    {
        MemoryStage f;
        const QPoint at(500, 150);
        const double before = f.canvas.layout().x.value(at.x());
        fixture::turnWheel(f.canvas, at, 4);
        QVERIFY(f.canvas.viewport().width() < f.canvas.viewport().length / 2);
        QVERIFY(std::abs(f.canvas.layout().x.value(at.x()) - before) < 1e-6 * f.canvas.viewport().length);
        fixture::turnWheel(f.canvas, at, 400);
        QVERIFY(f.canvas.viewport().width() > 0);
        fixture::turnWheel(f.canvas, at, -900);
        QVERIFY(f.canvas.viewport().all());
        fixture::turnWheel(f.canvas, at, 5);
        QTest::keyClick(&f.canvas, Qt::Key_F);
        QVERIFY(f.canvas.viewport().all());
        fixture::turnWheel(f.canvas, at, 5);
        QTest::mouseDClick(&f.canvas, Qt::LeftButton, {}, at);
        QVERIFY(f.canvas.viewport().all());
    }

    void backgroundAndBrushPan()
    {
        MemoryStage f;
        fixture::turnWheel(f.canvas, {500, 150}, 5);
        const Viewport before = f.canvas.viewport();
        const QPoint from(700, 190);
        QTest::mousePress(&f.canvas, Qt::LeftButton, {}, from);
        move(f.canvas, from - QPoint(60, 0), Qt::LeftButton);
        QTest::mouseRelease(&f.canvas, Qt::LeftButton, {}, from - QPoint(60, 0));
        QVERIFY(f.canvas.viewport().from > before.from);
        QVERIFY(!f.document.selection().op); // a drag is no click

        const studio::MemoryLayout layout = f.canvas.layout();
        const QRectF brush = layout.time.brush(f.canvas.viewport());
        const QPoint edge(int(std::lround(brush.right())), int(brush.center().y()));
        QTest::mousePress(&f.canvas, Qt::LeftButton, {}, edge);
        move(f.canvas, edge + QPoint(80, 0), Qt::LeftButton);
        QTest::mouseRelease(&f.canvas, Qt::LeftButton, {}, edge + QPoint(80, 0));
        QVERIFY(std::abs(f.canvas.layout().time.brush(f.canvas.viewport()).right() - brush.right() - 80) < 1.5);

        QTest::mouseClick(&f.canvas, Qt::LeftButton, {}, {int(layout.minimap.right()) - 40, edge.y()});
        QVERIFY(f.canvas.viewport().to > before.to);
        const double left = f.canvas.viewport().from;
        QTest::keyClick(&f.canvas, Qt::Key_A);
        QVERIFY(f.canvas.viewport().from < left);
        QTest::keyClick(&f.canvas, Qt::Key_D);
        QVERIFY(std::abs(f.canvas.viewport().from - left) < 1e-6 * before.length);
        const double width = f.canvas.viewport().width();
        QTest::keyClick(&f.canvas, Qt::Key_W);
        QVERIFY(f.canvas.viewport().width() < width);
    }

    void cursorIsShared()
    {
        MemoryStage f;
        f.canvas.setPeakPinned(false);
        const std::size_t sample = f.timeline().op.size() / 2;
        move(f.canvas, f.at(sample, 0) - QPoint(0, 3));
        const double time = f.document.cursorUs();
        QVERIFY(std::abs(time - (f.timeline().startUs[sample] + f.timeline().endUs[sample]) / 2) <
                f.canvas.viewport().length / 1000);
        QCOMPARE(readoutOf(f.canvas.scene()).title, QStringLiteral("At the cursor"));
        QCOMPARE(readoutOf(f.canvas.scene()).bytes,
                 bytesText(f.timeline().totalBytes[f.canvas.scene().readoutSample()], Rounding::Up));
        QTest::keyClick(&f.canvas, Qt::Key_Right);
        QVERIFY(f.document.cursorUs() > time);
        QEvent leave(QEvent::Leave);
        QCoreApplication::sendEvent(&f.canvas, &leave);
        QVERIFY(f.document.cursorUs() < 0);
        QCOMPARE(f.canvas.scene().readoutSample(), f.timeline().peakSample);
    }

    void axisDoesNotShrinkWhileDragging()
    {
        MemoryStage f;
        const double length = f.canvas.viewport().length;
        QTest::mousePress(&f.canvas, Qt::LeftButton, {}, f.budgetPoint());
        const Graph &graph = f.graph();
        f.document.addPlan(fixture::planEntry(*f.document.model(), keepAllPlan(graph).steps, f.document.nextPlanId()));
        QCOMPARE(f.canvas.viewport().length, length);
        QTest::mouseRelease(&f.canvas, Qt::LeftButton, {}, f.budgetPoint());
        QVERIFY(f.canvas.viewport().length < length);
    }

    void zoomStaysWhenThePlanChanges()
    {
        MemoryStage f;
        fixture::turnWheel(f.canvas, {500, 150}, 5);
        const Viewport before = f.canvas.viewport();
        f.document.addPlan(
            fixture::planEntry(*f.document.model(), keepAllPlan(f.graph()).steps, f.document.nextPlanId()));
        QCOMPARE(f.canvas.viewport().from, before.from);
        QCOMPARE(f.canvas.viewport().to, before.to);
    }

    void rangeIsMeasured()
    {
        MemoryStage f;
        const MemoryTimeline &line = f.timeline();
        const auto check = [&](Span range) {
            const RangeFigures found = f.canvas.scene().rangeFigures(range);
            const SampleAxis &axis = f.canvas.scene().axis();
            const double from = axis.toTime(range.from), to = axis.toTime(range.to);
            // By hand: every computation with a part inside, every copy made or freed between its first and its end.
            std::int64_t ops = 0, most = 0, made = 0, freed = 0;
            double again = 0, sum = 0;
            std::int32_t first = -1, end = 0;
            for (std::size_t i = 0; i < line.op.size(); ++i) {
                const double ends = i + 1 < line.op.size() ? line.startUs[i + 1] : line.timeUs;
                if (ends <= from || line.startUs[i] >= to) continue;
                if (first < 0) first = i == 0 ? 0 : line.step[i];
                end = i + 1 < line.op.size() ? line.step[i + 1]
                                             : std::int32_t(f.document.currentPlan()->plan->steps.size());
                ++ops;
                most = std::max(most, line.totalBytes[i]);
                const double inside = std::min(ends, to) - std::max(line.startUs[i], from);
                sum += inside * double(line.totalBytes[i]);
                if (line.recompute[i])
                    again += std::max(0.0, std::min(line.endUs[i], to) - std::max(line.startUs[i], from));
            }
            for (const LiveRange &live : line.ranges)
                if (live.firstStep >= first && live.firstStep < end) made += f.graph().storage(live.storage).bytes;
            const std::vector<Step> &steps = f.document.currentPlan()->plan->steps;
            for (std::int32_t step = first; step < end; ++step) {
                if (steps[std::size_t(step)].kind == StepKind::Free)
                    freed += f.graph().storage(steps[std::size_t(step)].storage).bytes;
            }
            QCOMPARE(found.computations(), ops);
            QCOMPARE(found.steps, std::int64_t(end - first));
            QCOMPARE(found.maxBytes, most);
            QCOMPARE(found.allocatedBytes, made);
            QCOMPARE(found.freedBytes, freed);
            QVERIFY(std::abs(found.recomputeUs - again) < 1e-6);
            QVERIFY(std::abs(found.timeUs - (to - from)) < 1e-6);
            QVERIFY(std::abs(found.meanBytes * (to - from) - sum) <= 1e-6 * std::abs(sum) + 1);
        };
        const double whole = line.timeUs;
        for (const double part : {0.0, 0.13, 0.5, 0.77})
            for (const double length : {0.001, 0.1, 0.2})
                check({part * whole, (part + length) * whole});
        check({0, whole});
        f.canvas.setAxisKind(AxisKind::Steps);
        check({10, 40});
        QCOMPARE(f.canvas.scene().rangeFigures({-5, 0}).computations(), std::int64_t(0));
    }

    void dragChoosesARange()
    {
        MemoryStage f;
        const studio::MemoryLayout layout = f.canvas.layout();
        const auto drag = [&](QPoint from, QPoint to, Qt::KeyboardModifiers modifiers) {
            QTest::mousePress(&f.canvas, Qt::LeftButton, modifiers, from);
            move(f.canvas, to, Qt::LeftButton);
            QTest::mouseRelease(&f.canvas, Qt::LeftButton, modifiers, to);
        };
        const int labels = int(layout.timeLabels.center().y());
        QVERIFY(readoutOf(f.canvas.scene(), f.document.time().range()).range.empty());
        drag({300, labels}, {420, labels}, {});
        QVERIFY(f.document.time().range());
        const Readout readout = readoutOf(f.canvas.scene(), f.document.time().range());
        QCOMPARE(readout.range.front().second,
                 timeText(f.canvas.scene().rangeFigures(*f.document.time().range()).timeUs));
        QTest::keyClick(&f.canvas, Qt::Key_Escape);
        QVERIFY(!f.document.time().range());
        drag({300, 250}, {360, 200}, Qt::ShiftModifier);
        QVERIFY(f.document.time().range());
        QVERIFY(f.canvas.viewport().all());
        QTest::mouseClick(&f.canvas, Qt::LeftButton, {}, {300, labels}); // a click on the axis clears it
        QVERIFY(!f.document.time().range());
        QTest::mouseClick(f.view.header()->ruler(), Qt::LeftButton);
        drag({500, 240}, {560, 240}, {});
        QVERIFY(f.document.time().range());
        const std::int64_t budget = f.document.budgetBytes();
        drag(f.budgetPoint(), f.budgetPoint() + QPoint(60, 30), {}); // over the line too
        QCOMPARE(f.document.budgetBytes(), budget);
        f.document.time().setMeasuring(false);
        // Keys of the selection: its life as a range, producer and consumer.
        f.document.selectOp(f.timeline().op[12]);
        QVERIFY(rangeOfSelection(f.document));
        const OpId before = f.document.selection().op;
        QVERIFY(followConsumer(f.document));
        QVERIFY(f.document.selection().op != before);
        QVERIFY(followProducer(f.document));
    }

    void tableIsOfTheRange()
    {
        MemoryStage f;
        TimelineTable &table = *f.view.table();
        QAbstractItemModelTester tester(&table);
        const int all = int(f.timeline().op.size());
        QCOMPARE(table.rowCount(), all);
        const auto &edges = f.canvas.scene().axis().edges();
        f.document.time().setRange({edges[10], edges[25]});
        QCOMPARE(table.rowCount(), 15);
        QCOMPARE(table.index(0, TimelineTable::Step).data(TimelineTable::kValueRole).toLongLong(),
                 qint64(f.timeline().step[10]));
        QCOMPARE(table.index(14, TimelineTable::Step).data(TimelineTable::kValueRole).toLongLong(),
                 qint64(f.timeline().step[24]));
        f.document.time().clearRange();
        QCOMPARE(table.rowCount(), all);
    }

    void everythingAliveAtThePeak()
    {
        MemoryStage f({1272, 620});
        const MemoryLook look = f.canvas.look();
        const auto &rows = f.canvas.scene().peakRows();
        const int last = int(rows.size()) - 1;
        QVERIFY(!rows.back().storage);
        move(f.canvas, peakPopoverRow(look, 0).center().toPoint());
        QCOMPARE(f.document.hover().storage, rows.front().storage);
        QTest::mouseClick(&f.canvas, Qt::LeftButton, {}, peakPopoverRow(look, last).center().toPoint());
        auto *list = f.canvas.findChild<AliveList *>();
        QVERIFY(list && list->isVisible());
        QAbstractItemModelTester tester(list->model());
        qint64 sum = 0;
        for (int row = 0; row < list->model()->rowCount(); ++row)
            sum += list->model()->index(row, AliveTable::Bytes).data(AliveTable::kValueRole).toLongLong();
        QCOMPARE(sum, f.timeline().totalBytes[f.timeline().peakSample]);
        const StorageId second = list->model()->storageAt(1);
        list->view()->setCurrentIndex(list->model()->index(1, 0));
        QTest::keyClick(list->view(), Qt::Key_Return);
        QCOMPARE(f.document.selection().storage, second);
        QVERIFY(!list->isVisible());
        QTest::keyClick(&f.canvas, Qt::Key_P, Qt::ShiftModifier);
        QVERIFY(f.canvas.findChildren<AliveList *>().back()->isVisible());
        f.canvas.findChildren<AliveList *>().back()->close();
    }

    void hiddenItWaits()
    {
        MemoryStage f;
        f.view.hide();
        QSignalSpy scenes(&f.canvas, &MemoryCanvas::sceneChanged);
        f.document.addPlan(
            fixture::planEntry(*f.document.model(), keepAllPlan(f.graph()).steps, f.document.nextPlanId()));
        QCOMPARE(scenes.count(), 0);
        QCOMPARE(&f.canvas.scene().timeline(), f.document.timeline().get()); // asked for, it is there
        f.view.show();
        QCOMPARE(f.canvas.viewport().to, f.document.time().view().to);
    }
};

QTEST_MAIN(TestMemoryByHand)
#include "tst_memory_by_hand.moc"
