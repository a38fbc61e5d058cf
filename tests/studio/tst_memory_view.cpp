// SPDX-License-Identifier: Apache-2.0
// The memory view: what it shows, and what it looks like.
#include "app/studio/base/style/theme.h"
#include "app/studio/views/memory/alive_list.h"
#include "tests/studio/golden.h"
#include "tests/studio/memory_stage.h"
#include "tests/support/thread_time.h"

#include <QtTest>
#include <QtWidgets>

#include <cmath>
#include <limits>

using namespace remat;
using namespace remat::studio;
using namespace remat::studio::fixture;

namespace {

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
    void initTestCase() { fixture::lightTheme(); }

    void axisByTimeAndBySteps()
    {
        MemoryStage f;
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
        MemoryStage f;
        const std::vector<PhaseSpan> phases = f.canvas.scene().phases();
        QCOMPARE(phases.size(), std::size_t(3));
        QCOMPARE(phases[0].from, 0.0);
        QCOMPARE(phases[0].to, phases[1].from);
        QCOMPARE(phases[1].to, phases[2].from);
        QCOMPARE(phases[2].to, f.timeline().timeUs);
    }

    void peakRowsAddUpToThePeak()
    {
        MemoryStage f;
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
        MemoryStage f;
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

    void theOverviewGoesBeforeThePlotIsCut()
    {
        bool cameBack = false;
        for (int height = 116; height < 200; height += 4) {
            MemoryStage f({900, 500});
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

    void recomputedStorageHasSeveralRanges()
    {
        MemoryStage f;
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

    void readoutSaysWhenItIsTooMuch()
    {
        MemoryStage f;
        f.document.setBudget(f.timeline().peakBytes - 1024);
        const Readout readout = readoutOf(f.canvas.scene());
        QVERIFY(readout.over);
        QCOMPARE(readout.room, QStringLiteral("1.00 KiB"));
    }

    void stepsAreAnAxisToo()
    {
        MemoryStage f;
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
        MemoryStage f;
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

    void phasesOfAnyOrder()
    {
        MemoryStage f;
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
        MemoryStage f;
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
        MemoryStage f;
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

    void measuredPeakIsShown()
    {
        MemoryStage f;
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
        MemoryStage f;
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

    void tableSaysTheSame()
    {
        MemoryStage f;
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
        MemoryStage f({1272, 334}, false);
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
        MemoryStage f({900, 220}, false);
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
            MemoryStage f({1400, 334}, false);
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
        const RowLook look;
        QFETCH(QSize, size);
        QFETCH(double, ratio);
        MemoryStage f(size);
        f.document.selectStorage(f.canvas.scene().peakRows().front().storage);
        if (QByteArray(QTest::currentDataTag()).startsWith("storages")) {
            f.canvas.setGrouping(Grouping::Storage, 16);
            f.document.time().setRange({f.timeline().timeUs * 0.6, f.timeline().timeUs * 0.7});
        }
        const QString wrong = fixture::goldenDifference(
            grabbed(f.view, ratio),
            QStringLiteral("memory_view_%1.png").arg(QString::fromLatin1(QTest::currentDataTag())));
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
    }
};

QTEST_MAIN(TestMemoryView)
#include "tst_memory_view.moc"
