// SPDX-License-Identifier: Apache-2.0
// A walk through the real window: every view and command on the four full samples and on a graph of 10,000 ops. Says at
// the end which steps kept the window busy for longest; how long a step takes never decides.
#include "app/studio/shell/exports/exports.h"
#include "app/studio/shell/exports/model_csv.h"
#include "app/studio/shell/exports/view_picture.h"
#include "app/studio/shell/features/history_feature.h"
#include "app/studio/shell/features/search.h"
#include "app/studio/shell/features/step_player.h"
#include "app/studio/shell/palette/palette_box.h"
#include "app/studio/shell/window/main_window.h"
#include "app/studio/shell/workspace/workspace.h"
#include "app/studio/views/addresses/address_view.h"
#include "app/studio/views/compare/compare_view.h"
#include "app/studio/views/compare/comparing.h"
#include "app/studio/views/curve/curve_view.h"
#include "app/studio/views/explain/explainer.h"
#include "app/studio/views/graph/graph_view.h"
#include "app/studio/views/lanes/lanes_view.h"
#include "app/studio/views/matrix/matrix_view.h"
#include "app/studio/views/memory/memory_view.h"
#include "app/studio/views/plan/plan_panel.h"
#include "app/studio/views/search/results_view.h"
#include "app/studio/views/search/search_session.h"
#include "app/studio/work/document/time_window.h"
#include "core/base/file.h"
#include "core/exports/exporter.h"
#include "tests/studio/window_fixture.h"
#include "tests/support/graph_file.h"
#include "tests/support/sampled.h"

#include <QSvgRenderer>

#include <ctime>
#include <map>
#include <set>

using namespace remat;
using namespace remat::studio;

namespace {

constexpr int kLong = 120'000; ///< ms that anything is waited for at most

/// Time of the GUI thread on a processor: what else runs on the machine does not count.
double threadMs()
{
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

/// Knows the event that took longest.
class MeteredApplication : public QApplication
{
public:
    using QApplication::QApplication;

    bool notify(QObject *receiver, QEvent *event) override
    {
        if (m_inside) return QApplication::notify(receiver, event);
        m_inside = true;
        const QString who = QLatin1String(receiver->metaObject()->className());
        const int type = event->type();
        const double before = threadMs();
        const bool taken = QApplication::notify(receiver, event);
        const double spent = threadMs() - before;
        if (spent > longestMs) {
            longestMs = spent;
            longest = QStringLiteral("%1, event %2").arg(who).arg(type);
        }
        m_inside = false;
        return taken;
    }

    double longestMs = 0;
    QString longest;

private:
    bool m_inside = false;
};

struct WalkStep {
    QString what, longest;
    double ms = 0;
};

} // namespace

class TestWalk : public QObject
{
    Q_OBJECT

    fixture::OwnSettings m_settings;
    QTemporaryDir m_folder;
    std::map<QString, std::unique_ptr<MainWindow>> m_windows; ///< by row; opened once each
    std::map<QString, QString> m_states;                      ///< what undo goes back to at last
    MainWindow *m_window = nullptr;
    QString m_row;
    std::vector<WalkStep> m_steps;

    Document &document() { return m_window->session().document; }
    const Graph &graphOf() { return document().model()->graph(); }
    GraphView &graph() { return *m_window->workspace()->graph(); }
    QAction *command(const QString &id) { return m_window->commands().find(id); }
    template <class T>
    T *feature()
    {
        return m_window->findChild<T *>();
    }
    QString path(const QString &name) const { return m_folder.filePath(m_row + QLatin1Char('-') + name); }
    static QByteArray read(const QString &path)
    {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    std::int64_t percent(int share) { return document().model()->keepAll->peakBytes * share / 100; }

    /// A quick plan has 20 seconds of the clock. On a busy machine they may end before there is one of 10,000 ops
    /// around a decision, and that is said; on the samples it takes milliseconds.
    bool saysWhyNone() const { return large() && !m_window->session().quick.whyNone().isEmpty(); }

    bool large() const { return m_row == QLatin1String("layers"); }
    bool settled()
    {
        // Bounds of so many ops take minutes, and nothing here asks for them.
        if (large()) m_window->session().bound.cancel();
        const auto *addresses = feature<AddressView>();
        return m_window->idle() && !feature<Exports>()->running() && !feature<Explainer>()->running() &&
               (!addresses->isVisible() || !addresses->pending());
    }
    void settle()
    {
        QTRY_VERIFY_WITH_TIMEOUT(settled(), kLong);
        QCoreApplication::sendPostedEvents();
        QCoreApplication::processEvents();
    }

    /// Does something and waits for all that follows from it.
    template <class Work>
    void step(const QString &what, Work work)
    {
        auto &meter = static_cast<MeteredApplication &>(*qApp);
        meter.longestMs = 0;
        const double before = threadMs();
        work();
        const double direct = threadMs() - before;
        settle();
        const bool own = direct >= meter.longestMs;
        m_steps.push_back({m_row + QStringLiteral(": ") + what, own ? QStringLiteral("itself") : meter.longest,
                           std::max(direct, meter.longestMs)});
    }
    void trigger(const QString &id)
    {
        QAction *action = command(id);
        QVERIFY2(action, qPrintable(id));
        QVERIFY2(action->isEnabled(), qPrintable(id));
        step(id, [action] { action->trigger(); });
    }

    std::vector<std::pair<ViewArea *, QString>> views()
    {
        std::vector<std::pair<ViewArea *, QString>> all;
        for (const auto place :
             {Workspace::Area::Center, Workspace::Area::Second, Workspace::Area::Bottom, Workspace::Area::Right})
            for (const QString &id : m_window->workspace()->area(place)->ids())
                all.emplace_back(m_window->workspace()->area(place), id);
        return all;
    }
    void show(const QString &id)
    {
        step(QStringLiteral("show ") + id, [&] { m_window->workspace()->showView(id); });
    }

    /// More than a flat area.
    static bool hasContent(const QImage &image)
    {
        std::set<QRgb> colours;
        for (int y = 0; y < image.height(); y += 2)
            for (int x = 0; x < image.width(); x += 2)
                if (colours.insert(image.pixel(x, y)).second && colours.size() > 5) return true;
        return false;
    }

    /// Everything that undo promises, as text.
    QString state()
    {
        QString text = QString::number(document().budgetBytes());
        for (const auto &plan : document().plans())
            if (!plan->quick) text += QStringLiteral(" plan %1").arg(plan->id);
        for (const int id : document().compared())
            text += QStringLiteral(" compared %1").arg(id);
        text += QStringLiteral(" pins %1 %2 %3")
                    .arg(document().pins().keep.size())
                    .arg(document().pins().recompute.size())
                    .arg(document().pins().never.size());
        return text +
               QString::fromUtf8(QJsonDocument(m_window->session().viewStates.save(ViewStates::Use::Undo)).toJson());
    }

    void closeWhatOpened()
    {
        for (QWidget *widget : QApplication::topLevelWidgets()) {
            const bool known = std::any_of(m_windows.begin(), m_windows.end(),
                                           [&](const auto &entry) { return entry.second.get() == widget; });
            if (!known && widget->isVisible()) widget->close();
        }
    }

    void openWindow()
    {
        m_window = (m_windows[m_row] = std::make_unique<MainWindow>()).get();
        m_window->resize(1600, 1000);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window));
        step(QStringLiteral("open"), [this] {
            if (large()) {
                Graph graph = test::layeredGraph(360);
                graph.name = "layers";
                const QString file = m_folder.filePath(QStringLiteral("layers.json"));
                QVERIFY(writeFileAtomically(file.toStdString(), test::graphText(graph)).has_value());
                m_window->openFile(file);
            } else {
                QVERIFY(m_window->openSample(m_row));
            }
            QTRY_VERIFY_WITH_TIMEOUT(document().currentPlan(), kLong);
        });
        QTest::qWait(300); // what the views settled on is where undo ends
        m_states[m_row] = state();
    }

private Q_SLOTS:
    void initTestCase_data()
    {
        QTest::addColumn<QString>("model");
        constexpr std::size_t kModels = 5;
        std::size_t row = 0;
        for (const char *name : {"gpt2", "resnet50", "unet", "transformer", "layers"})
            if (test::isSampled(row++, kModels)) QTest::newRow(name) << QString::fromLatin1(name);
    }
    void initTestCase() { qputenv("REMAT_NO_ANIMATION", "1"); }
    void init()
    {
        QFETCH_GLOBAL(QString, model);
        m_row = model;
        const auto known = m_windows.find(model);
        for (const auto &[name, window] : m_windows)
            window->setVisible(name == model);
        if (known == m_windows.end())
            openWindow();
        else
            m_window = known->second.get();
        m_window->activateWindow();
        QTRY_VERIFY(m_window->isActiveWindow());
    }
    void cleanup() { closeWhatOpened(); }
    void cleanupTestCase()
    {
        m_windows.clear();
        std::sort(m_steps.begin(), m_steps.end(), [](const WalkStep &a, const WalkStep &b) { return a.ms > b.ms; });
        constexpr std::size_t kPrinted = 25;
        for (std::size_t i = 0; i < std::min(m_steps.size(), kPrinted); ++i)
            qInfo("%6.0f ms  %s (%s)", m_steps[i].ms, qPrintable(m_steps[i].what), qPrintable(m_steps[i].longest));
    }

    void modelIsOpenWithAFirstPlan()
    {
        const auto plan = document().currentPlan();
        QVERIFY(plan && !plan->timeline->op.empty());
        QVERIFY(verdictOf(*plan, 0).level == VerdictLevel::Ok);
        QVERIFY(!graph().visibleItems().empty());
        QVERIFY(graphOf().ops.size() > 150);
        if (large()) QVERIFY(graphOf().ops.size() > 10'000);
    }

    void budgetsAndSolvesGivePlans()
    {
        const auto solved = [this] {
            return std::count_if(document().plans().begin(), document().plans().end(),
                                 [](const auto &plan) { return !plan->quick; });
        };
        const int quick = document().currentPlan()->id;
        step(QStringLiteral("set the budget"), [&] {
            document().setBudget(percent(80));
            m_window->session().quick.refresh();
        });
        QVERIFY(document().currentPlan()->id != quick);
        QVERIFY(document().currentPlan()->timeline->peakBytes <= percent(80));
        m_window->workspace()->planPanel()->setPlanner("chen-sqrt");
        trigger(QStringLiteral("solve"));
        QCOMPARE(solved(), 1);
        document().setBudget(percent(60));
        SolveSettings settings;
        settings.planner = "search";
        settings.options = {{"moves", "0"}};
        settings.timeLimitSeconds = 100;
        step(QStringLiteral("solve by search"), [&] { m_window->session().solver.solve(settings); });
        QCOMPARE(solved(), 2);
        QVERIFY(verdictOf(*document().currentPlan(), 0).level == VerdictLevel::Ok);
        QVERIFY(document().currentPlan()->timeline->peakBytes <= percent(60));
        QVERIFY(document().currentPlan()->timeline->timeUs > document().model()->keepAllTimeUs);
    }

    void graphOpensAllTheWay()
    {
        show(QStringLiteral("graph"));
        const int closed = graph().table()->rowCount();
        trigger(QStringLiteral("openAll"));
        QVERIFY(graph().table()->rowCount() > closed);
        for (std::size_t i = 0; i < 7; ++i) {
            const ColourBy before = graph().colourBy();
            trigger(QStringLiteral("colourNext"));
            QVERIFY(graph().colourBy() != before);
        }
        const auto made = [this](StorageId read) { return bool(graphOf().storage(read).producer); };
        auto reader = graphOf().ops.begin() + static_cast<std::ptrdiff_t>(graphOf().ops.size() / 2);
        while (std::none_of(reader->inputs.begin(), reader->inputs.end(), made))
            ++reader;
        const OpId middle(static_cast<std::size_t>(reader - graphOf().ops.begin()));
        step(QStringLiteral("reveal an op"), [&] { graph().reveal(middle); });
        QCOMPARE(document().selection().op, middle);
        QVERIFY(graph().details()->isVisible());
        trigger(QStringLiteral("followProducer"));
        QVERIFY(document().selection().op != middle);
        trigger(QStringLiteral("followReader"));
        trigger(QStringLiteral("fit"));
        trigger(QStringLiteral("fit"));
        QVERIFY(hasContent(graph().grab().toImage()));
        step(QStringLiteral("show the partition"), [&] { graph().setHierarchy(Hierarchy::Partition); });
        QVERIFY(!graph().visibleItems().empty());
        step(QStringLiteral("open the partition"), [&] { graph().expandAll(); });
        step(QStringLiteral("show modules"), [&] { graph().setHierarchy(Hierarchy::Modules); });
        trigger(QStringLiteral("closeAll"));
        QVERIFY(graph().table()->rowCount() <= closed);
    }

    void everyViewShowsAndIsExported()
    {
        step(QStringLiteral("select"), [&] { document().selectOp(OpId(graphOf().ops.size() / 3)); });
        trigger(QStringLiteral("decide.keep")); // so that every table has a row
        feature<Search>()->session().setText(QStringLiteral("phase:backward"));
        for (const auto &[area, id] : views()) {
            show(id);
            QWidget *view = area->view(id);
            QVERIFY2(view->isVisible(), qPrintable(id));
            QVERIFY2(hasContent(view->grab().toImage()), qPrintable(id));
            area->focusTarget()->setFocus();
            for (const char *suffix : {".svg", ".pdf", ".png"}) {
                const QString file = path(id + QLatin1String(suffix));
                step(QStringLiteral("export ") + id + QLatin1String(suffix),
                     [&] { feature<Exports>()->exportView(file); });
                QVERIFY2(read(file).size() > 800, qPrintable(file));
            }
            QVERIFY(QSvgRenderer(path(id + QStringLiteral(".svg"))).isValid());
            QVERIFY(read(path(id + QStringLiteral(".pdf"))).startsWith("%PDF"));
            QCOMPARE(QImage(path(id + QStringLiteral(".png"))).size(), view->size() * 2);
            const QAbstractItemModel *table = tableOf(*view);
            if (!table || id == QLatin1String("source")) continue; // it shows the selection, and there is none
            if (id == QLatin1String("range"))                      // has rows once there is one
                document().time().setRange({0, document().time().view().length / 2});
            QVERIFY2(table->rowCount() > 0, qPrintable(id));
            const QString file = path(id + QStringLiteral(".csv"));
            step(QStringLiteral("export the table of ") + id, [&] { feature<Exports>()->exportTable(file); });
            QVERIFY2(read(file).count('\n') > table->rowCount(), qPrintable(file));
            document().time().clearRange();
        }
        trigger(QStringLiteral("decide.clearAll"));
    }

    void memoryByCategoryAndByStorage()
    {
        MemoryView &memory = *m_window->workspace()->memory();
        trigger(QStringLiteral("showMemory"));
        QVERIFY(memory.canvas()->scene().grouping() == Grouping::Category);
        const QImage categories = memory.grab().toImage();
        step(QStringLiteral("memory by storage"), [&] { memory.canvas()->setGrouping(Grouping::Storage, 60); });
        const QImage storages = memory.grab().toImage();
        QVERIFY(hasContent(storages) && storages != categories);
        step(QStringLiteral("list what is alive at the peak"), [&] { memory.canvas()->openAliveList(); });
        closeWhatOpened();
        // A range is measured and exported by itself.
        const int all = memory.table()->rowCount();
        TimeWindow &time = document().time();
        step(QStringLiteral("choose a range"), [&] {
            const double length = time.view().to - time.view().from;
            time.setRange({time.view().from + 0.3 * length, time.view().from + 0.4 * length});
        });
        QVERIFY(memory.table()->rowCount() > 0 && memory.table()->rowCount() < all / 2);
        step(QStringLiteral("clear the range"), [&] { time.clearRange(); });
        QCOMPARE(memory.table()->rowCount(), all);
        for (const AxisKind kind : {AxisKind::Steps, AxisKind::Time})
            step(QStringLiteral("change the axis"), [&] { time.setKind(kind); });
        step(QStringLiteral("zoom"), [&] { time.zoom((time.view().from + time.view().to) / 2, 4); });
        step(QStringLiteral("fit"), [&] { time.fit(); });
        step(QStringLiteral("memory by category"), [&] { memory.canvas()->setGrouping(Grouping::Category, 60); });
    }

    void lanesAddressesAndMatrixHaveTables()
    {
        trigger(QStringLiteral("show.lanes"));
        QVERIFY(feature<LanesView>()->table()->rowCount() >= static_cast<int>(graphOf().ops.size()));
        trigger(QStringLiteral("show.addresses"));
        QVERIFY(feature<AddressView>()->table()->rowCount() > 0);
        trigger(QStringLiteral("show.matrix"));
        const int all = feature<MatrixView>()->table()->rowCount();
        QVERIFY(all > 0);
        step(QStringLiteral("matrix of forward ops"), [&] { feature<MatrixView>()->columnsChoice()->setCurrent(1); });
        QVERIFY(feature<MatrixView>()->table()->rowCount() <= all);
        step(QStringLiteral("matrix of all ops"), [&] { feature<MatrixView>()->columnsChoice()->setCurrent(0); });
    }

    void plansAreCompared()
    {
        std::vector<int> ids;
        for (const auto &plan : document().plans())
            if (!plan->quick) ids.push_back(plan->id);
        QVERIFY(ids.size() >= 2);
        step(QStringLiteral("compare"), [&] { document().setCompared({ids[0], ids[1]}); });
        trigger(QStringLiteral("showCompare"));
        CompareView &compare = *feature<CompareView>();
        for (int level = 0; level < 3; ++level) {
            step(QStringLiteral("differences %1").arg(level), [&] { compare.levelChoice()->setCurrent(level); });
            QVERIFY(compare.table()->model()->rowCount() > 0);
        }
        step(QStringLiteral("differences"), [&] { compare.levelChoice()->setCurrent(0); });
        for (const int axis : {1, 2, 0})
            step(QStringLiteral("axis of compare"), [&] { compare.header()->axisChoice()->setCurrent(axis); });
        const QString first = compare.table()->csv();
        QVERIFY(first.count(QLatin1Char('\n')) > 1);
        trigger(QStringLiteral("compareSwap"));
        QCOMPARE(document().compared(), (std::vector<int>{ids[1], ids[0]}));
        QVERIFY(compare.table()->csv() != first);
        step(QStringLiteral("choose a difference"), [&] { compare.table()->selectRow(0); });
        QVERIFY(compare.table()->chosen());
    }

    void sweepsGivePointsAndStop()
    {
        trigger(QStringLiteral("showCurve"));
        SweepSettings settings;
        settings.planners = {"chen-sqrt"};
        settings.percents = {90, 70};
        step(QStringLiteral("sweep two budgets"), [&] { m_window->session().sweeps.start(settings); });
        QCOMPARE(m_window->session().sweeps.report().done, 2);
        QVERIFY(m_window->workspace()->curve()->table()->rowCount() > 2);
        step(QStringLiteral("stop a sweep"), [&] {
            command(QStringLiteral("sweep"))->trigger();
            QVERIFY(m_window->session().sweeps.running());
            command(QStringLiteral("stop"))->trigger();
        });
        QVERIFY(!m_window->session().sweeps.running());
    }

    void everythingIsExplained()
    {
        const auto &recomputed = document().currentPlan()->recomputedOps;
        const auto op = std::find(recomputed.begin(), recomputed.end(), 1) - recomputed.begin();
        QVERIFY(op < static_cast<std::ptrdiff_t>(recomputed.size()));
        trigger(QStringLiteral("showExplain"));
        step(QStringLiteral("explain an op"), [&] { document().selectOp(OpId(static_cast<std::size_t>(op))); });
        const PlanStory &story = feature<Explainer>()->story();
        QVERIFY(story.selected.question.contains(QStringLiteral("recomputed")));
        QVERIFY(story.selected.sentences.size() >= 2);
        QVERIFY(!story.peak.empty() && !story.budget.empty() && !story.more.empty());
        QVERIFY(!story.moment.holders.empty());
        // A cluster is answered for as a whole.
        for (const VisibleItem &item : graph().visibleItems()) {
            if (item.chevron.isEmpty()) continue;
            step(QStringLiteral("explain a cluster"), [&] { graph().revealPath(item.path); });
            break;
        }
        QVERIFY(story.selected.question.contains(QStringLiteral("becomes of")));
        QCOMPARE(story.selected.sentences.size(), 3);
    }

    void decisionsAreFollowed()
    {
        const auto &recomputed = document().currentPlan()->recomputedOps;
        const auto op = std::find(recomputed.begin(), recomputed.end(), 1) - recomputed.begin();
        step(QStringLiteral("select"), [&] { document().selectOp(OpId(static_cast<std::size_t>(op))); });
        const int before = document().currentPlan()->id;
        trigger(QStringLiteral("decide.keep"));
        QVERIFY(!document().pins().keep.empty());
        QVERIFY2(document().currentPlan()->id != before || saysWhyNone(), "keep");
        QVERIFY2(!document().currentPlan()->recomputedOps[static_cast<std::size_t>(op)] || saysWhyNone(), "keep");
        trigger(QStringLiteral("decide.recompute"));
        QVERIFY2(document().pins().keep.empty() && !document().pins().recompute.empty(),
                 qPrintable(QStringLiteral("%1 kept, %2 recomputed")
                                .arg(document().pins().keep.size())
                                .arg(document().pins().recompute.size())));
        QVERIFY2(document().currentPlan()->recomputedOps[static_cast<std::size_t>(op)] || saysWhyNone(), "recompute");
        trigger(QStringLiteral("decide.never"));
        QVERIFY(!document().pins().never.empty());
        trigger(QStringLiteral("decide.clear"));
        QVERIFY(document().pins().empty());
    }

    void looksBackAndForward()
    {
        step(QStringLiteral("select"), [&] { document().selectOp(OpId(3)); });
        QTest::qWait(1200); // what follows at once is one place with it
        step(QStringLiteral("select"), [&] { document().selectOp(OpId(graphOf().ops.size() - 3)); });
        trigger(QStringLiteral("viewBack"));
        QCOMPARE(document().selection().op, OpId(3));
        trigger(QStringLiteral("viewForward"));
        QCOMPARE(document().selection().op, OpId(graphOf().ops.size() - 3));
    }

    void opsAreFound()
    {
        SearchSession &search = feature<Search>()->session();
        trigger(QStringLiteral("find"));
        for (const char *text : {"phase:backward", "recomputed", "size>1KiB", "time>1µs phase:forward"}) {
            step(QStringLiteral("find ") + QString::fromUtf8(text), [&] { search.setText(QString::fromUtf8(text)); });
            QVERIFY2(search.problem().isEmpty() && !search.matches().empty(), text);
        }
        trigger(QStringLiteral("findNextMatch"));
        const OpId first = document().selection().op;
        QVERIFY(first);
        trigger(QStringLiteral("findNextMatch"));
        QVERIFY(document().selection().op != first);
        trigger(QStringLiteral("findPreviousMatch"));
        QCOMPARE(document().selection().op, first);
        trigger(QStringLiteral("showResults"));
        QCOMPARE(feature<ResultsView>()->table()->model()->rowCount(), static_cast<int>(search.matches().size()));
        step(QStringLiteral("sort the results"),
             [&] { feature<ResultsView>()->table()->sortByColumn(2, Qt::DescendingOrder); });
        step(QStringLiteral("end the search"), [&] { search.clear(); });
    }

    void paletteFindsOpsAndCommands()
    {
        trigger(QStringLiteral("palette"));
        auto *box = feature<PaletteBox>();
        QVERIFY(box && box->isVisible());
        const QString name = QString::fromStdString(graphOf().ops[graphOf().ops.size() / 2].name);
        QTRY_VERIFY_WITH_TIMEOUT(
            [&] {
                box->field()->clear();
                box->field()->insert(QStringLiteral("#"));
                box->list().finish();
                return box->list().fitting() > 100;
            }(),
            kLong);
        step(QStringLiteral("type into the palette"), [&] {
            box->field()->clear();
            QTest::keyClicks(box->field(), QStringLiteral(">matrix"));
        });
        box->list().finish();
        QVERIFY(box->list().fitting() > 0);
        step(QStringLiteral("choose in the palette"), [&] { QTest::keyClick(box->field(), Qt::Key_Return); });
        QCOMPARE(m_window->workspace()->area(Workspace::Area::Center)->current(), QStringLiteral("matrix"));
    }

    void planIsPlayedStepByStep()
    {
        if (!command(QStringLiteral("stepPlayer"))->isChecked()) trigger(QStringLiteral("stepPlayer"));
        auto *player = feature<StepPlayer>();
        Replay &replay = m_window->session().replay;
        const std::int64_t last = static_cast<std::int64_t>(document().timeline()->op.size()) - 1;
        for (const std::int64_t sample : {std::int64_t(0), last / 2, last}) {
            step(QStringLiteral("go to a step"), [&] { replay.go(sample); });
            QCOMPARE(replay.sample(), sample);
            QVERIFY(!player->story().isEmpty());
            QVERIFY(document().cursorUs() >= 0);
        }
        step(QStringLiteral("play"), [&] {
            replay.go(0);
            trigger(QStringLiteral("stepPlay"));
            QTRY_VERIFY_WITH_TIMEOUT(replay.sample() > 2, kLong);
            replay.pause();
        });
    }

    void plansAndReportsAreWritten()
    {
        for (const ExportFormat &format : exportFormats()) {
            const QString name = QString::fromStdString(format.name);
            const QString file = path(QStringLiteral("plan-") + name);
            step(QStringLiteral("export the plan as ") + name, [&] { feature<Exports>()->exportPlan(name, file); });
            // Graphs without operators have no code.
            const bool code = !large() || !format.needsOperators;
            QCOMPARE(read(file).size() > 300, code);
        }
        QVERIFY(!QJsonDocument::fromJson(read(path(QStringLiteral("plan-chrome-trace")))).isNull());
        step(QStringLiteral("save the plan"), [&] { m_window->savePlanTo(path(QStringLiteral("plan.json"))); });
        const auto saved = QJsonDocument::fromJson(read(path(QStringLiteral("plan.json")))).object();
        QCOMPARE(saved[QLatin1String("format")].toString(), QStringLiteral("remat-plan/1"));
        step(QStringLiteral("write a report"),
             [&] { feature<Exports>()->writeReport(path(QStringLiteral("report.html"))); });
        QVERIFY(read(path(QStringLiteral("report.html"))).contains("<svg"));
    }

    void everyCommandRuns()
    {
        // What ends the window, asks the network of windows, or runs for long has tests of its own.
        const std::set<QString> elsewhere = {
            QStringLiteral("quit"),         QStringLiteral("closeWindow"), QStringLiteral("newWindow"),
            QStringLiteral("scale.up"),     QStringLiteral("scale.down"),  QStringLiteral("scale.normal"),
            QStringLiteral("measure"),      QStringLiteral("validate"),    QStringLiteral("undo"),
            QStringLiteral("redo"),         QStringLiteral("viewBack"),    QStringLiteral("viewForward"),
            QStringLiteral("removePlan"),   QStringLiteral("startPage"),   QStringLiteral("solve"),
            QStringLiteral("theme.system"), QStringLiteral("sweep"),       QStringLiteral("closeModel")};
        QStringList disabled;
        for (const Commands::Item &item : m_window->commands().items()) {
            const QString id = item.action->objectName();
            // A theme is of all windows; every view was painted before.
            if (id.startsWith(QLatin1String("theme.")) && m_row != QLatin1String("gpt2")) continue;
            // Another model comes up, with its own plans: tst_step_updates, tst_chunks.
            if (id.startsWith(QLatin1String("updates.")) || id.startsWith(QLatin1String("chunk."))) continue;
            if (elsewhere.contains(id) || (large() && id == QLatin1String("goToFloorAction"))) continue;
            step(QStringLiteral("select"), [&] {
                document().setBudget(percent(60));
                document().selectOp(OpId(graphOf().ops.size() / 3));
            });
            if (!item.action->isEnabled()) {
                disabled << id;
                continue;
            }
            step(id, [&] { item.action->trigger(); });
            if (item.action->isCheckable() && id.indexOf(QLatin1String("theme.")) < 0)
                step(id + QStringLiteral(" again"), [&] { item.action->trigger(); });
            closeWhatOpened();
        }
        // Nothing runs, no lesson is open, nothing is looked for, nothing is decided, nothing failed, no window was
        // closed and no model, and one is open.
        const QStringList idle = {
            QStringLiteral("stop"),           QStringLiteral("lesson.next"),       QStringLiteral("lesson.back"),
            QStringLiteral("lesson.hint"),    QStringLiteral("lesson.focus"),      QStringLiteral("lesson.end"),
            QStringLiteral("findNextMatch"),  QStringLiteral("findPreviousMatch"), QStringLiteral("decide.clearAll"),
            QStringLiteral("showFailedStep"), QStringLiteral("reopenLast"),        QStringLiteral("reopenClosed"),
            QStringLiteral("nextModel"),      QStringLiteral("previousModel")};
        for (const QString &id : disabled)
            QVERIFY2(idle.contains(id), qPrintable(id));
        trigger(QStringLiteral("preset.plan"));
        trigger(QStringLiteral("resetLayout"));
        QVERIFY(document().currentPlan());
    }

    void sessionReopensAsItWas()
    {
        const QString file = path(QStringLiteral("walk.remat"));
        step(QStringLiteral("save the session"), [&] { m_window->saveSessionTo(file); });
        const QString before = state();
        MainWindow *first = m_window;
        {
            MainWindow second;
            second.resize(1600, 1000);
            second.show();
            QVERIFY(QTest::qWaitForWindowExposed(&second));
            m_window = &second;
            step(QStringLiteral("reopen the session"), [&] {
                second.openFile(file);
                QTRY_VERIFY_WITH_TIMEOUT(document().currentPlan(), kLong);
            });
            QCOMPARE(state(), before);
            QCOMPARE(second.session().solver.jobs().size(), first->session().solver.jobs().size());
            QVERIFY(!second.session().solver.jobs().empty());
            QCOMPARE(document().currentPlan()->timeline->peakBytes,
                     first->session().document.currentPlan()->timeline->peakBytes);
        }
        m_window = first;
    }

    void everythingIsUndoneAndRedone()
    {
        QUndoStack &stack = *feature<HistoryFeature>()->history().stack();
        const QString now = state();
        QVERIFY2(stack.count() > 5, qPrintable(QString::number(stack.count()))); // what was only looked at is no step
        int undone = 0;
        for (; stack.canUndo(); ++undone) {
            const QString what = stack.undoText();
            step(QStringLiteral("undo ") + what, [&] { command(QStringLiteral("undo"))->trigger(); });
        }
        QCOMPARE(state(), m_states[m_row]);
        for (; undone > 0; --undone) {
            const QString what = stack.redoText();
            step(QStringLiteral("redo ") + what, [&] { command(QStringLiteral("redo"))->trigger(); });
        }
        QCOMPARE(state(), now);
        QVERIFY(!stack.canRedo());
    }
};

int main(int argc, char **argv)
{
    MeteredApplication application(argc, argv);
    QTEST_SET_MAIN_SOURCE_PATH
    TestWalk test;
    return QTest::qExec(&test, argc, argv);
}
#include "tst_walk.moc"
