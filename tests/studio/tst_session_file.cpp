// SPDX-License-Identifier: Apache-2.0
// Session files in the real window: everything comes back, and nothing bad gets further than a sentence.
#include "app/studio/base/text/text.h"
#include "app/studio/base/widgets/message_strip.h"
#include "app/studio/shell/features/history_feature.h"
#include "app/studio/shell/start_page/start_page.h"
#include "app/studio/shell/workspace/workspace.h"
#include "app/studio/views/graph/graph_view.h"
#include "app/studio/views/memory/memory_view.h"
#include "app/studio/work/document/time_window.h"
#include "app/studio/work/pages/autosave.h"
#include "app/studio/work/session/last_session.h"
#include "app/studio/work/session/recovery.h"
#include "core/base/file.h"
#include "tests/studio/window_test.h"

using namespace remat;
using namespace remat::studio;

class TestSessionFile : public QObject, fixture::InWindow
{
    Q_OBJECT

    void startWindow() { openWindow(); }

    void waitIdle() { QTRY_VERIFY(m_window->idle()); }

    void openChain(int stages = 12)
    {
        m_window->openFile(fixture::writeChain(m_folder, stages));
        QTRY_VERIFY(document().model());
        waitIdle();
    }

    void addPlan(const char *planner, int percent)
    {
        const std::int64_t peak = document().model()->keepAll->peakBytes;
        document().addPlan(
            fixture::solvedEntry(*document().model(), planner, peak * percent / 100, document().nextPlanId()));
    }

    /// A session with something of everything in it.
    void arrange()
    {
        openChain();
        addPlan("chen-sqrt", 70);
        addPlan("keep-all", 100);
        const int first = document().plans().front()->id;
        const int second = document().plans().back()->id;
        document().setCurrentPlan(first);
        document().setBudget(document().model()->keepAll->peakBytes * 7 / 10 + 1);
        document().setCompared({second, first});
        document().setPins({{document().model()->graph().op(OpId(2)).outputs.front()}, {OpId(4)}, {OpId(6)}});
        document().selectOp(OpId(3));
        document().time().setKind(AxisKind::Steps);
        document().time().show(3, 20);
        document().setCursor(55);
        GraphView *graph = m_window->workspace()->graph();
        for (const VisibleItem &item : graph->visibleItems())
            if (!item.chevron.isEmpty() && !graph->isExpanded(item.path)) {
                graph->expand(item.path);
                break;
            }
        waitIdle();
        graph->canvas()->zoomAround({200, 200}, 0.9);
        m_window->findChild<QSpinBox *>(QStringLiteral("timeLimit"))->setValue(33);
        m_window->resizeDocks({m_window->findChild<QDockWidget *>(QStringLiteral("memoryDock"))}, {400}, Qt::Vertical);
        QTest::qWait(50);
    }

    QString saved(const char *name)
    {
        const QString path = m_folder.filePath(QString::fromLatin1(name));
        m_window->saveSessionTo(path);
        [&] { QTRY_VERIFY(m_window->messages()->sentence().contains(path)); }();
        return path;
    }

    static QJsonObject json(const QString &path)
    {
        QFile file(path);
        if (!file.open(QIODevice::ReadOnly)) return {};
        return QJsonDocument::fromJson(file.readAll()).object();
    }

    QImage picture()
    {
        m_window->messages()->clear();
        QTest::qWait(400);
        waitIdle();
        m_window->findChild<QWidget *>(QStringLiteral("status.saved"))->hide(); // says another time
        QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);     // what stands beside it moves
        return m_window->grab().toImage();
    }

private Q_SLOTS:
    void initTestCase() { qputenv("REMAT_NO_ANIMATION", "1"); }

    void init()
    {
        QSettings().clear();
        QDir(keptSessionsFolder()).removeRecursively();
        startWindow();
    }

    void cleanup() { m_window.reset(); }

    void reopensExactly()
    {
        arrange();
        const QString path = saved("all.remat");
        m_window->findChild<HistoryFeature *>()->history().clear(); // undo is not kept, and its button shows that
        const QImage before = picture();
        const Selection selection = document().selection();
        const Pins pins = document().pins();
        const auto compared = document().compared();
        const auto plan = document().currentPlan();
        const std::size_t plans = document().plans().size();
        m_window.reset();
        QSettings().clear(); // what is shown comes from the session alone
        startWindow();
        m_window->openFile(path);
        QTRY_VERIFY(document().model());
        waitIdle();
        QCOMPARE(document().plans().size(), plans);
        QCOMPARE(document().currentPlan()->id, plan->id);
        QVERIFY(document().currentPlan()->plan->steps == plan->plan->steps);
        QCOMPARE(document().currentPlan()->timeline->peakBytes, plan->timeline->peakBytes);
        QCOMPARE(document().selection(), selection);
        QVERIFY(document().pins() == pins);
        QCOMPARE(document().compared(), compared);
        QCOMPARE(document().time().view().from, 3.0);
        QCOMPARE(document().cursorUs(), 55.0);
        const QImage after = picture();
        if (after != before) {
            before.save(QDir::temp().filePath(QStringLiteral("session-before.png")));
            after.save(QDir::temp().filePath(QStringLiteral("session-after.png")));
        }
        QCOMPARE(after.size(), before.size());
        QVERIFY2(after == before, "see session-before.png and session-after.png in the folder for temporary files");
        // Undo does not lead out of the session.
        QVERIFY(!m_window->findChild<HistoryFeature *>()->history().stack()->canUndo());
        // Saved again it is the same but for the moment; of the window the picture above is the judge.
        QJsonObject one = json(path), two = json(saved("again.remat"));
        for (QJsonObject *each : {&one, &two}) {
            each->remove(QStringLiteral("saved_ms"));
            each->remove(QStringLiteral("window")); // Qt's own record, which has sizes of docks that are not shown
        }
        QCOMPARE(two, one);
    }

    void aModelThatMovedIsAskedFor()
    {
        openChain();
        const QString path = saved("moved.remat");
        const QString model = m_folder.filePath(QStringLiteral("chain12.json"));
        const QString there = m_folder.filePath(QStringLiteral("elsewhere.json"));
        QVERIFY(QFile::rename(model, there));
        m_window.reset();
        startWindow();
        m_window->openFile(path);
        QTRY_VERIFY(m_window->messages()->isVisible());
        const QString sentence = m_window->messages()->sentence();
        QVERIFY2(sentence.contains(QStringLiteral("chain12.json")) && sentence.contains(QStringLiteral("moved.remat")),
                 qPrintable(sentence));
        auto *action = m_window->messages()->findChild<QAbstractButton *>(QStringLiteral("messageAction"));
        QVERIFY(action->isVisible() && action->text() == QStringLiteral("Choose the model…"));
        QVERIFY(!document().model());
        QVERIFY(QFile::rename(there, model));
        // A session beside its model finds it wherever both went.
        QDir(m_folder.path()).mkpath(QStringLiteral("new"));
        const QString movedModel = m_folder.filePath(QStringLiteral("new/chain12.json"));
        const QString movedSession = m_folder.filePath(QStringLiteral("new/moved.remat"));
        QVERIFY(QFile::rename(model, movedModel) && QFile::rename(path, movedSession));
        m_window->openFile(movedSession);
        QTRY_VERIFY(document().model());
        QCOMPARE(m_window->session().loader.modelPath(), movedModel);
    }

    void aModelThatChangedIsRefused()
    {
        openChain(12);
        const QString path = saved("changed.remat");
        openChain(9);
        const auto before = document().model();
        QFile::remove(m_folder.filePath(QStringLiteral("chain12.json")));
        QVERIFY(QFile::copy(m_folder.filePath(QStringLiteral("chain9.json")),
                            m_folder.filePath(QStringLiteral("chain12.json"))));
        m_window->openFile(path);
        QTRY_VERIFY(m_window->messages()->sentence().contains(QStringLiteral("another graph")));
        QCOMPARE(document().model(), before);
        m_window->messages()->clear();
    }

    void everyBrokenFileIsASentence()
    {
        arrange();
        const QString path = saved("whole.remat");
        const auto text = readFile(path.toStdString());
        QVERIFY(text.has_value());
        const auto before = document().model();
        const QString broken = m_folder.filePath(QStringLiteral("broken.remat"));
        const auto refused = [&](std::string_view content) {
            QVERIFY(writeFileAtomically(broken.toStdString(), content).has_value());
            m_window->messages()->clear();
            m_window->openFile(broken);
            QTRY_VERIFY(m_window->messages()->isVisible());
            QVERIFY2(m_window->messages()->sentence().contains(QStringLiteral("broken.remat")),
                     qPrintable(m_window->messages()->sentence()));
            QCOMPARE(document().model(), before);
        };
        for (std::size_t tenth = 0; tenth < 10; ++tenth)
            refused(std::string_view(*text).substr(0, text->size() * tenth / 10));
        refused("\0\1\2\3 not a session");
        refused("[]");
        std::string other = *text; // a plan that names an op the graph does not have
        other.replace(other.rfind("\"compute\",\"op\":\"") + 16, 2, "zz");
        refused(other);
        m_window->openFile(m_folder.filePath(QStringLiteral("nowhere.remat")));
        QTRY_VERIFY(m_window->messages()->sentence().contains(QStringLiteral("nowhere.remat")));
    }

    void whatIsShownIsKeptAndSaidSo()
    {
        openChain();
        QTRY_VERIFY(m_window->autosave().lastSaved().isValid());
        auto *label = m_window->findChild<QLabel *>(QStringLiteral("status.saved"));
        QTRY_VERIFY(label->isVisible());
        QVERIFY2(label->text().startsWith(QStringLiteral("Saved ")), qPrintable(label->text()));
        const QString path = m_window->autosave().path();
        QVERIFY(QFileInfo(path).isFile());
        document().setBudget(document().model()->keepAll->peakBytes / 2);
        const auto kept = [&] {
            return json(path)[QStringLiteral("models")][0][QStringLiteral("budget_bytes")].toInteger();
        };
        QTRY_COMPARE_WITH_TIMEOUT(kept(), document().budgetBytes(), Autosave::kEveryMs + 2000);
        // Nobody else takes it for a session that was left.
        QVERIFY(findLeftSessions(keptSessionsFolder()).empty());
        m_window.reset();
        QVERIFY(!QFileInfo::exists(path));
    }

    void whatWasLeftIsOfferedAndReopened()
    {
        arrange();
        QVERIFY(m_window->autosave().writeNow());
        const QString left = keptSessionsFolder() + QStringLiteral("/999999-1.remat");
        QVERIFY(QFile::copy(m_window->autosave().path(), left));
        const int current = document().currentPlan()->id;
        m_window.reset();
        startWindow();
        m_window->recover(false);
        QTRY_VERIFY(m_window->messages()->isVisible());
        QVERIFY2(m_window->messages()->sentence().contains(QStringLiteral("ended unexpectedly")) &&
                     m_window->messages()->sentence().contains(QStringLiteral("2 plans")),
                 qPrintable(m_window->messages()->sentence()));
        auto *row = m_window->findChild<QAbstractButton *>(QStringLiteral("left.1"));
        QVERIFY(row && row->isVisible());
        QTest::mouseClick(row, Qt::LeftButton);
        QTRY_VERIFY(document().model());
        QCOMPARE(document().currentPlan()->id, current);
        QTRY_VERIFY(!QFileInfo::exists(left)); // its own file has it now
        QVERIFY(QFileInfo(m_window->autosave().path()).isFile());
    }

    void whatWasLeftCanBeForgotten()
    {
        openChain();
        QVERIFY(m_window->autosave().writeNow());
        const QString left = keptSessionsFolder() + QStringLiteral("/999999-1.remat");
        QVERIFY(QFile::copy(m_window->autosave().path(), left));
        m_window.reset();
        startWindow();
        m_window->recover(false);
        QTRY_VERIFY(m_window->findChild<QAbstractButton *>(QStringLiteral("left.forget")));
        QTest::mouseClick(m_window->findChild<QAbstractButton *>(QStringLiteral("left.forget")), Qt::LeftButton);
        QVERIFY(!QFileInfo::exists(left));
        QTRY_VERIFY(!m_window->findChild<QAbstractButton *>(QStringLiteral("left.1")));
    }

    void theQueueOfSolvesComesBack()
    {
        openChain();
        document().setBudget(document().model()->keepAll->peakBytes * 7 / 10);
        SolveSettings settings;
        settings.planner = "chen-sqrt";
        SolveRunner *solver = &m_window->session().solver;
        solver->solve(settings);
        QTRY_VERIFY(!solver->running());
        const SolveReport ended = solver->report();
        const int plan = solver->jobs().front()->planId();
        document().setPins({{}, {}, {OpId(6)}});
        settings.planner = "search";
        settings.options = {{"moves", "7"}};
        settings.timeLimitSeconds = 77;
        solver->solve(settings);
        QVERIFY(solver->running());
        const QString path = m_folder.filePath(QStringLiteral("queue.remat"));
        m_window->saveSessionTo(path); // takes what there is at once
        QTRY_VERIFY(m_window->messages()->sentence().contains(path));
        m_window.reset();
        startWindow();
        m_window->openFile(path);
        QTRY_VERIFY(document().model());
        solver = &m_window->session().solver;
        QTRY_COMPARE(solver->jobs().size(), std::size_t(2));
        const SolveJob &first = *solver->jobs()[0], &second = *solver->jobs()[1];
        QCOMPARE(first.report().state, ended.state);
        QCOMPARE(first.report().plannerTitle, ended.plannerTitle);
        QCOMPARE(first.report().seconds, ended.seconds);
        QCOMPARE(first.planId(), plan);
        // What ran goes on, around what was decided then.
        QVERIFY(second.settings() == settings);
        QVERIFY(second.record().pins == (Pins{{}, {}, {OpId(6)}}));
        QTRY_VERIFY(second.report().ended());
        QVERIFY(std::any_of(document().plans().begin(), document().plans().end(),
                            [&](const auto &each) { return each->id == second.planId(); }));
    }

    void theLastSessionIsReopened()
    {
        QFile::remove(lastSessionPath());
        m_window.reset();
        startWindow();
        QVERIFY(!m_window->commands().find(QStringLiteral("reopenLast"))->isEnabled());
        QVERIFY(!m_window->findChild<QAbstractButton *>(QStringLiteral("lastSession")));
        arrange();
        const int current = document().currentPlan()->id;
        const std::int64_t budget = document().budgetBytes();
        QVERIFY(m_window->close());
        m_window.reset();
        QVERIFY(QFileInfo(lastSessionPath()).isFile());
        QVERIFY(findLeftSessions(keptSessionsFolder()).empty()); // it did not end unexpectedly
        startWindow();
        auto *row = m_window->findChild<QAbstractButton *>(QStringLiteral("lastSession"));
        QVERIFY(row && row->isVisible());
        QVERIFY(m_window->commands().find(QStringLiteral("reopenLast"))->isEnabled());
        QTest::mouseClick(row, Qt::LeftButton);
        QTRY_VERIFY(document().model());
        QCOMPARE(document().currentPlan()->id, current);
        QCOMPARE(document().budgetBytes(), budget);
    }

    /// A session that only a later version reads; everything in it is somebody's work.
    static QByteArray newerSession()
    {
        return R"({"format": "remat-session/99", "written_by": "remat-studio 9", "models": [{"plans": []}]})";
    }

    void aLastSessionOfANewerVersionIsKept()
    {
        const QFileInfo last(lastSessionPath());
        const auto kept = [&] { return last.dir().entryInfoList({QStringLiteral("last-*.remat")}, QDir::Files); };
        for (const QFileInfo &file : kept())
            QFile::remove(file.filePath());
        QFile::remove(last.filePath());
        QVERIFY(writeFileAtomically(toPath(last.filePath()), newerSession().toStdString()));
        arrange();
        QVERIFY(m_window->close());
        m_window.reset();
        QVERIFY(readSessionFile(last.filePath()).has_value());
        QCOMPARE(kept().size(), 1);
        QCOMPARE(QString::fromStdString(*readFile(toPath(kept().front().filePath()))),
                 QString::fromUtf8(newerSession()));
        startWindow();
        m_window->recover(false);
        QTRY_VERIFY(m_window->messages()->isVisible());
        QVERIFY2(m_window->messages()->sentence().contains(kept().front().filePath()) &&
                     m_window->messages()->sentence().contains(QStringLiteral("newer")),
                 qPrintable(m_window->messages()->sentence()));
        m_window.reset();
        startWindow(); // and is said once
        m_window->recover(false);
        QTRY_VERIFY(m_window->idle());
        QTest::qWait(100);
        QVERIFY2(m_window->messages()->sentence().isEmpty(), qPrintable(m_window->messages()->sentence()));
    }

    void whatANewerVersionLeftBehindStays()
    {
        const QString left = keptSessionsFolder() + QStringLiteral("/999999-1.remat");
        QVERIFY(writeFileAtomically(toPath(left), newerSession().toStdString()));
        QVERIFY(findLeftSessions(keptSessionsFolder()).empty());
        QVERIFY(QFileInfo(left).isFile());
    }

    void sessionsOfEarlierVersionsHaveAnotherEnding()
    {
        arrange();
        QVERIFY(m_window->close());
        m_window.reset();
        const QString now = lastSessionPath();
        QVERIFY(now.endsWith(QStringLiteral("/last.remat")));
        const QString before = QString(now).replace(QStringLiteral(".remat"), QStringLiteral(".rematsession"));
        QFile::remove(before);
        QVERIFY(QFile::rename(now, before));
        QVERIFY(QFile::copy(before, keptSessionsFolder() + QStringLiteral("/999999-1.rematsession")));
        QCOMPARE(findLeftSessions(keptSessionsFolder()).size(), std::size_t(1));
        startWindow();
        QVERIFY(m_window->commands().find(QStringLiteral("reopenLast"))->isEnabled());
        m_window->openFile(lastSessionPath());
        QTRY_VERIFY(document().model());
        QCOMPARE(document().pins().keep.size(), std::size_t(1));
        QVERIFY(m_window->close());
        m_window.reset();
        QVERIFY(QFileInfo(now).isFile() && !QFileInfo::exists(before));
    }

    void twoWindowsHaveSessionsOfTheirOwn()
    {
        openChain();
        m_window->commands().find(QStringLiteral("newWindow"))->trigger();
        MainWindow *other = nullptr;
        for (QWidget *widget : QApplication::topLevelWidgets())
            if (auto *window = qobject_cast<MainWindow *>(widget); window && window != m_window.get()) other = window;
        QVERIFY(other && other->isVisible());
        other->openFile(m_folder.filePath(QStringLiteral("chain12.json")));
        QTRY_VERIFY(other->session().document.model());
        other->session().document.setBudget(12345678);
        QVERIFY(document().budgetBytes() != 12345678);
        QVERIFY(other->autosave().path() != m_window->autosave().path());
        QPointer<MainWindow> gone = other;
        other->commands().find(QStringLiteral("closeWindow"))->trigger();
        QTRY_VERIFY(!gone);
        QVERIFY(m_window->isVisible());
    }
};

QTEST_MAIN(TestSessionFile)
#include "tst_session_file.moc"
