// SPDX-License-Identifier: Apache-2.0
// The address map: what it places where, replay, what mouse and keys do, and what it looks like.
#include "app/studio/base/text/text.h"
#include "app/studio/views/addresses/address_view.h"
#include "app/studio/work/document/time_window.h"
#include "core/addresses/layout.h"
#include "tests/studio/memory_fixture.h"
#include "tests/studio/window_fixture.h"

using namespace remat;
using namespace remat::studio;

namespace {

struct AddressFixture {
    QThreadPool pool;
    Document document;
    Replay replay{&document};
    AddressView view{&document, &replay, pool};
    AddressCanvas &canvas = *view.canvas();

    explicit AddressFixture(QSize size = {1272, 302}, int layers = 8)
    {
        if (layers > 0) fixture::fill(document, fixture::memoryGraph(layers));
        view.resize(size);
        view.show();
        wait();
    }
    void wait() { QTRY_VERIFY(!view.pending()); }
    const AddressMap &map() const { return *canvas.scene().map; }
    /// The block with the largest rectangle.
    std::size_t largest() const
    {
        std::size_t best = 0;
        double area = 0;
        for (std::size_t i = 0; i < map().blocks.size(); ++i) {
            const QRectF box = canvas.blockRect(i);
            if (box.width() * box.height() <= area || !map().blocks[i].storage) continue;
            area = box.width() * box.height();
            best = i;
        }
        return best;
    }
};

} // namespace

class TestAddressView : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { fixture::lightTheme(); }

    void blocksAreTheLayoutOfThePlan()
    {
        AddressFixture f;
        const auto model = f.document.model();
        const auto plan = f.document.currentPlan();
        const std::vector<MemoryInstance> instances = memoryInstances(model->graph(), *model->costs, plan->plan->steps);
        const remat::MemoryLayout layout = layOut(instances);
        QCOMPARE(f.map().heightBytes, layout.heightBytes);
        QCOMPARE(f.map().loadBytes, layout.loadBytes);
        // Nothing overlaps, and at every step the blocks add up to what the instances hold.
        const std::vector<AddressBlock> &blocks = f.map().blocks;
        const auto steps = static_cast<std::int32_t>(plan->plan->steps.size());
        for (std::int32_t step = 0; step < steps; step += 7) {
            std::vector<std::pair<std::int64_t, std::int64_t>> alive;
            std::int64_t held = 0, expected = 0;
            for (const AddressBlock &block : blocks) {
                if (block.firstStep > step || block.endStep <= step) continue;
                alive.emplace_back(block.offset, block.offset + block.bytes);
                held += block.bytes;
            }
            for (const MemoryInstance &instance : instances)
                if (instance.firstStep <= step && instance.endStep > step) expected += instance.bytes;
            QCOMPARE(held, expected);
            std::sort(alive.begin(), alive.end());
            for (std::size_t i = 1; i < alive.size(); ++i)
                QVERIFY(alive[i].first >= alive[i - 1].second);
            QCOMPARE(gapBytesAt(f.map(), step), alive.empty() ? 0 : alive.back().second - held);
        }
    }

    void categoriesAreThoseOfTheTimeline()
    {
        AddressFixture f;
        const MemoryTimeline &line = *f.document.timeline();
        for (std::size_t sample = 0; sample < line.op.size(); sample += 5) {
            std::array<std::int64_t, kCategoryCount> sums{};
            for (const AddressBlock &block : f.map().blocks)
                if (block.firstStep <= line.step[sample] && block.endStep > line.step[sample])
                    sums[static_cast<std::size_t>(block.category)] += block.bytes;
            for (std::size_t category = 0; category < kCategoryCount; ++category)
                QCOMPARE(sums[category], line.bytes[category][sample]);
        }
    }

    void offloadedStretchesAreTheirOwn()
    {
        // a is copied out while b is computed, freed, and brought back.
        remat::test::GraphBuilder builder;
        const OpId first = builder.op({}, {{1024, StorageKind::Activation, false, "a"}}, 10);
        builder.op({}, {{64, StorageKind::Activation, false, "b"}}, 10);
        builder.op({builder.output(first)}, {{64, StorageKind::Activation, false, "c"}}, 10);
        Graph graph = builder.finish();
        QVERIFY(!graph.storages.empty());
        const StorageId a(graph.ops[0].outputs[0].index());
        Model model;
        model.graph = graph;
        const auto costed = fixture::costedModel(std::move(model));
        Plan plan;
        plan.steps = {Step::compute(OpId(0)), Step::offload(a),       Step::compute(OpId(1)), Step::free(a),
                      Step::prefetch(a),      Step::compute(OpId(2)), Step::free(a)};
        const auto timeline = buildTimeline(costed->graph(), *costed->costs, plan.steps);
        QVERIFY(timeline.has_value());
        const auto map = makeAddressMap(*costed, plan, *timeline);
        std::int32_t covered = 0;
        bool offloaded = false;
        for (const AddressBlock &block : map->blocks) {
            covered += block.endStep - block.firstStep;
            offloaded = offloaded || block.category == Category::Offloaded;
            QVERIFY(block.endStep > block.firstStep);
        }
        QVERIFY(offloaded);
        std::int32_t expected = 0;
        for (const MemoryInstance &instance : memoryInstances(costed->graph(), *costed->costs, plan.steps))
            expected += instance.endStep - instance.firstStep;
        QCOMPARE(covered, expected);
    }

    void clickSelectsTheStorage()
    {
        AddressFixture f;
        const std::size_t block = f.largest();
        const QPoint at = f.canvas.blockRect(block).center().toPoint();
        QCOMPARE(std::size_t(f.canvas.blockAt(at)), block);
        fixture::move(f.canvas, at);
        QCOMPARE(f.document.hover().storage, f.map().blocks[block].storage);
        QVERIFY(f.document.cursorUs() >= 0);
        QTest::mouseClick(&f.canvas, Qt::LeftButton, {}, at);
        QCOMPARE(f.document.selection().storage, f.map().blocks[block].storage);
        QCOMPARE(f.canvas.blockAt({100, 2}), -1);
    }

    void replayGoesThroughThePlan()
    {
        AddressFixture f;
        Replay &player = f.replay;
        const SampleAxis &axis = f.document.time().axes().plan;
        const auto sample = [&] { return axis.sampleAt(axis.ofTime(f.document.cursorUs())); };
        f.canvas.setFocus();
        QTest::keyClick(&f.canvas, Qt::Key_Space);
        QVERIFY(player.playing());
        QCOMPARE(sample(), std::size_t(0));
        player.setStepsPerSecond(10);
        player.advance(0.25);
        QCOMPARE(sample(), std::size_t(2));
        player.advance(0.1);
        QCOMPARE(sample(), std::size_t(3));  // half a step was owed
        fixture::move(f.canvas, {900, 100}); // while it plays the mouse does not move the cursor
        QCOMPARE(sample(), std::size_t(3));
        QTest::keyClick(&f.canvas, Qt::Key_Space);
        QVERIFY(!player.playing());
        QTest::keyClick(&f.canvas, Qt::Key_Period);
        QCOMPARE(sample(), std::size_t(4));
        player.step(-1);
        QCOMPARE(sample(), std::size_t(3));
        auto *play = f.view.header()->findChild<QToolButton *>(QStringLiteral("replayPlay"));
        f.view.header()->show();
        QTest::mouseClick(play, Qt::LeftButton);
        QVERIFY(player.playing());
        player.advance(1e6);
        QVERIFY(!player.playing());
        QCOMPARE(sample(), axis.count() - 1);
        player.play(); // from the end: again from the start
        QCOMPARE(sample(), std::size_t(0));
        f.document.setModel(nullptr);
        QVERIFY(!player.playing());
        player.step(1);
        player.play();
        QVERIFY(!player.playing());
    }

    void mapsAreKept()
    {
        AddressFixture f;
        const auto first = f.canvas.scene().map;
        const int id = f.document.currentPlan()->id;
        const auto model = f.document.model();
        f.document.addPlan(fixture::planEntry(*model, keepAllPlan(model->graph()).steps, f.document.nextPlanId()));
        QVERIFY(f.view.pending());
        QVERIFY(!f.canvas.scene().current); // the one before, greyed
        f.wait();
        QVERIFY(f.canvas.scene().map != first);
        QVERIFY(f.canvas.scene().current);
        f.document.setCurrentPlan(id);
        QVERIFY(!f.view.pending());
        QCOMPARE(f.canvas.scene().map, first);
    }

    void hiddenItLaysNothingOut()
    {
        AddressFixture f;
        f.view.hide();
        const auto model = f.document.model();
        f.document.addPlan(fixture::planEntry(*model, keepAllPlan(model->graph()).steps, f.document.nextPlanId()));
        QVERIFY(!f.view.pending());
        f.view.show();
        QVERIFY(f.view.pending());
        f.wait();
        QCOMPARE(f.view.header()->summary().isEmpty(), false);
        QVERIFY(f.view.header()->summary().contains(bytesText(f.map().heightBytes, Rounding::Up)));
    }

    void emptyViewOffersAWayOn()
    {
        AddressFixture f({1000, 300}, 0);
        QSignalSpy open(&f.view, &TimeView::openRequested), solve(&f.view, &TimeView::solveRequested);
        auto *button = f.view.findChild<QPushButton *>();
        QVERIFY(button->isVisible());
        QTest::mouseClick(button, Qt::LeftButton);
        QCOMPARE(open.count(), 1);
        fixture::move(f.canvas, {300, 100});
        QTest::keyClick(&f.canvas, Qt::Key_Space);
        Model model;
        model.graph = fixture::memoryGraph(2);
        f.document.setModel(fixture::costedModel(std::move(model)));
        QTest::mouseClick(button, Qt::LeftButton);
        QCOMPARE(solve.count(), 1);
        f.canvas.picture({900, 250}, 1);
    }

    void tableSaysTheSame()
    {
        AddressFixture f;
        AddressTable &table = *f.view.table();
        QAbstractItemModelTester tester(&table);
        QCOMPARE(table.rowCount(), int(f.map().blocks.size()));
        for (int row = 0; row < table.rowCount(); row += 3) {
            const AddressBlock &block = f.map().blocks[std::size_t(row)];
            QCOMPARE(table.index(row, AddressTable::Offset).data(AddressTable::kValueRole).toLongLong(), block.offset);
            QCOMPARE(table.index(row, AddressTable::Bytes).data(AddressTable::kValueRole).toLongLong(), block.bytes);
            QVERIFY(!table.index(row, AddressTable::Name).data().toString().isEmpty());
        }
        f.document.setModel(nullptr);
        QCOMPARE(table.rowCount(), 0);
    }

    void looksAsItDid_data() { fixture::lookRows({{"", {1272, 302}}, {"_narrow", {928, 248}}}); }
    void looksAsItDid()
    {
        const fixture::RowLook look;
        QFETCH(QSize, size);
        AddressFixture f(size, 6);
        f.document.selectStorage(f.map().blocks[f.largest()].storage);
        f.document.setCursor(f.document.timeline()->timeUs * 0.7);
        fixture::looksAsItDid(f.view, "address_view");
    }
};

QTEST_MAIN(TestAddressView)
#include "tst_address_view.moc"
