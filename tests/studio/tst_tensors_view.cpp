// SPDX-License-Identifier: Apache-2.0
// Tensors, Range, and modules that are selected as a whole, in the real window at its usual smallest size.
#include "app/studio/shell/exports/model_csv.h"
#include "app/studio/shell/workspace/workspace.h"
#include "app/studio/views/addresses/address_view.h"
#include "app/studio/views/graph/graph_view.h"
#include "app/studio/views/lanes/lanes_view.h"
#include "app/studio/views/matrix/matrix_view.h"
#include "app/studio/views/memory/memory_view.h"
#include "app/studio/views/range/range_view.h"
#include "app/studio/views/source/source_view.h"
#include "app/studio/views/tensors/icicle_canvas.h"
#include "app/studio/views/tensors/tensors_view.h"
#include "app/studio/work/document/time_window.h"
#include "tests/studio/window_test.h"

using namespace remat;
using namespace remat::studio;

class TestTensorsView : public QObject, fixture::InWindow
{
    Q_OBJECT

    template <class Widget>
    Widget *named(const char *name)
    {
        return m_window->findChild<Widget *>(QString::fromLatin1(name));
    }
    TensorsView *tensors() { return m_window->workspace()->view<TensorsView>(); }
    QAbstractItemModel *rows() { return tensors()->table()->model(); }
    QString said(int row, int column) { return rows()->index(row, column).data().toString(); }
    void settle() { QTRY_VERIFY(m_window->idle() && document().currentPlan()); }

private Q_SLOTS:
    void init()
    {
        openFresh({1280, 800});
        QVERIFY(m_window->openSample(QStringLiteral("tiny_gpt2")));
        QTRY_VERIFY(document().model() && m_window->idle());
        document().moveBudget(document().model()->keepAll->peakBytes * 7 / 10);
        settle();
    }

    void theTableSaysWhatIsSavedAndWhy()
    {
        command("show.tensors")->trigger();
        QVERIFY(tensors()->isVisible() && rows()->rowCount() > 20);
        // The largest first.
        const auto bytes = [this](int row) {
            return rows()->index(row, TensorsTable::Bytes).data(RowTable::kValueRole).toLongLong();
        };
        for (int row = 1; row < rows()->rowCount(); ++row)
            QVERIFY(bytes(row - 1) >= bytes(row));
        QStringList states;
        for (int row = 0; row < rows()->rowCount(); ++row) {
            QVERIFY2(said(row, TensorsTable::Why).contains(QStringLiteral(" for ")), qPrintable(said(row, 0)));
            QVERIFY(!said(row, TensorsTable::Readers).isEmpty());
            states << said(row, TensorsTable::State);
        }
        QVERIFY(states.contains(QStringLiteral("Kept")) && states.contains(QStringLiteral("Recomputed")));
        QVERIFY(said(0, TensorsTable::Source).contains(QStringLiteral(".py")));
    }

    void rowsAndOtherViewsSelectAlike()
    {
        command("show.tensors")->trigger();
        QTest::mouseClick(tensors()->table()->viewport(), Qt::LeftButton, {},
                          tensors()->table()->visualRect(rows()->index(2, 0)).center());
        const Selection selected = document().selection();
        QVERIFY(selected.storage && selected.op);
        QCOMPARE(toQString(document().model()->graph().op(selected.op).module), said(2, TensorsTable::Module));
        document().clearSelection();
        QVERIFY(!tensors()->table()->currentIndex().isValid());
        document().selectStorage(selected.storage);
        QCOMPARE(tensors()->table()->currentIndex().row(), 2);
    }

    void everyGroupingAddsUp()
    {
        command("show.tensors")->trigger();
        const int all = rows()->rowCount();
        qint64 bytes = 0;
        for (int row = 0; row < all; ++row)
            bytes += rows()->index(row, TensorsTable::Bytes).data(RowTable::kValueRole).toLongLong();
        auto *by = named<QComboBox>("tensorsBy");
        const QAbstractItemModel *sums = named<QTableView>("tensorSums")->model();
        for (const char *grouping : {"By module", "By block", "By op", "By type"}) {
            by->setCurrentIndex(by->findText(QString::fromLatin1(grouping)));
            qint64 tensors = 0, held = 0;
            for (int row = 0; row < sums->rowCount(); ++row) {
                tensors += sums->index(row, SumsTable::Tensors).data(RowTable::kValueRole).toLongLong();
                held += sums->index(row, SumsTable::Bytes).data(RowTable::kValueRole).toLongLong();
            }
            QVERIFY2(tensors == all && held == bytes, grouping);
        }
    }

    /// What is filtered and sorted is what is written.
    void theTableIsExported()
    {
        command("show.tensors")->trigger();
        named<QLineEdit>("tensorsFilter")->setText(QStringLiteral("module:h.1"));
        tensors()->table()->sortByColumn(TensorsTable::Name, Qt::AscendingOrder);
        const QStringList lines = csvOf(*rows()).split(QLatin1Char('\n'), Qt::SkipEmptyParts);
        QCOMPARE(lines.size(), rows()->rowCount() + 1);
        QVERIFY(lines.size() > 3);
        for (const char *column : {"Tensor", "Shape", "Bytes", "Why"})
            QVERIFY2(lines.front().contains(QLatin1String(column)), qPrintable(lines.front()));
        for (int row = 0; row < rows()->rowCount(); ++row)
            QVERIFY2(lines[row + 1].contains(said(row, TensorsTable::Name)), qPrintable(lines[row + 1]));
        // The menu of the table offers it.
        const QPoint at(20, 20);
        QContextMenuEvent ask(QContextMenuEvent::Mouse, at, tensors()->table()->viewport()->mapToGlobal(at));
        QCoreApplication::sendEvent(tensors()->table()->viewport(), &ask);
        auto *menu = tensors()->table()->findChild<QMenu *>(QStringLiteral("tableMenu"));
        QVERIFY(menu);
        const auto actions = menu->actions();
        QVERIFY(std::any_of(actions.begin(), actions.end(), [](const QAction *action) {
            return action->text() == QStringLiteral("Export table…") && action->isEnabled();
        }));
        menu->close();
    }

    void groupsAddUpAndOpen()
    {
        command("show.tensors")->trigger();
        const int all = rows()->rowCount();
        auto *by = named<QComboBox>("tensorsBy");
        auto *sums = named<QTableView>("tensorSums");
        by->setCurrentIndex(by->findText(QStringLiteral("By block")));
        QVERIFY(sums->isVisible() && sums->model()->rowCount() >= 3);
        qint64 count = 0;
        for (int row = 0; row < sums->model()->rowCount(); ++row)
            count += sums->model()->index(row, SumsTable::Tensors).data(RowTable::kValueRole).toLongLong();
        QCOMPARE(count, qint64(all));
        // Enter on a group lists its tensors.
        int block = 0;
        while (!sums->model()->index(block, 0).data().toString().endsWith(QStringLiteral("h.1")))
            QVERIFY(++block < sums->model()->rowCount());
        const auto in = sums->model()->index(block, SumsTable::Tensors).data(RowTable::kValueRole).toLongLong();
        sums->setCurrentIndex(sums->model()->index(block, 0));
        QTest::keyClick(sums, Qt::Key_Return);
        QVERIFY(tensors()->table()->isVisible());
        QCOMPARE(qint64(rows()->rowCount()), in);
        QVERIFY(in < all);
    }

    void theFilterIsThatOfFind()
    {
        command("show.tensors")->trigger();
        auto *filter = named<QLineEdit>("tensorsFilter");
        auto *summary = named<QLabel>("tensorsSummary");
        filter->setFocus();
        QTest::keyClicks(filter, QStringLiteral("recomputed module:h.0"));
        const int found = rows()->rowCount();
        QVERIFY(found > 0);
        for (int row = 0; row < found; ++row) {
            QCOMPARE(said(row, TensorsTable::State), QStringLiteral("Recomputed"));
            QVERIFY(said(row, TensorsTable::Module).contains(QStringLiteral("h.0")));
        }
        filter->setText(filter->text() + QStringLiteral(" size>lots"));
        QVERIFY2(summary->text().contains(QStringLiteral("lots")), qPrintable(summary->text()));
        QCOMPARE(rows()->rowCount(), found);
        filter->clear();
        QVERIFY(rows()->rowCount() > found);
    }

    /// The icicle is as long as what modules hold, and a click on it shows that module everywhere.
    void theIcicleShowsModules()
    {
        command("show.tensors")->trigger();
        auto *icicle = named<IcicleCanvas>("icicle");
        document().setCursor(-1);
        QCOMPARE(icicle->sample(), document().timeline()->peakSample);
        const auto &tree = document().model()->open->modules;
        const IcicleCell *cell = nullptr;
        for (const IcicleCell &each : icicle->cells())
            if (tree.cluster(each.cluster).path == "transformer.h.1") cell = &each;
        QVERIFY(cell);
        const QRectF box = icicle->boxOf(*cell, icicle->size());
        QVERIFY(box.height() > 4);
        QTest::mouseClick(icicle, Qt::LeftButton, {}, box.center().toPoint());
        QVERIFY(document().selectedModule());
        QCOMPARE(document().selectedModule()->path, std::string("transformer.h.1"));
        for (int row = 0; row < rows()->rowCount(); ++row)
            QVERIFY(said(row, TensorsTable::Module).startsWith(QStringLiteral("transformer.h.1")));
        // It moves with the cursor.
        document().setCursor(document().timeline()->timeUs * 0.02);
        QVERIFY(icicle->sample() < document().timeline()->peakSample);
    }

    void aModuleLightsUpAllItsStorages()
    {
        GraphView *graph = m_window->workspace()->graph();
        auto *memory = m_window->workspace()->memory()->canvas();
        const QImage before = memory->grab().toImage();
        const ClusterTree &tree = document().model()->open->modules;
        graph->revealPath(QStringLiteral("transformer.h.0"));
        const auto module = document().selectedModule();
        QVERIFY(module && module->path == "transformer.h.0");
        const auto at = std::find_if(tree.clusters.begin(), tree.clusters.end(),
                                     [](const Cluster &each) { return each.path == "transformer.h.0"; });
        const std::vector<OpId> ops = allOps(tree, ClusterId(static_cast<std::size_t>(at - tree.clusters.begin())));
        QCOMPARE(module->ops, ops);
        for (const OpId op : ops) {
            QVERIFY(document().selects(op));
            for (const StorageId storage : document().model()->graph().op(op).outputs)
                QVERIFY(document().selects(storage));
        }
        QVERIFY(!document().selection().op);
        const auto &held = memory->scene().moduleBytes();
        QCOMPARE(held.size(), document().timeline()->op.size());
        QVERIFY(*std::max_element(held.begin(), held.end()) > 0);
        for (std::size_t i = 0; i < held.size(); ++i)
            QVERIFY(held[i] >= 0 && held[i] <= document().timeline()->totalBytes[i]);
        QVERIFY(memory->grab().toImage() != before);
        if (qEnvironmentVariableIsSet("REMAT_LOOK")) m_window->grab().save(QStringLiteral("module.png"));
        // Every other view that draws storages shows it, too.
        const Workspace &workspace = *m_window->workspace();
        const std::pair<const char *, QWidget *> others[] = {{"show.lanes", workspace.view<LanesView>()},
                                                             {"show.addresses", workspace.view<AddressView>()},
                                                             {"show.matrix", workspace.view<MatrixView>()}};
        for (const auto &[show, view] : others) {
            document().clearSelection();
            command(show)->trigger();
            QTRY_VERIFY(m_window->idle() && view->isVisible());
            QTRY_VERIFY(!workspace.view<AddressView>()->isVisible() ||
                        workspace.view<AddressView>()->canvas()->scene().map);
            const QImage plain = view->grab().toImage();
            document().selectModule(module->path, module->ops);
            QVERIFY2(view->grab().toImage() != plain, show);
        }
        document().selectOp(OpId(3));
        QVERIFY(!document().selectedModule() && memory->scene().moduleBytes().empty());
    }

    void rangesAreSummedBesideTheMemory()
    {
        command("show.range")->trigger();
        auto *view = m_window->workspace()->view<RangeView>();
        auto *summary = named<QLabel>("rangeSummary");
        QVERIFY(view->isVisible() && !view->table()->isVisible());
        QVERIFY2(summary->text().startsWith(QStringLiteral("Hold Shift")), qPrintable(summary->text()));
        auto *memory = m_window->workspace()->memory()->canvas();
        const QRect plot = memory->layout().plot.toRect();
        const QPoint from(plot.left() + plot.width() / 3, plot.center().y());
        const QPoint to(plot.left() + plot.width() * 2 / 3, plot.center().y());
        QTest::mousePress(memory, Qt::LeftButton, Qt::ShiftModifier, from);
        QMouseEvent move(QEvent::MouseMove, to, memory->mapToGlobal(to), Qt::NoButton, Qt::LeftButton,
                         Qt::ShiftModifier);
        QCoreApplication::sendEvent(memory, &move);
        QTest::mouseRelease(memory, Qt::LeftButton, Qt::ShiftModifier, to);
        QVERIFY(document().time().range());
        QVERIFY(view->table()->isVisible() && view->table()->model()->rowCount() > 1);
        const RangeFigures figures = memory->scene().rangeFigures(*document().time().range());
        auto *by = named<QComboBox>("rangeBy");
        for (int each = 0; each < by->count(); ++each) {
            by->setCurrentIndex(each);
            qint64 came = 0, went = 0;
            for (int row = 0; row < view->table()->model()->rowCount(); ++row) {
                const auto bytes = [view, row](int column) {
                    return view->table()->model()->index(row, column).data(RowTable::kValueRole).toLongLong();
                };
                came += bytes(RangeTable::Came);
                went += bytes(RangeTable::Went);
            }
            QCOMPARE(came, qint64(figures.allocatedBytes));
            QCOMPARE(went, qint64(figures.freedBytes));
        }
        document().time().clearRange();
        QVERIFY(!view->table()->isVisible());
    }

    void theSourceFollowsTheSelection()
    {
        command("show.source")->trigger();
        auto *calls = named<QTableView>("callsTable");
        auto *summary = named<QLabel>("sourceSummary");
        QVERIFY(!calls->isVisible() && summary->text().startsWith(QStringLiteral("Select an op")));
        const auto said = [calls](int row, int role) { return calls->model()->index(row, 0).data(role).toString(); };
        const Graph &graph = document().model()->graph();
        document().selectOp(OpId(0));
        QTRY_VERIFY(summary->text().contains(QStringLiteral(" calls, the innermost first"))); // the stacks are read
        for (std::size_t op = 0; op < graph.ops.size(); op += 7) {
            document().selectOp(OpId(op));
            QVERIFY2(summary->text().contains(QStringLiteral(" calls, the innermost first")),
                     qPrintable(summary->text()));
            QVERIFY(calls->isVisible() && calls->model()->rowCount() >= 3);
            // The innermost is the line that the other views name.
            const QString line = toQString(graph.ops[op].source);
            QVERIFY2(line.endsWith(said(0, Qt::DisplayRole)), qPrintable(line));
            QVERIFY2(said(0, CallsTable::kPlaceRole).startsWith(line.section(u' ', 0, 0)), qPrintable(line));
        }
        // In full for the clipboard, the outermost first, as Python writes it.
        QTest::mouseClick(named<QWidget>("copyCalls"), Qt::LeftButton);
        const std::vector<StackFrame> copied = stackFrames(QApplication::clipboard()->text().toStdString());
        QCOMPARE(static_cast<int>(copied.size()), calls->model()->rowCount());
        QCOMPARE(toQString(copied.back().code), said(0, Qt::DisplayRole));
        // A module shows what its ops share, its gradients among them.
        const ClusterTree &tree = document().model()->open->modules;
        const auto select = [&](const std::string &path) {
            for (std::size_t i = 0; i < tree.clusters.size(); ++i)
                if (tree.clusters[i].path == path) document().selectModule(path, allOps(tree, ClusterId(i)));
            QVERIFY(document().selectedModule() && document().selectedModule()->path == path);
        };
        select("transformer.h.1.ln_1");
        QVERIFY2(summary->text().startsWith(QStringLiteral("transformer.h.1.ln_1: calls that all")),
                 qPrintable(summary->text()));
        QVERIFY(said(0, Qt::DisplayRole).contains(QStringLiteral("self.ln_1(")));
        select("transformer"); // this trace has the innermost three calls only
        QVERIFY2(summary->text().endsWith(QStringLiteral("no call in common.")), qPrintable(summary->text()));
        QVERIFY(!calls->isVisible());
        document().clearSelection();
        QVERIFY(!calls->isVisible());
    }
};

QTEST_MAIN(TestTensorsView)
#include "tst_tensors_view.moc"
