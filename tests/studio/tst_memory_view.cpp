// SPDX-License-Identifier: Apache-2.0
// The memory view: what it shows, what mouse and keys do, and what it looks like.
#include "app/studio/views/memory/memory_view.h"

#include "app/studio/base/style/theme.h"
#include "app/studio/base/text/op_labels.h"
#include "app/studio/base/text/text.h"
#include "app/studio/base/widgets/message_strip.h"
#include "app/studio/views/memory/alive_list.h"
#include "tests/studio/golden.h"
#include "tests/studio/memory_fixture.h"
#include "tests/support/thread_time.h"

#include <QAbstractItemModelTester>
#include <QDir>
#include <QFile>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <QWheelEvent>

#include <cmath>
#include <functional>
#include <limits>

using namespace remat;
using namespace remat::studio;

namespace {

/// A view on a document of twelve layers.
struct MemoryFixture {
    Document document;
    MemoryView view{&document};
    MemoryCanvas &canvas = *view.canvas();

    explicit MemoryFixture(QSize size = {1272, 334}, bool filled = true)
    {
        if (filled) fixture::fill(document, fixture::memoryGraph(12));
        view.resize(size);
        view.show();
        QTest::qWait(0);
    }
    const MemoryTimeline &timeline() const { return *document.currentPlan()->timeline; }
    const Graph &graph() const { return document.model()->graph(); }
    QPoint budgetPoint() const
    {
        return {700, static_cast<int>(std::lround(canvas.layout().budgetY(document.budgetBytes())))};
    }
    /// The middle of a sample, at a height in bytes.
    QPoint at(std::size_t sample, double bytes = 0) const
    {
        const auto &edges = canvas.scene().axis().edges();
        const studio::MemoryLayout layout = canvas.layout();
        return QPointF(layout.x.pixel((edges[sample] + edges[sample + 1]) / 2), layout.y.pixel(bytes)).toPoint();
    }
};

void move(QWidget &widget, QPoint to, Qt::MouseButtons buttons = Qt::NoButton)
{
    QMouseEvent event(QEvent::MouseMove, QPointF(to), widget.mapToGlobal(QPointF(to)), Qt::NoButton, buttons,
                      Qt::NoModifier);
    QCoreApplication::sendEvent(&widget, &event);
}

QImage grabbed(QWidget &widget, double ratio)
{
    QImage image((QSizeF(widget.size()) * ratio).toSize(), QImage::Format_RGB32);
    image.setDevicePixelRatio(ratio);
    widget.render(&image);
    return image;
}

} // namespace

class TestMemoryView : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        Theme::instance().setScheme(Scheme::Light);
        Theme::instance().apply();
    }

    void axisByTimeAndBySteps()
    {
        MemoryFixture f;
        const SampleAxis time(f.timeline(), AxisKind::Time), steps(f.timeline(), AxisKind::Steps);
        QCOMPARE(time.length(), f.timeline().timeUs);
        QCOMPARE(steps.length(), double(f.timeline().step.back() + 1));
        for (std::size_t i = 0; i < steps.count(); ++i) {
            const double middle = (f.timeline().startUs[i] + f.timeline().endUs[i]) / 2;
            QCOMPARE(time.sampleAt(middle), i);
            QCOMPARE(steps.sampleAt(steps.ofTime(middle)), i);
            QVERIFY(std::abs(steps.toTime(steps.ofTime(middle)) - middle) < 1e-6);
        }
        QCOMPARE(time.sampleAt(-5), std::size_t(0));
        QCOMPARE(time.sampleAt(1e12), time.count() - 1);
    }

    void phasesFollowEachOther()
    {
        MemoryFixture f;
        const std::vector<PhaseSpan> phases = f.canvas.scene().phases();
        QCOMPARE(phases.size(), std::size_t(3));
        QCOMPARE(phases[0].from, 0.0);
        QCOMPARE(phases[0].to, phases[1].from);
        QCOMPARE(phases[1].to, phases[2].from);
        QCOMPARE(phases[2].to, f.timeline().timeUs);
    }

    void peakRowsAddUpToThePeak()
    {
        MemoryFixture f;
        const std::vector<PeakRow> &rows = f.canvas.scene().peakRows();
        QCOMPARE(rows.size(), std::size_t(5));
        std::int64_t sum = 0;
        for (const PeakRow &row : rows)
            sum += row.bytes;
        QCOMPARE(sum, f.timeline().peakBytes);
        for (std::size_t i = 1; i < 4; ++i)
            QVERIFY(rows[i].bytes <= rows[i - 1].bytes);
        QVERIFY(rows.back().name.endsWith(QStringLiteral(" more")));
    }

    void storageUnderTheMouseIsInItsBand()
    {
        MemoryFixture f;
        const MemoryTimeline &line = f.timeline();
        for (std::size_t sample = 0; sample < line.op.size(); sample += 7) {
            std::int64_t below = 0;
            for (std::size_t category = 0; category + 1 < kCategoryCount; ++category) {
                const std::int64_t band = line.bytes[category][sample];
                if (band == 0) continue;
                const StorageId storage = f.canvas.scene().storageAt(sample, below + band / 2);
                QVERIFY(storage);
                const auto alive = aliveAt(f.graph(), line, sample);
                QVERIFY(std::any_of(alive.begin(), alive.end(), [&](const LiveRange &range) {
                    return range.storage == storage && std::size_t(range.category) == category;
                }));
                below += band;
            }
            QVERIFY(!f.canvas.scene().storageAt(sample, line.totalBytes[sample] + 1));
        }
    }

    void budgetFollowsTheMouse()
    {
        MemoryFixture f;
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
        MemoryFixture f;
        const QPoint handle = f.canvas.layout().budgetHandle(f.document.budgetBytes()).center().toPoint();
        QTest::mousePress(&f.canvas, Qt::LeftButton, {}, handle);
        const std::int64_t before = f.document.budgetBytes();
        move(f.canvas, handle - QPoint(0, 10), Qt::LeftButton);
        QVERIFY(f.document.budgetBytes() > before);
        QTest::mouseRelease(&f.canvas, Qt::LeftButton, {}, handle);
    }

    void keysMoveTheBudget()
    {
        MemoryFixture f;
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
        MemoryFixture f;
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

    void theOverviewGoesBeforeThePlotIsCut()
    {
        bool cameBack = false;
        for (int height = 116; height < 200; height += 4) {
            MemoryFixture f({900, 500});
            f.canvas.resize(900, height);
            const studio::MemoryLayout layout = f.canvas.layout();
            QVERIFY(layout.plot.height() >= 30);
            QVERIFY2(layout.timeLabels.bottom() <= height, qPrintable(QString::number(height)));
            QVERIFY(layout.minimap.isEmpty() || layout.minimap.bottom() < height);
            QVERIFY(!cameBack || !layout.minimap.isEmpty());
            cameBack = !layout.minimap.isEmpty();
            QVERIFY(!f.canvas.grab().isNull());
        }
        QVERIFY(cameBack);
    }

    void clickSelects()
    {
        MemoryFixture f;
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
        MemoryFixture f({1272, 620}); // with room for all rows
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
        MemoryFixture f({1272, 620});
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
        MemoryFixture f(size);
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
        MemoryFixture f;
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
        MemoryFixture f;
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

    void recomputedStorageHasSeveralRanges()
    {
        MemoryFixture f;
        StorageId twice;
        for (const LiveRange &range : f.timeline().ranges)
            if (range.recomputed) twice = range.storage;
        QVERIFY(twice);
        f.document.selectStorage(twice);
        QCOMPARE(f.canvas.scene().storageSpans(f.document.selection().storage).size(), std::size_t(2));
        QCOMPARE(f.canvas.scene().opSpans(f.document.selection().op).size(), std::size_t(2));
        QVERIFY(!f.canvas.scene().opSpans(f.document.selection().op)[0].second &&
                f.canvas.scene().opSpans(f.document.selection().op)[1].second);
    }

    void wheelZoomsAroundTheMouse()
    {
        MemoryFixture f;
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
        MemoryFixture f;
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
        MemoryFixture f;
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

    void readoutSaysWhenItIsTooMuch()
    {
        MemoryFixture f;
        f.document.setBudget(f.timeline().peakBytes - 1024);
        const Readout readout = readoutOf(f.canvas.scene());
        QVERIFY(readout.over);
        QCOMPARE(readout.room, QStringLiteral("1.00 KiB"));
    }

    void stepsAreAnAxisToo()
    {
        MemoryFixture f;
        f.view.header()->axisChoice()->setCurrent(1);
        QCOMPARE(f.canvas.scene().axisKind(), AxisKind::Steps);
        QVERIFY(f.canvas.viewport().length > double(f.timeline().step.back()));
        f.canvas.setPeakPinned(false);
        const std::size_t sample = 40;
        QTest::mouseClick(&f.canvas, Qt::LeftButton, {}, f.at(sample, 0) + QPoint(0, 8));
        QCOMPARE(f.document.selection().op, f.timeline().op[sample]);
    }

    void keepAllIsAlignedByOps()
    {
        MemoryFixture f;
        f.canvas.setAxisKind(AxisKind::Steps);
        const SampleAxis &plan = f.canvas.scene().axis(), &keepAll = f.canvas.scene().keepAllAxis();
        QCOMPARE(keepAll.length(), plan.length());
        QVERIFY(std::is_sorted(keepAll.edges().begin(), keepAll.edges().end()));
        const MemoryTimeline &line = f.timeline();
        for (std::size_t i = 0; i < keepAll.count(); ++i) {
            const OpId op = f.canvas.scene().keepAll().op[i];
            const auto first = std::size_t(std::find(line.op.begin(), line.op.end(), op) - line.op.begin());
            QCOMPARE(keepAll.edges()[i], plan.edges()[first]);
        }
    }

    void axisDoesNotShrinkWhileDragging()
    {
        MemoryFixture f;
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
        MemoryFixture f;
        fixture::turnWheel(f.canvas, {500, 150}, 5);
        const Viewport before = f.canvas.viewport();
        f.document.addPlan(
            fixture::planEntry(*f.document.model(), keepAllPlan(f.graph()).steps, f.document.nextPlanId()));
        QCOMPARE(f.canvas.viewport().from, before.from);
        QCOMPARE(f.canvas.viewport().to, before.to);
    }

    void rangeIsMeasured()
    {
        MemoryFixture f;
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
        MemoryFixture f;
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
        MemoryFixture f;
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

    void phasesOfAnyOrder()
    {
        MemoryFixture f;
        const std::vector<PhaseSpan> &spans = f.canvas.scene().phases();
        QVERIFY(spans.size() >= 2);
        QCOMPARE(spans.front().phase, Phase::Forward);
        QCOMPARE(spans.front().from, 0.0);
        QCOMPARE(spans.back().phase, Phase::Backward);
        QCOMPARE(spans.back().to, f.canvas.scene().axis().length());
        // An op of the loss that is computed early does not make the forward pass "loss".
        MemoryTimeline line = *f.document.model()->keepAll;
        std::size_t loss = 0;
        while (loss < line.op.size() && f.graph().op(line.op[loss]).phase == Phase::Forward)
            ++loss;
        QVERIFY(loss < line.op.size());
        std::swap(line.op[3], line.op[loss]);
        const std::vector<PhaseSpan> moved = phaseSpans(f.graph(), line, SampleAxis(line, AxisKind::Steps));
        const auto forward = std::find_if(moved.begin(), moved.end(),
                                          [](const PhaseSpan &span) { return span.phase == Phase::Forward; });
        QVERIFY(forward != moved.end());
        QVERIFY(forward->to >= double(line.step[loss - 1]));
        // Phases mixed like cards have no stretch that is theirs, or a right one.
        std::vector<OpId> mixed;
        for (std::size_t i = 0; i < line.op.size() / 2; ++i) {
            mixed.push_back(line.op[i]);
            mixed.push_back(line.op[line.op.size() - 1 - i]);
        }
        mixed.resize(line.op.size(), line.op[line.op.size() / 2]);
        line.op = mixed;
        for (const PhaseSpan &span : phaseSpans(f.graph(), line, SampleAxis(line, AxisKind::Steps)))
            QVERIFY(span.to > span.from);
    }

    void bandsOfStorages()
    {
        MemoryFixture f;
        f.canvas.setFocus();
        QTest::keyClick(&f.canvas, Qt::Key_G);
        QCOMPARE(f.view.header()->groupingChoice()->current(), 1);
        QVERIFY(f.view.header()->detail()->isVisible());
        const auto &line = f.timeline();
        for (const int most : {5, 20, 60}) {
            f.view.header()->detail()->setValue(most);
            const StorageBands &bands = f.canvas.scene().bands();
            QVERIFY(int(bands.bands.size()) <= most);
            // The chosen have the largest areas of all that are ever alive.
            std::vector<double> area(f.graph().storages.size(), 0);
            for (const LiveRange &range : line.ranges) {
                double first = -1, end = -1;
                for (std::size_t i = 0; i < line.op.size(); ++i) {
                    if (line.step[i] < range.firstStep || line.step[i] > range.lastStep) continue;
                    if (first < 0) first = line.startUs[i];
                    end = line.endUs[i];
                }
                area[range.storage.index()] += (end - first) * double(f.graph().storage(range.storage).bytes);
            }
            std::vector<char> chosen(f.graph().storages.size(), 0);
            double smallest = std::numeric_limits<double>::infinity();
            for (const StorageBand &band : bands.bands) {
                chosen[band.storage.index()] = 1;
                smallest = std::min(smallest, area[band.storage.index()]);
            }
            for (std::size_t s = 0; s < area.size(); ++s)
                if (!chosen[s]) QVERIFY(area[s] <= smallest * (1 + 1e-9));
            // At every sample bands and rest add up to the total; a band's bytes are those of its live copies.
            std::vector<std::int32_t> samples(line.op.size());
            for (std::size_t i = 0; i < samples.size(); ++i)
                samples[i] = std::int32_t(i);
            const std::vector<BandColumns> columns = bandColumns(bands, samples, line.totalBytes);
            QCOMPARE(columns.size(), bands.bands.size() + 1);
            for (std::size_t i = 0; i < samples.size(); i += 3) {
                QCOMPARE(columns.back().topBytes[i], line.totalBytes[i]);
                for (std::size_t band = 0; band < bands.bands.size(); ++band) {
                    std::int64_t alive = 0;
                    for (const LiveRange &range : line.ranges)
                        if (range.storage == bands.bands[band].storage && range.firstStep <= line.step[i] &&
                            range.lastStep >= line.step[i])
                            alive += bands.bands[band].bytes;
                    QCOMPARE(columns[band].topBytes[i] - columns[band].bottomBytes[i], alive);
                    if (alive > 0) QCOMPARE(bandAt(bands, samples[i], columns[band].bottomBytes[i]), int(band));
                }
            }
        }
        // A click takes the band under the mouse, the mouse lights it.
        const std::size_t peak = line.peakSample;
        const StorageId lowest = f.canvas.scene().storageAt(peak, 0);
        QVERIFY(lowest);
        f.canvas.setPeakPinned(false);
        const QPoint at = f.at(peak, double(f.graph().storage(lowest).bytes) / 2);
        move(f.canvas, at);
        QCOMPARE(f.document.hover().storage, lowest);
        QTest::mouseClick(&f.canvas, Qt::LeftButton, {}, at);
        QCOMPARE(f.document.selection().storage, lowest);
        f.view.header()->groupingChoice()->setCurrent(0);
        QVERIFY(!f.view.header()->detail()->isVisible());
        QVERIFY(f.canvas.scene().bands().bands.empty());
    }

    void nothingOfTheModelBeforeIsMarked()
    {
        MemoryFixture f;
        const StorageId last(f.graph().storages.size() - 1);
        f.document.setHover({{}, last});
        f.document.selectStorage(last);
        QCOMPARE(f.canvas.scene().hover().storage, last);
        QSignalSpy hover(&f.document, &Document::hoverChanged);
        fixture::fill(f.document, fixture::memoryGraph(2));
        QVERIFY(f.graph().storages.size() <= last.index());
        QCOMPARE(hover.count(), 1);
        QVERIFY(f.canvas.scene().hover() == Selection{} && f.canvas.scene().selection() == Selection{});
        grabbed(f.view, 1);
    }

    void everythingAliveAtThePeak()
    {
        MemoryFixture f({1272, 620});
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

    void measuredPeakIsShown()
    {
        MemoryFixture f;
        const QImage before = f.canvas.picture(f.canvas.size(), 1);
        auto entry = std::make_shared<PlanEntry>(*f.document.currentPlan());
        auto plan = std::make_shared<Plan>(*entry->plan);
        plan->validated.emplace();
        plan->validated->measuredPeakBytes = entry->timeline->peakBytes / 100 * 93;
        entry->plan = plan;
        f.document.replacePlan(entry);
        QCOMPARE(f.canvas.scene().measuredPeakBytes(), plan->validated->measuredPeakBytes);
        const int y = int(f.canvas.layout().y.pixel(double(plan->validated->measuredPeakBytes)));
        const QImage after = f.canvas.picture(f.canvas.size(), 1);
        int different = 0;
        for (int x = 80; x < 1090; ++x)
            different += before.pixel(x, y) != after.pixel(x, y) ? 1 : 0;
        QVERIFY(different > 200);
    }

    /// What a run held while each op ran is a line over the stack, and a column of the table.
    void whatWasMeasuredIsALine()
    {
        MemoryFixture f;
        const QImage before = f.canvas.picture(f.canvas.size(), 1);
        const TimelineTable &table = *f.view.table();
        QVERIFY(!table.index(0, TimelineTable::Measured).data(TimelineTable::kValueRole).isValid());
        auto entry = std::make_shared<PlanEntry>(*f.document.currentPlan());
        auto plan = std::make_shared<Plan>(*entry->plan);
        plan->validated.emplace();
        const MemoryTimeline line = *entry->timeline;
        plan->validated->steps.resize(plan->steps.size());
        for (std::size_t i = 0; i < line.step.size(); ++i)
            plan->validated->steps[static_cast<std::size_t>(line.step[i])].heldBytes = line.totalBytes[i] / 2;
        entry->plan = plan;
        f.document.replacePlan(entry);
        QCOMPARE(f.canvas.scene().measuredBytes().size(), line.op.size());
        for (std::size_t i = 0; i < line.op.size(); ++i)
            QCOMPARE(table.index(int(i), TimelineTable::Measured).data(TimelineTable::kValueRole).toLongLong(),
                     line.totalBytes[i] / 2);
        const QImage after = f.canvas.picture(f.canvas.size(), 1);
        const QColor color = Theme::instance().color(Token::Ok);
        // Wherever a sample is wider than a few pixels its middle lies on the line.
        int on = 0, looked = 0;
        const SampleAxis &axis = f.canvas.scene().axis();
        for (std::size_t i = 0; i < line.op.size(); ++i) {
            const double from = f.canvas.layout().x.pixel(axis.edges()[i]),
                         to = f.canvas.layout().x.pixel(axis.edges()[i + 1]);
            if (to - from < 6) continue;
            ++looked;
            const int x = int((from + to) / 2),
                      y = int(std::lround(f.canvas.layout().y.pixel(double(line.totalBytes[i] / 2))));
            for (int near = y - 2; near <= y + 2; ++near)
                if (after.pixelColor(x, near) == color && before.pixelColor(x, near) != color) {
                    ++on;
                    break;
                }
        }
        QVERIFY(looked > 10);
        QVERIFY2(on > looked * 9 / 10, qPrintable(QStringLiteral("%1 of %2").arg(on).arg(looked)));
    }

    void hiddenItWaits()
    {
        MemoryFixture f;
        f.view.hide();
        QSignalSpy scenes(&f.canvas, &MemoryCanvas::sceneChanged);
        f.document.addPlan(
            fixture::planEntry(*f.document.model(), keepAllPlan(f.graph()).steps, f.document.nextPlanId()));
        QCOMPARE(scenes.count(), 0);
        QCOMPARE(&f.canvas.scene().timeline(), f.document.timeline().get()); // asked for, it is there
        f.view.show();
        QCOMPARE(f.canvas.viewport().to, f.document.time().view().to);
    }

    void tableSaysTheSame()
    {
        MemoryFixture f;
        QAbstractItemModelTester tester(f.view.table());
        TimelineTable &table = *f.view.table();
        QCOMPARE(table.rowCount(), int(f.timeline().op.size()));
        QCOMPARE(
            table.headerData(TimelineTable::FirstCategory + static_cast<int>(Category::KeptActivations), Qt::Horizontal)
                .toString(),
            QStringLiteral("Kept activations"));
        for (int row = 0; row < table.rowCount(); row += 11) {
            qint64 sum = 0;
            for (int category = 0; category < int(kCategoryCount); ++category)
                sum += table.index(row, TimelineTable::FirstCategory + category)
                           .data(TimelineTable::kValueRole)
                           .toLongLong();
            QCOMPARE(sum, table.index(row, TimelineTable::Total).data(TimelineTable::kValueRole).toLongLong());
            QCOMPARE(sum, f.timeline().totalBytes[std::size_t(row)]);
            QVERIFY(!table.index(row, TimelineTable::Operation).data().toString().isEmpty());
        }
        f.document.setModel(nullptr);
        QCOMPARE(table.rowCount(), 0);
    }

    void emptyViewOffersAWayOn()
    {
        MemoryFixture f({1272, 334}, false);
        QSignalSpy open(&f.view, &MemoryView::openRequested), solve(&f.view, &MemoryView::solveRequested);
        auto *button = f.view.findChild<QPushButton *>();
        QVERIFY(button->isVisible());
        QTest::mouseClick(button, Qt::LeftButton);
        QCOMPARE(open.count(), 1);
        QTest::keyClick(&f.canvas, Qt::Key_Up); // nothing to move, nothing to crash
        fixture::turnWheel(f.canvas, {300, 100}, 3);
        move(f.canvas, {300, 100});
        Model model;
        model.graph = fixture::memoryGraph(2);
        f.document.setModel(fixture::costedModel(std::move(model)));
        QVERIFY(button->isVisible());
        QTest::mouseClick(button, Qt::LeftButton);
        QCOMPARE(solve.count(), 1);
    }

    void oddGraphsArePainted()
    {
        MemoryFixture f({900, 220}, false);
        Graph none;
        none.name = "nothing";
        const Expected<Graph> empty = finishGraph(none);
        if (empty) {
            Model model;
            model.graph = *empty;
            f.document.setModel(fixture::costedModel(std::move(model)));
            f.canvas.picture({900, 188}, 1);
        }
        remat::test::GraphBuilder one; // one op of no time that makes nothing but an empty loss
        one.op({}, {{0, StorageKind::Activation, true, "loss"}}, 0);
        fixture::fill(f.document, one.finish());
        f.canvas.picture({900, 188}, 1);
        f.canvas.picture({60, 20}, 1);
        fixture::fill(f.document, remat::test::randomGraph(3, {.ops = 30, .joint = true}));
        f.canvas.picture({3000, 900}, 2);
    }

    void repaintIsFast()
    {
        // The work of a whole repaint must follow the width of the screen, not the length of the plan. Processor
        // time of this thread, so that other work on the machine does not count.
        const auto paint = [](int layers) {
            MemoryFixture f({1400, 334}, false);
            fixture::fill(f.document, fixture::memoryGraph(layers));
            double best = std::numeric_limits<double>::infinity();
            for (int i = 0; i < 12; ++i) {
                const double before = test::threadMs();
                f.canvas.picture(f.canvas.size(), 1);
                best = std::min(best, test::threadMs() - before);
            }
            return std::pair(f.timeline().op.size(), best);
        };
        const auto [fewSamples, few] = paint(26);
        const auto [manySamples, many] = paint(460);
        qInfo("%zu samples: %.2f ms, %zu samples: %.2f ms", fewSamples, few, manySamples, many);
        QVERIFY(manySamples > 15 * fewSamples);
        QVERIFY(many < 8 * few + 4);
    }

    void looksAsItDid_data()
    {
        QTest::addColumn<int>("scheme");
        QTest::addColumn<QSize>("size");
        QTest::addColumn<double>("ratio");
        QTest::newRow("light") << int(Scheme::Light) << QSize(1272, 334) << 1.0;
        QTest::newRow("dark") << int(Scheme::Dark) << QSize(1272, 334) << 1.0;
        QTest::newRow("contrast") << int(Scheme::HighContrast) << QSize(1272, 334) << 1.0;
        QTest::newRow("light_narrow") << int(Scheme::Light) << QSize(900, 280) << 1.0;
        QTest::newRow("dark_narrow") << int(Scheme::Dark) << QSize(900, 280) << 1.0;
        QTest::newRow("storages") << int(Scheme::Light) << QSize(1272, 334) << 1.0;
        QTest::newRow("storages_dark") << int(Scheme::Dark) << QSize(968, 280) << 1.0;
        QTest::newRow("fine") << int(Scheme::Dark) << QSize(968, 280) << 1.5;
    }
    void looksAsItDid()
    {
        QFETCH(int, scheme);
        QFETCH(QSize, size);
        QFETCH(double, ratio);
        Theme::instance().setScheme(Scheme(scheme));
        MemoryFixture f(size);
        f.document.selectStorage(f.canvas.scene().peakRows().front().storage);
        if (QByteArray(QTest::currentDataTag()).startsWith("storages")) {
            f.canvas.setGrouping(Grouping::Storage, 16);
            f.document.time().setRange({f.timeline().timeUs * 0.6, f.timeline().timeUs * 0.7});
        }
        const QString wrong = fixture::goldenDifference(
            grabbed(f.view, ratio),
            QStringLiteral("memory_view_%1.png").arg(QString::fromLatin1(QTest::currentDataTag())));
        Theme::instance().setScheme(Scheme::Light);
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
    }
};

QTEST_MAIN(TestMemoryView)
#include "tst_memory_view.moc"
