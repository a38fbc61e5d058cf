// SPDX-License-Identifier: Apache-2.0
// The lanes: blocks and folding, the critical path, what mouse and keys do, and what the view looks like.
#include "app/studio/base/text/text.h"
#include "app/studio/views/lanes/lanes_view.h"
#include "app/studio/work/document/time_window.h"
#include "tests/studio/memory_fixture.h"
#include "tests/studio/window_fixture.h"

using namespace remat;
using namespace remat::studio;

namespace {

/// Parks the largest kept storages in host memory between their last forward and first backward use.
std::vector<Step> withOffloads(const CostedModel &model, std::size_t most)
{
    const Graph &graph = model.graph();
    std::vector<OpId> sequence;
    for (std::size_t i = 0; i < graph.ops.size(); ++i)
        sequence.emplace_back(i);
    const std::vector<Step> plain = withEarliestFrees(graph, sequence);
    std::vector<StorageId> chosen;
    for (std::size_t s = 0; s < graph.storages.size(); ++s) {
        const Storage &storage = graph.storages[s];
        if (!graph.planned(StorageId(s)) || storage.isOutput || storage.bytes == 0 || !storage.producer) continue;
        const auto &readers = model.open->readers[s];
        const bool crosses =
            graph.op(storage.producer).phase == Phase::Forward &&
            std::any_of(readers.begin(), readers.end(), [&](OpId op) { return graph.op(op).phase == Phase::Backward; });
        if (crosses) chosen.emplace_back(s);
    }
    std::stable_sort(chosen.begin(), chosen.end(),
                     [&](StorageId a, StorageId b) { return graph.storage(a).bytes > graph.storage(b).bytes; });
    chosen.resize(std::min(most, chosen.size()));
    std::vector<Step> steps;
    std::vector<char> out(graph.storages.size(), 0);
    bool backward = false;
    for (const Step &step : plain) {
        if (step.kind == StepKind::Compute && !backward && graph.op(step.op).phase == Phase::Backward) {
            backward = true;
            for (const StorageId storage : chosen) {
                steps.push_back(Step::offload(storage));
                steps.push_back(Step::free(storage));
                out[storage.index()] = 1;
            }
        }
        if (step.kind == StepKind::Compute)
            for (const StorageId input : graph.op(step.op).inputs)
                if (out[input.index()]) {
                    out[input.index()] = 0;
                    steps.push_back(Step::prefetch(input));
                }
        steps.push_back(step);
    }
    return steps;
}

struct LanesFixture {
    Document document;
    LanesView view{&document};
    LanesCanvas &canvas = *view.canvas();

    explicit LanesFixture(QSize size = {1272, 302}, int layers = 12)
    {
        if (layers > 0) fixture::fill(document, fixture::memoryGraph(layers));
        view.resize(size);
        view.show();
        QTest::qWait(0);
    }
    void offload(std::size_t storages)
    {
        // A link as fast as those of real machines.
        auto costs = std::make_shared<CostTable>(*document.model()->costs);
        costs->linkBytesPerSecond = 50e9;
        auto model = std::make_shared<CostedModel>(*document.model());
        model->costs = costs;
        document.setModel(model);
        document.addPlan(fixture::planEntry(*model, withOffloads(*model, storages), document.nextPlanId()));
    }
    QPoint middleOf(Lane lane, std::size_t event)
    {
        const LaneEvent &found = canvas.scene().lanes().of(lane)[event];
        const SampleAxis &axis = document.time().axes().plan;
        const double x = canvas.area().x.pixel(axis.ofTime((found.fromUs + found.toUs) / 2));
        return QPointF(x, canvas.rowRect(lane).center().y()).toPoint();
    }
};

} // namespace

class TestLanesView : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { fixture::lightTheme(); }

    void smallNeighboursFold()
    {
        const Scale scale{0, 100, 0, 100};
        const std::vector<Block> blocks{{0, 10, 0}, {10, 11, 1}, {12, 13, 2}, {13, 14, 3}, {20, 21, 4}, {30, 60, 5}};
        const std::vector<FoldedBlock> marks = foldBlocks(blocks, scale, 0, 100, 3);
        QCOMPARE(marks.size(), std::size_t(4));
        QCOMPARE(marks[0].count, 1);
        QCOMPARE(marks[1].first, 1);
        QCOMPARE(marks[1].count, 3);
        QCOMPARE(marks[1].left, 10.0);
        QCOMPARE(marks[1].right, 14.0);
        QCOMPARE(marks[1].covered, 3.0);
        QCOMPARE(marks[2].count, 1); // six pixels off: a mark of its own
        QCOMPARE(marks[3].right, 60.0);
        // Every block in sight is in exactly one mark, whatever the scale.
        for (const double width : {10.0, 50.0, 1000.0}) {
            int seen = 0;
            for (const FoldedBlock &mark : foldBlocks(blocks, {0, 100, 0, width}, 0, width, 3)) {
                QCOMPARE(mark.first, seen);
                seen += mark.count;
            }
            QCOMPARE(seen, int(blocks.size()));
        }
        QVERIFY(foldBlocks(blocks, {0, 100, 0, 100}, 62, 100, 3).empty());
        QCOMPARE(blockAt(blocks, 12.5, 0), 2);
        QCOMPARE(blockAt(blocks, 11.4, 0.2), -1);
        QCOMPARE(blockAt(blocks, 11.4, 0.5), 1);
        QCOMPARE(blockAt(blocks, 13, 0), 3);
    }

    void lanesAreWhatTheSimulatorSays()
    {
        LanesFixture f;
        f.offload(6);
        const PlanLanes &lanes = f.canvas.scene().lanes();
        const auto plan = f.document.currentPlan();
        const Simulation simulation =
            simulatePlan(f.document.model()->graph(), *f.document.model()->costs, *plan->plan).value();
        QCOMPARE(lanes.of(Lane::CopyOut).size(), std::size_t(6));
        QCOMPARE(lanes.of(Lane::CopyIn).size(), std::size_t(6));
        for (const auto &events : lanes.events) {
            double before = 0;
            for (const LaneEvent &event : events) {
                QVERIFY(event.fromUs >= before);
                before = event.toUs;
                const auto step = std::size_t(event.step);
                QCOMPARE(event.fromUs, simulation.steps[step].startUs);
                QCOMPARE(event.toUs, simulation.steps[step].endUs);
            }
        }
        double idle = plan->timeline->timeUs - lanes.busyUs(Lane::Compute) - lanes.busyUs(Lane::Recompute);
        QVERIFY(lanes.waitUs() > 0);
        QVERIFY(std::abs(idle - lanes.waitUs()) < 1e-6);
    }

    void criticalPathReachesFromEndToStart()
    {
        LanesFixture f;
        const auto whole = [&] {
            double sum = 0;
            const std::vector<CriticalStretch> path = criticalPath(f.canvas.scene().lanes());
            for (std::size_t i = 0; i < path.size(); ++i) {
                if (i > 0 && path[i].time.from != path[i - 1].time.to) return -1.0;
                sum += path[i].time.to - path[i].time.from;
            }
            return sum;
        };
        QCOMPARE(criticalPath(f.canvas.scene().lanes()).size(), std::size_t(1)); // nothing but compute
        QVERIFY(std::abs(whole() - f.document.timeline()->timeUs) < 1e-6);
        QCOMPARE(f.canvas.scene().criticalShare(Lane::Compute), 1.0);
        f.offload(6);
        QVERIFY(std::abs(whole() - f.document.timeline()->timeUs) < 1e-6);
        QVERIFY(f.canvas.scene().criticalShare(Lane::CopyOut) > 0);
        // A case by hand: compute 0–10, copy out 10–40, compute 40–50.
        PlanLanes lanes;
        lanes.events[std::size_t(Lane::Compute)] = {{0, 10, 0, OpId(0), {}}, {40, 50, 3, OpId(1), {}}};
        lanes.events[std::size_t(Lane::CopyOut)] = {{10, 40, 1, {}, StorageId(0)}};
        lanes.events[std::size_t(Lane::CopyIn)] = {{10, 20, 2, {}, StorageId(1)}};
        const std::vector<CriticalStretch> path = criticalPath(lanes);
        QCOMPARE(path.size(), std::size_t(3));
        QCOMPARE(path[1].lane, Lane::CopyOut);
        QCOMPARE(path[1].time.from, 10.0);
        QCOMPARE(path[1].time.to, 40.0);
        QCOMPARE(path[2].lane, Lane::Compute);
    }

    void clickSelectsTheOp()
    {
        LanesFixture f;
        const std::vector<LaneEvent> &events = f.canvas.scene().lanes().of(Lane::Compute);
        std::size_t longest = 0;
        for (std::size_t i = 0; i < events.size(); ++i)
            if (events[i].toUs - events[i].fromUs > events[longest].toUs - events[longest].fromUs) longest = i;
        const QPoint at = f.middleOf(Lane::Compute, longest);
        fixture::move(f.canvas, at);
        QCOMPARE(f.document.hover().op, events[longest].op);
        QVERIFY(f.document.cursorUs() >= events[longest].fromUs && f.document.cursorUs() <= events[longest].toUs);
        QTest::mouseClick(&f.canvas, Qt::LeftButton, {}, at);
        QCOMPARE(f.document.selection().op, events[longest].op);
        QTest::mouseClick(&f.canvas, Qt::LeftButton, {}, QPoint(at.x(), 15));
        QTest::keyClick(&f.canvas, Qt::Key_Escape);
        QCOMPARE(f.document.selection(), Selection{});
        QEvent leave(QEvent::Leave);
        QCoreApplication::sendEvent(&f.canvas, &leave);
        QCOMPARE(f.document.hover(), Selection{});
        QVERIFY(f.document.cursorUs() < 0);
    }

    void clickSelectsACopy()
    {
        LanesFixture f;
        f.offload(4);
        const LaneEvent &copy = f.canvas.scene().lanes().of(Lane::CopyIn)[2];
        QTest::mouseClick(&f.canvas, Qt::LeftButton, {}, f.middleOf(Lane::CopyIn, 2));
        QCOMPARE(f.document.selection().storage, copy.storage);
    }

    void keysAreThoseOfTheMemoryView()
    {
        LanesFixture f;
        TimeWindow &time = f.document.time();
        const double whole = time.view().width();
        QTest::keyClick(&f.canvas, Qt::Key_W);
        QVERIFY(time.view().width() < whole);
        const double from = time.view().from;
        QTest::keyClick(&f.canvas, Qt::Key_D);
        QVERIFY(time.view().from > from);
        QTest::keyClick(&f.canvas, Qt::Key_A);
        QCOMPARE(time.view().from, from);
        QTest::keyClick(&f.canvas, Qt::Key_S);
        QTest::keyClick(&f.canvas, Qt::Key_F);
        QCOMPARE(time.view().width(), whole);
        QTest::keyClick(&f.canvas, Qt::Key_Period);
        const std::size_t sample = cursorSample(f.document);
        QTest::keyClick(&f.canvas, Qt::Key_Right);
        QCOMPARE(cursorSample(f.document), sample + 1);
        QTest::keyClick(&f.canvas, Qt::Key_Comma);
        QCOMPARE(cursorSample(f.document), sample);
        QTest::keyClick(&f.canvas, Qt::Key_Return);
        QCOMPARE(f.document.selection().op, f.document.timeline()->op[sample]);
        fixture::turnWheel(f.canvas, {600, 100}, 4);
        QVERIFY(time.view().width() < whole / 2);
        QTest::mouseDClick(&f.canvas, Qt::LeftButton, {}, {600, 100});
        QCOMPARE(time.view().width(), whole);
    }

    void dragOnTheAxisMeasures()
    {
        LanesFixture f;
        const TimeArea area = f.canvas.area();
        const int y = int(area.labels.center().y());
        QTest::mousePress(&f.canvas, Qt::LeftButton, {}, {300, y});
        fixture::move(f.canvas, QPoint(500, y), Qt::LeftButton);
        QTest::mouseRelease(&f.canvas, Qt::LeftButton, {}, {500, y});
        QVERIFY(f.document.time().range());
        QVERIFY(std::abs(area.x.pixel(f.document.time().range()->from) - 300) <= 6);
        QVERIFY(std::abs(area.x.pixel(f.document.time().range()->to) - 500) <= 6);
        QCOMPARE(f.document.time().view().width(), f.document.time().view().length); // not panned, not zoomed
        QTest::keyClick(&f.canvas, Qt::Key_Escape);
        QVERIFY(!f.document.time().range());
        // With the ruler any drag measures, without it one in the plot pans.
        QTest::mouseClick(f.view.header()->ruler(), Qt::LeftButton);
        QVERIFY(f.document.time().measuring());
        QTest::mousePress(&f.canvas, Qt::LeftButton, {}, {400, 100});
        fixture::move(f.canvas, {440, 100}, Qt::LeftButton);
        QTest::mouseRelease(&f.canvas, Qt::LeftButton, {}, {440, 100});
        QVERIFY(f.document.time().range());
        f.document.time().setMeasuring(false);
        QVERIFY(!f.view.header()->ruler()->isChecked());
    }

    void axisBySteps()
    {
        LanesFixture f;
        f.offload(3);
        QVERIFY(!f.canvas.scene().waits().empty());
        f.view.header()->axisChoice()->setCurrent(1);
        QCOMPARE(f.document.time().kind(), AxisKind::Steps);
        QVERIFY(f.canvas.scene().waits().empty());
        std::size_t blocks = 0;
        for (const LaneRow &row : f.canvas.scene().rows()) {
            blocks += row.blocks.size();
            for (std::size_t i = 1; i < row.blocks.size(); ++i)
                QVERIFY(row.blocks[i].from >= row.blocks[i - 1].to);
        }
        QCOMPARE(blocks, f.document.timeline()->op.size() + 6);
    }

    void modulesStandAboveTheirOps()
    {
        LanesFixture f;
        const LanesScene &scene = f.canvas.scene();
        QVERIFY(!scene.moduleRows().empty());
        for (const LaneRow &row : scene.moduleRows()) {
            QCOMPARE(row.blocks.size(), row.modules.size());
            for (std::size_t i = 1; i < row.blocks.size(); ++i)
                QVERIFY(row.blocks[i].from >= row.blocks[i - 1].to);
        }
    }

    void hiddenItWaits()
    {
        LanesFixture f;
        f.view.hide();
        QSignalSpy changes(&f.canvas, &TimePlot::sceneChanged);
        const double before = f.canvas.scene().lanes().timeUs;
        f.offload(6);
        QVERIFY(changes.count() >= 1);
        f.view.show();
        QVERIFY(f.canvas.scene().lanes().timeUs > before);
        QVERIFY(f.view.header()->summary().contains(timeText(f.canvas.scene().lanes().waitUs())));
    }

    void headerSaysWhatWasMeasured()
    {
        LanesFixture f;
        auto entry = std::make_shared<PlanEntry>(*f.document.currentPlan());
        auto plan = std::make_shared<Plan>(*entry->plan);
        plan->validated.emplace();
        plan->validated->measuredTimeUs = entry->timeline->timeUs * 1.1;
        entry->plan = plan;
        f.document.replacePlan(entry);
        QVERIFY2(f.view.header()->summary().contains(QStringLiteral("10.0")), qPrintable(f.view.header()->summary()));
        QVERIFY(f.view.header()->summary().contains(QStringLiteral("longer")));
    }

    /// A run twice as slow: bars below the rows, to the plan's length; the table and the tooltips give its times.
    void whatWasMeasuredStandsBelowTheRows()
    {
        LanesFixture f;
        f.offload(5);
        for (const LaneRow &row : f.canvas.scene().rows())
            QVERIFY(row.measured.empty());
        const QImage before = f.canvas.picture(f.canvas.size(), 1);
        auto entry = std::make_shared<PlanEntry>(*f.document.currentPlan());
        auto plan = std::make_shared<Plan>(*entry->plan);
        const Expected<Simulation> simulated =
            simulatePlan(f.document.model()->graph(), *f.document.model()->costs, *plan);
        QVERIFY(simulated);
        plan->validated.emplace();
        plan->validated->measuredTimeUs = simulated->timeUs * 2;
        for (const StepMemory &step : simulated->steps)
            plan->validated->steps.push_back({step.heldBytes, 0, 0, step.startUs * 2, step.endUs * 2});
        entry->plan = plan;
        f.document.replacePlan(entry);
        for (const LaneRow &row : f.canvas.scene().rows()) {
            QCOMPARE(row.measured.size(), row.blocks.size());
            for (std::size_t i = 0; i < row.blocks.size(); ++i) {
                QVERIFY(std::abs(row.measured[i].from - row.blocks[i].from) < 1e-6);
                QVERIFY(std::abs(row.measured[i].to - row.blocks[i].to) < 1e-6);
            }
        }
        const QImage after = f.canvas.picture(f.canvas.size(), 1);
        const QRectF compute = f.canvas.rowRect(Lane::Compute);
        int green = 0;
        for (int x = int(compute.left()); x < int(compute.right()); ++x)
            green += after.pixelColor(x, int(compute.bottom()) + 1) == Theme::instance().color(Token::Ok) ? 1 : 0;
        QVERIFY2(green > compute.width() / 2, qPrintable(QString::number(green)));
        QVERIFY(before.pixelColor(int(compute.center().x()), int(compute.bottom()) + 1) !=
                Theme::instance().color(Token::Ok));
        QVERIFY(f.view.header()->summary().contains(QStringLiteral("measured, drawn to the plan's length")));
        QVERIFY(f.view.header()->summary().contains(QStringLiteral("2 times as long")));
        LanesTable &table = *f.view.table();
        int measured = 0;
        for (int row = 0; row < table.rowCount(); ++row) {
            const double time = table.index(row, LanesTable::Duration).data(LanesTable::kValueRole).toDouble();
            const QVariant took = table.index(row, LanesTable::Measured).data(LanesTable::kValueRole);
            if (!took.isValid()) continue; // a wait
            ++measured;
            QVERIFY(std::abs(took.toDouble() - 2 * time) < 1e-6);
        }
        QCOMPARE(measured, int(f.document.timeline()->op.size()) + 10);
        f.document.time().setKind(AxisKind::Steps);
        for (const LaneRow &row : f.canvas.scene().rows())
            QVERIFY(row.measured.empty());
    }

    /// The hatch says which copy compute stands still for.
    void aWaitSaysWhatItIsFor()
    {
        LanesFixture f;
        f.offload(6);
        const LanesScene &scene = f.canvas.scene();
        QVERIFY(!scene.waits().empty());
        const auto longest =
            std::max_element(scene.waits().begin(), scene.waits().end(),
                             [](const Span &a, const Span &b) { return a.to - a.from < b.to - b.from; });
        const QRectF row = f.canvas.rowRect(Lane::Compute);
        const QPointF middle(f.canvas.area().x.pixel((longest->from + longest->to) / 2), row.center().y());
        const QPoint at = middle.toPoint();
        QHelpEvent help(QEvent::ToolTip, at, f.canvas.mapToGlobal(at));
        QCoreApplication::sendEvent(&f.canvas, &help);
        const QString text = QToolTip::text();
        const auto wait = scene.waitAt((longest->from + longest->to) / 2);
        QVERIFY(wait && wait->second);
        QVERIFY2(text.contains(scene.labels().storage(scene.graph(), wait->second)), qPrintable(text));
        QVERIFY(text.contains(timeText(wait->first)));
        QVERIFY(!scene.waitAt(-1));
        LanesTable &table = *f.view.table();
        int waits = 0;
        for (int line = 0; line < table.rowCount(); ++line)
            waits += table.index(line, LanesTable::LaneColumn).data().toString() == QStringLiteral("Wait") ? 1 : 0;
        QCOMPARE(waits, int(scene.waits().size()));
    }

    void emptyAndWrong()
    {
        LanesFixture f({1000, 300}, 0);
        QSignalSpy open(&f.view, &TimeView::openRequested), solve(&f.view, &TimeView::solveRequested);
        auto *button = f.view.findChild<QPushButton *>();
        QVERIFY(button->isVisible());
        QTest::mouseClick(button, Qt::LeftButton);
        QCOMPARE(open.count(), 1);
        fixture::move(f.canvas, {300, 100});
        fixture::turnWheel(f.canvas, {300, 100}, 2);
        QTest::keyClick(&f.canvas, Qt::Key_Right);
        Model model;
        model.graph = fixture::memoryGraph(2);
        f.document.setModel(fixture::costedModel(std::move(model)));
        QTest::mouseClick(button, Qt::LeftButton);
        QCOMPARE(solve.count(), 1);
        const auto costed = f.document.model();
        auto entry = std::make_shared<PlanEntry>(
            *fixture::planEntry(*costed, keepAllPlan(costed->graph()).steps, f.document.nextPlanId()));
        entry->check = Verdict{false, 4, "Step 4 reads a1, which was freed at step 2.", 0, 0};
        f.document.addPlan(entry);
        QVERIFY(!button->isVisible());
        bool said = false;
        for (const QLabel *label : f.view.findChildren<QLabel *>())
            said = said || (label->isVisible() && label->text() == QString::fromStdString(entry->check->sentence));
        QVERIFY(said);
    }

    void tableSaysTheSame()
    {
        LanesFixture f;
        f.offload(5);
        LanesTable &table = *f.view.table();
        QAbstractItemModelTester tester(&table);
        const auto waits = f.canvas.scene().lanes().waits.size();
        QCOMPARE(table.rowCount(), int(f.document.timeline()->op.size() + waits) + 10);
        double before = 0;
        int copies = 0;
        for (int row = 0; row < table.rowCount(); ++row) {
            const double start = table.index(row, LanesTable::Start).data(LanesTable::kValueRole).toDouble();
            QVERIFY(start >= before);
            before = start;
            copies += table.index(row, LanesTable::Bytes).data(LanesTable::kValueRole).isValid() ? 1 : 0;
            QVERIFY(!table.index(row, LanesTable::Name).data().toString().isEmpty());
        }
        QCOMPARE(copies, 10);
        f.document.setModel(nullptr);
        QCOMPARE(table.rowCount(), 0);
    }

    void looksAsItDid_data() { fixture::lookRows({{"", {1272, 302}}, {"_narrow", {928, 248}}}); }
    void looksAsItDid()
    {
        const fixture::RowLook look;
        QFETCH(QSize, size);
        LanesFixture f(size, 6);
        if (size.width() < 1000) f.offload(5);
        f.document.selectOp(f.canvas.scene().lanes().of(Lane::Compute)[8].op);
        f.document.setCursor(f.document.timeline()->timeUs * 0.7);
        f.document.time().setRange({f.document.timeline()->timeUs * 0.3, f.document.timeline()->timeUs * 0.4});
        fixture::looksAsItDid(f.view, "lanes_view");
    }
};

QTEST_MAIN(TestLanesView)
#include "tst_lanes_view.moc"
