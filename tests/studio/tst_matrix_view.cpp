// SPDX-License-Identifier: Apache-2.0
// The R/S matrix: against a dense one by brute force, its pixels, what mouse and keys do, and what it looks like.
#include "app/studio/base/text/text.h"
#include "app/studio/views/matrix/matrix_raster.h"
#include "app/studio/views/matrix/matrix_view.h"
#include "app/studio/work/document/time_window.h"
#include "tests/studio/memory_fixture.h"
#include "tests/studio/window_fixture.h"

using namespace remat;
using namespace remat::studio;

namespace {

struct MatrixFixture {
    Document document;
    MatrixView view{&document};
    MatrixCanvas &canvas = *view.canvas();

    explicit MatrixFixture(QSize size = {1032, 560}, int layers = 4)
    {
        if (layers > 0) fixture::fill(document, fixture::memoryGraph(layers));
        view.resize(size);
        view.show();
        QTest::qWait(0);
    }
    const MatrixScene &scene() const { return canvas.scene(); }
};

/// The state of every cell, by replaying the steps.
std::vector<std::vector<MatrixScene::State>> dense(const Graph &graph, const std::vector<Step> &steps,
                                                   const MatrixScene &scene)
{
    std::vector<std::vector<MatrixScene::State>> cells(
        std::size_t(scene.rows), std::vector<MatrixScene::State>(scene.columns.size(), MatrixScene::State::Nothing));
    std::vector<char> held(graph.storages.size(), 0), computed(graph.ops.size(), 0);
    std::size_t row = 0;
    const auto beginStage = [&] {
        if (row == 0 || row >= cells.size()) return;
        for (std::size_t column = 0; column < scene.columns.size(); ++column)
            for (const StorageId output : graph.op(scene.columns[column]).outputs)
                if (held[output.index()]) cells[row][column] = MatrixScene::State::Kept;
    };
    bool ended = false;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const Step &step = steps[i];
        // What is freed before the next computation is not kept into its slot.
        if (ended && step.kind == StepKind::Compute) {
            ended = false;
            beginStage();
        }
        if (step.kind == StepKind::Free) held[step.storage.index()] = 0;
        if (step.kind != StepKind::Compute) continue;
        const std::int32_t column = scene.columnOf[step.op.index()];
        for (const StorageId output : graph.op(step.op).outputs)
            held[output.index()] = 1;
        if (column >= 0)
            cells[row][std::size_t(column)] =
                computed[step.op.index()] ? MatrixScene::State::Recomputed : MatrixScene::State::Computed;
        if (!computed[step.op.index()]) {
            computed[step.op.index()] = 1;
            ++row;
            ended = true;
        }
    }
    return cells;
}

} // namespace

class TestMatrixView : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { fixture::lightTheme(); }

    void isTheDenseMatrix()
    {
        for (const unsigned seed : {1u, 2u, 3u, 4u}) {
            Document document;
            fixture::fill(document, remat::test::randomGraph(seed, {.ops = 24, .joint = true}));
            const Graph &graph = document.model()->graph();
            for (const bool forwardOnly : {false, true}) {
                const MatrixScene scene(graph, *document.timeline(), forwardOnly);
                const auto cells = dense(graph, document.currentPlan()->plan->steps, scene);
                for (std::int32_t row = 0; row < scene.rows; ++row)
                    for (std::size_t column = 0; column < scene.columns.size(); ++column)
                        QCOMPARE(int(scene.stateAt(row, std::int32_t(column))), int(cells[std::size_t(row)][column]));
            }
        }
    }

    void pixelsShowTheMostTelling()
    {
        MatrixFixture f;
        const MatrixScene &scene = f.scene();
        Viewport rows, columns;
        rows.fit(scene.rows, 1);
        columns.fit(double(scene.columns.size()), 1);
        // One pixel a cell: the matrix itself.
        const int width = int(scene.columns.size()), height = scene.rows;
        const MatrixRaster exact = rasterOf(scene, columns, rows, width, height, 6);
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < width; ++x)
                QCOMPARE(int(exact.at(x, y)), int(scene.stateAt(y, x)));
        // Several cells a pixel: the largest state of them.
        const MatrixRaster coarse = rasterOf(scene, columns, rows, width / 4, height / 4, 6);
        std::vector<int> most(std::size_t(coarse.width * coarse.height), 0);
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < width; ++x) {
                const int px = int(double(x) * coarse.width / width), py = int(double(y) * coarse.height / height);
                int &pixel = most[std::size_t(py * coarse.width + px)];
                pixel = std::max(pixel, int(exact.at(x, y)));
            }
        int recomputed = 0;
        for (int y = 0; y < coarse.height; ++y)
            for (int x = 0; x < coarse.width; ++x) {
                QVERIFY(int(coarse.at(x, y)) >= most[std::size_t(y * coarse.width + x)]);
                recomputed += coarse.at(x, y) == MatrixScene::State::Recomputed ? 1 : 0;
            }
        QVERIFY(recomputed > 0);
        // A part of it, several pixels a cell.
        rows.show(3, 13);
        columns.show(2, 12);
        const MatrixRaster part = rasterOf(scene, columns, rows, 100, 100, 6);
        for (int row = 3; row < 13; ++row)
            for (int column = 2; column < 12; ++column)
                QCOMPARE(int(part.at((column - 2) * 10 + 4, (row - 3) * 10 + 4)), int(scene.stateAt(row, column)));
        QVERIFY(rasterOf(MatrixScene(), columns, rows, 10, 10, 6).states == std::vector<std::uint8_t>(100, 0));
    }

    void clickSelectsTheOp()
    {
        MatrixFixture f;
        const MatrixCell *again = nullptr;
        for (const MatrixCell &cell : f.scene().cells)
            if (cell.recomputed) again = &cell;
        QVERIFY(again);
        const QPointF at = f.canvas.cellCenter(again->row, again->column);
        fixture::move(f.canvas, at);
        const OpId op = f.scene().columns[std::size_t(again->column)];
        QCOMPARE(f.document.hover().op, op);
        QCOMPARE(cursorSample(f.document), std::size_t(again->sample));
        QTest::mouseClick(&f.canvas, Qt::LeftButton, {}, at.toPoint());
        QCOMPARE(f.document.selection().op, op);
        // Beside a computation the cursor goes to the end of the slot.
        std::int32_t empty = 0;
        while (f.scene().cellAt(again->row, empty))
            ++empty;
        fixture::move(f.canvas, f.canvas.cellCenter(again->row, empty));
        QCOMPARE(f.scene().rowOfSample[cursorSample(f.document)], again->row);
        QEvent leave(QEvent::Leave);
        QCoreApplication::sendEvent(&f.canvas, &leave);
        QVERIFY(f.document.cursorUs() < 0);
    }

    void zoomsAndPansBothWays()
    {
        MatrixFixture f;
        const QPointF at = f.canvas.cellCenter(20, 12);
        QWheelEvent wheel(at, f.canvas.mapToGlobal(at), {}, {0, 600}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase,
                          false);
        QCoreApplication::sendEvent(&f.canvas, &wheel);
        QVERIFY(f.canvas.rows().width() < f.canvas.rows().length / 2);
        QVERIFY(f.canvas.columns().width() < f.canvas.columns().length / 2);
        QVERIFY((f.canvas.cellCenter(20, 12) - at).manhattanLength() < 1.0); // stays where it was
        const double row = f.canvas.rows().from, column = f.canvas.columns().from;
        const QPoint from = f.canvas.plot().center().toPoint();
        QTest::mousePress(&f.canvas, Qt::LeftButton, {}, from);
        fixture::move(f.canvas, from - QPoint(30, 20), Qt::LeftButton);
        QTest::mouseRelease(&f.canvas, Qt::LeftButton, {}, from - QPoint(30, 20));
        QVERIFY(f.canvas.rows().from > row && f.canvas.columns().from > column);
        QCOMPARE(f.document.selection(), Selection{}); // a drag is no click
        QTest::keyClick(&f.canvas, Qt::Key_F);
        f.scene();
        QVERIFY(f.canvas.rows().all() && f.canvas.columns().all());
        QTest::keyClick(&f.canvas, Qt::Key_W);
        QVERIFY(!f.canvas.rows().all());
        const double before = f.canvas.columns().from;
        QTest::keyClick(&f.canvas, Qt::Key_A);
        QVERIFY(f.canvas.columns().from < before);
        QTest::keyClick(&f.canvas, Qt::Key_Down);
        QTest::mouseDClick(&f.canvas, Qt::LeftButton, {}, from);
        f.scene();
        QVERIFY(f.canvas.rows().all());
        f.document.setCursor(1);
        const std::size_t sample = cursorSample(f.document);
        QTest::keyClick(&f.canvas, Qt::Key_Period);
        QCOMPARE(cursorSample(f.document), sample + 1);
    }

    void columnsOfForwardOps()
    {
        MatrixFixture f;
        const std::size_t all = f.scene().columns.size();
        f.view.columnsChoice()->setCurrent(1);
        QVERIFY(f.scene().columns.size() < all);
        for (const OpId op : f.scene().columns)
            QVERIFY(f.document.model()->graph().op(op).phase != Phase::Backward);
        QCOMPARE(std::size_t(f.scene().rows), f.document.model()->graph().ops.size());
        QVERIFY(f.view.summary().contains(countText(std::int64_t(f.scene().columns.size()))));
    }

    void zoomStaysWhenThePlanChanges()
    {
        MatrixFixture f;
        QTest::keyClick(&f.canvas, Qt::Key_W);
        QTest::keyClick(&f.canvas, Qt::Key_W);
        const double from = f.canvas.rows().from, to = f.canvas.rows().to;
        const auto model = f.document.model();
        f.document.addPlan(fixture::planEntry(*model, keepAllPlan(model->graph()).steps, f.document.nextPlanId()));
        QCOMPARE(f.scene().recomputations, std::int64_t(0));
        QCOMPARE(f.canvas.rows().from, from);
        QCOMPARE(f.canvas.rows().to, to);
    }

    void emptyViewOffersAWayOn()
    {
        MatrixFixture f({1000, 500}, 0);
        QSignalSpy open(&f.view, &MatrixView::openRequested), solve(&f.view, &MatrixView::solveRequested);
        auto *button = f.view.findChild<QPushButton *>();
        QVERIFY(button->isVisible());
        QTest::mouseClick(button, Qt::LeftButton);
        QCOMPARE(open.count(), 1);
        fixture::move(f.canvas, {300, 100});
        QTest::keyClick(&f.canvas, Qt::Key_W);
        QTest::keyClick(&f.canvas, Qt::Key_F);
        Model model;
        model.graph = fixture::memoryGraph(2);
        f.document.setModel(fixture::costedModel(std::move(model)));
        QTest::mouseClick(button, Qt::LeftButton);
        QCOMPARE(solve.count(), 1);
    }

    void tableSaysTheSame()
    {
        MatrixFixture f;
        MatrixTable &table = *f.view.table();
        QAbstractItemModelTester tester(&table);
        QCOMPARE(table.rowCount(), int(f.scene().recomputations) + int(f.scene().kept.size()));
        for (int row = 0; row < table.rowCount(); ++row) {
            const auto slot = [&](int column) {
                return std::int32_t(table.index(row, column).data(MatrixTable::kValueRole).toLongLong());
            };
            QVERIFY(slot(MatrixTable::FromSlot) <= slot(MatrixTable::ToSlot));
            QVERIFY(slot(MatrixTable::ToSlot) < f.scene().rows);
            QVERIFY(!table.index(row, MatrixTable::Operation).data().toString().isEmpty());
        }
        f.document.setModel(nullptr);
        QCOMPARE(table.rowCount(), 0);
    }

    void looksAsItDid_data() { fixture::lookRows({{"", {1032, 560}}, {"_small", {928, 400}}}); }
    void looksAsItDid()
    {
        const fixture::RowLook look;
        QFETCH(QSize, size);
        MatrixFixture f(size, 4);
        f.document.selectOp(f.scene().columns[f.scene().columns.size() / 3]);
        f.document.setCursor(f.document.timeline()->timeUs * 0.6);
        if (size.height() < 500) {
            for (int i = 0; i < 8; ++i)
                QTest::keyClick(&f.canvas, Qt::Key_W);
        }
        fixture::looksAsItDid(f.view, "matrix_view");
    }
};

QTEST_MAIN(TestMatrixView)
#include "tst_matrix_view.moc"
