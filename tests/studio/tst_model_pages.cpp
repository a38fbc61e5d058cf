// SPDX-License-Identifier: Apache-2.0
// Several open models in one real window: each keeps all the work on it, whatever is opened, closed or ended.
#include "core/base/expected.h"

#include "app/studio/base/widgets/message_strip.h"
#include "app/studio/shell/features/history_feature.h"
#include "app/studio/shell/start_page/recent_files.h"
#include "app/studio/shell/window/page_tabs.h"
#include "app/studio/shell/workspace/view_area.h"
#include "app/studio/shell/workspace/workspace.h"
#include "app/studio/views/graph/graph_view.h"
#include "app/studio/work/document/time_window.h"
#include "app/studio/work/pages/autosave.h"
#include "app/studio/work/pages/model_pages.h"
#include "app/studio/work/session/last_session.h"
#include "tests/studio/window_test.h"

#include <QAbstractButton>
#include <QApplication>
#include <QDropEvent>
#include <QMessageBox>
#include <QMimeData>
#include <QTabBar>
#include <QTimer>

#include <time.h>

using namespace remat;
using namespace remat::studio;

namespace {

constexpr int kPlans = 27; // as many as were lost once

/// What a person would look for on coming back to a model.
struct Work {
    std::vector<int> plans;
    std::vector<Step> currentSteps;
    int current = 0;
    std::int64_t budget = 0;
    Pins pins;
    std::vector<int> compared;
    Selection selection;
    double seenFrom = 0;
    AxisKind axis = AxisKind::Time;

    bool operator==(const Work &) const = default;
};

} // namespace

class TestModelPages : public QObject, fixture::InWindow
{
    Q_OBJECT

    ModelPages &pages() { return m_window->pages(); }
    QTabBar *bar() { return m_window->findChild<PageTabs *>()->bar(); }
    bool stripSeen() { return m_window->findChild<PageTabs *>()->isVisible(); }
    History &history() { return m_window->findChild<HistoryFeature *>()->history(); }
    void waitIdle() { QTRY_VERIFY(m_window->idle()); }

    void open(int stages)
    {
        const QString path = fixture::writeChain(m_folder, stages);
        m_window->openFile(path);
        QTRY_COMPARE(m_window->session().loader.modelPath(), path);
        waitIdle();
    }

    void addPlan(int percent)
    {
        const std::int64_t peak = document().model()->keepAll->peakBytes;
        document().addPlan(fixture::solvedEntry(*document().model(), percent < 100 ? "chen-sqrt" : "keep-all",
                                                peak * percent / 100, document().nextPlanId()));
    }

    /// Something of everything, as an afternoon leaves it.
    void work(int plans)
    {
        for (int i = 0; i < plans; ++i)
            addPlan(70 + i);
        const int first = document().plans().front()->id, last = document().plans().back()->id;
        document().setCurrentPlan(first);
        m_window->setBudget(document().model()->keepAll->peakBytes * 7 / 10 + plans);
        waitIdle();
        document().setCurrentPlan(first);
        document().setCompared({last, first});
        document().setPins({{document().model()->graph().op(OpId(2)).outputs.front()}, {OpId(4)}, {}});
        document().selectOp(OpId(3));
        document().time().setKind(AxisKind::Steps);
        document().time().show(3, 12);
        waitIdle();
    }

    Work seen()
    {
        Work work;
        for (const auto &plan : document().plans())
            if (!plan->quick) work.plans.push_back(plan->id);
        if (const auto current = document().currentPlan()) {
            work.current = current->id;
            work.currentSteps = current->plan->steps;
        }
        work.budget = document().budgetBytes();
        work.pins = document().pins();
        work.compared = document().compared();
        work.selection = document().selection();
        work.seenFrom = document().time().view().from;
        work.axis = document().time().kind();
        return work;
    }

    void drop(const QString &path)
    {
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(path)});
        QDragEnterEvent enter(QPoint(400, 400), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(m_window.get(), &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent event(QPointF(400, 400), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(m_window.get(), &event);
    }

    void closeWindow()
    {
        QVERIFY(m_window->close());
        m_window.reset();
    }

private Q_SLOTS:
    void initTestCase()
    {
        qputenv("REMAT_NO_ANIMATION", "1");
        Theme::instance().apply();
    }

    void init()
    {
        QSettings().clear();
        QDir(keptSessionsFolder()).removeRecursively();
        QFile::remove(lastSessionPath());
        openWindow();
    }

    void cleanup() { m_window.reset(); }

    /// What went wrong once: 27 plans were gone when another model was opened, and the last session had none of them.
    void openingAnotherModelLosesNothing()
    {
        open(12);
        QVERIFY(!stripSeen()); // one model needs no tabs
        work(kPlans);
        const Work before = seen();
        QCOMPARE(before.plans.size(), std::size_t(kPlans));
        const QString undo = history().stack()->undoText();
        const int steps = history().stack()->index();
        QVERIFY(steps > 3);

        drop(fixture::writeChain(m_folder, 9)); // dropped
        QTRY_COMPARE(bar()->count(), 2);
        waitIdle();
        QVERIFY(stripSeen());
        QCOMPARE(document().model()->graph().ops.size(), std::size_t(19));
        QVERIFY(seen().plans.empty() && document().pins().empty());
        QVERIFY(!history().stack()->canUndo());
        work(3);
        const Work second = seen();
        open(7); // from a menu or the start page
        QCOMPARE(bar()->count(), 3);

        QTest::keyClick(m_window.get(), Qt::Key_Tab, Qt::ControlModifier); // round to the first
        QCOMPARE(document().model()->graph().ops.size(), std::size_t(25));
        QVERIFY(seen() == before);
        QCOMPARE(history().stack()->undoText(), undo);
        QCOMPARE(history().stack()->index(), steps);
        command("undo")->trigger();
        QVERIFY(!(seen() == before));
        command("redo")->trigger();
        QVERIFY(seen() == before);
        // The file is open already, so it comes to the front.
        m_window->openFile(m_folder.filePath(QStringLiteral("chain9.json")));
        QVERIFY(seen() == second);
        QCOMPARE(bar()->count(), 3);
        QCOMPARE(bar()->currentIndex(), 1);

        closeWindow();
        const auto last = lastSession();
        QVERIFY(last && last->models == 3 && last->plans == kPlans + 3);
        openWindow();
        command("reopenLast")->trigger();
        QTRY_VERIFY(document().model());
        QCOMPARE(document().model()->graph().ops.size(), std::size_t(19)); // the one that was shown
        QVERIFY(seen() == second);
        QCOMPARE(bar()->count(), 3);
        waitIdle();
        bar()->setCurrentIndex(0);
        QVERIFY(seen() == before);
        waitIdle();
        QVERIFY(seen() == before); // nothing comes in late and changes it
    }

    void aSolveGoesOnWhileAnotherModelIsShown()
    {
        open(12);
        m_window->setBudget(document().model()->keepAll->peakBytes * 7 / 10);
        waitIdle();
        SolveSettings settings;
        settings.planner = "search";
        settings.timeLimitSeconds = 1;
        m_window->session().solver.solve(settings);
        settings.planner = "chen-sqrt"; // waits for the first
        m_window->session().solver.solve(settings);
        QVERIFY(m_window->session().solver.running());
        open(9); // waits until nothing runs any more, in any model
        QVERIFY(m_window->session().solver.jobs().empty());
        QVERIFY(seen().plans.empty());
        QVERIFY(pages().tabs().front().hasNews && !pages().tabs().back().hasNews);
        pages().showNext(-1);
        const auto &jobs = m_window->session().solver.jobs();
        QCOMPARE(jobs.size(), std::size_t(2));
        for (const auto &job : jobs) {
            QCOMPARE(job->report().state, SolveReport::State::Done);
            QVERIFY(std::any_of(document().plans().begin(), document().plans().end(),
                                [&](const auto &plan) { return plan->id == job->planId(); }));
        }
        QVERIFY(!pages().tabs().front().hasNews);
        command("undo")->trigger(); // what came in meanwhile can be taken back like anything else
        QVERIFY(seen().plans.size() < 2);
    }

    void aSweepGoesOnWhileAnotherModelIsShown()
    {
        open(12);
        SweepSettings settings;
        settings.planners = {"chen-sqrt", "keep-all"};
        settings.percents = {100, 90, 80, 75, 70};
        m_window->session().sweeps.start(settings);
        open(9);
        QVERIFY(seen().plans.empty());
        QCOMPARE(m_window->session().sweeps.report().total, 0);
        pages().showNext(1);
        QCOMPARE(m_window->session().sweeps.report().done, 10);
        QVERIFY(!m_window->session().sweeps.running());
        QVERIFY(!seen().plans.empty());
    }

    void aClosedModelComesBack()
    {
        open(12);
        work(4);
        const Work first = seen();
        open(9);
        work(2);
        const Work second = seen();
        command("closeModel")->trigger();
        QVERIFY(seen() == first);
        QVERIFY(!stripSeen());
        command("closeModel")->trigger();
        QVERIFY(!document().model());
        QVERIFY(!m_window->workspace()->shown());    // the start page
        QVERIFY(!m_window->messages()->isVisible()); // nothing is lost, so nothing is asked
        command("reopenClosed")->trigger();
        QVERIFY(seen() == first);
        QVERIFY(m_window->workspace()->shown());
        command("undo")->trigger();
        QVERIFY(!(seen() == first));
        command("redo")->trigger();
        command("reopenClosed")->trigger();
        QVERIFY(seen() == second);
        // By the middle button, and over the end of the program.
        QTest::mouseClick(bar(), Qt::MiddleButton, {}, bar()->tabRect(0).center());
        QCOMPARE(pages().tabs().size(), std::size_t(1));
        closeWindow();
        openWindow();
        command("reopenClosed")->trigger(); // nothing was closed here, so the last session
        QTRY_VERIFY(document().model());
        waitIdle();
        QVERIFY(seen() == second);
        command("reopenClosed")->trigger();
        QTRY_COMPARE(document().model()->graph().ops.size(), std::size_t(25));
        QVERIFY(seen() == first);
    }

    void aModelThatIsMissingKeepsItsPlans()
    {
        open(12);
        work(4);
        const Work missing = seen();
        open(9);
        work(2);
        const Work there = seen();
        closeWindow();
        const QString path = m_folder.filePath(QStringLiteral("chain12.json"));
        QVERIFY(QFile::rename(path, path + QStringLiteral(".away")));
        for (int round = 0; round < 2; ++round) { // its plans are in the next session too
            openWindow();
            command("reopenLast")->trigger();
            QTRY_VERIFY(document().model());
            QVERIFY(seen() == there);
            QTRY_VERIFY(m_window->messages()->isVisible());
            QVERIFY2(m_window->messages()->sentence().contains(QStringLiteral("chain12.json")),
                     qPrintable(m_window->messages()->sentence()));
            QVERIFY(m_window->messages()->findChild<QAbstractButton *>(QStringLiteral("messageAction"))->isVisible());
            QVERIFY(!pages().tabs().front().problem.isEmpty());
            QCOMPARE(pages().tabs().front().plans, 4);
            if (round == 0) closeWindow();
        }
        pages().show(pages().tabs().front().id); // still not there
        waitIdle();
        QVERIFY(seen() == there);
        QVERIFY(m_window->messages()->isVisible());
        pages().open(pages().tabs().front().id, path + QStringLiteral(".away"));
        QTRY_COMPARE(document().model()->graph().ops.size(), std::size_t(25));
        QVERIFY(seen() == missing);
        QVERIFY(QFile::rename(path + QStringLiteral(".away"), path));
    }

    void theShownOneMayBeMissingToo()
    {
        open(9);
        work(2);
        const Work there = seen();
        open(12);
        closeWindow();
        QVERIFY(QFile::remove(m_folder.filePath(QStringLiteral("chain12.json"))));
        openWindow();
        command("reopenLast")->trigger();
        QTRY_VERIFY(document().model());
        QVERIFY(seen() == there);
        QVERIFY(m_window->messages()->isVisible());
    }

    void aFileThatWasWrittenAnewKeepsItsPlans()
    {
        open(12);
        work(3);
        const std::vector<int> before = seen().plans;
        QTest::qWait(20); // another time of its last change
        m_window->openFile(fixture::writeChain(m_folder, 12));
        waitIdle();
        QCOMPARE(pages().tabs().size(), std::size_t(1));
        QCOMPARE(seen().plans, before);
        // Another graph under the same name is another model.
        QVERIFY(QFile::remove(m_folder.filePath(QStringLiteral("chain12.json"))));
        fixture::writeChain(m_folder, 9);
        QVERIFY(QFile::copy(m_folder.filePath(QStringLiteral("chain9.json")),
                            m_folder.filePath(QStringLiteral("chain12.json"))));
        m_window->openFile(m_folder.filePath(QStringLiteral("chain12.json")));
        QTRY_COMPARE(pages().tabs().size(), std::size_t(2));
        waitIdle();
        pages().showNext(1);
        QCOMPARE(seen().plans, before);
    }

    void anOlderSessionOpens()
    {
        for (const char *name : {"chain.json", "one_model.rematsession"})
            QVERIFY(QFile::copy(QStringLiteral(REMAT_TEST_DATA "/sessions/") + QLatin1String(name),
                                m_folder.filePath(QLatin1String(name))));
        m_window->openFile(m_folder.filePath(QStringLiteral("one_model.rematsession")));
        QTRY_VERIFY(document().model());
        waitIdle();
        QCOMPARE(document().plans().size(), std::size_t(3));
        QCOMPARE(document().budgetBytes(), 6606387);
        QCOMPARE(document().pins().keep.size(), std::size_t(1));
        QCOMPARE(m_window->session().solver.jobs().size(), std::size_t(2));
        QCOMPARE(m_window->session().loader.modelPath(), m_folder.filePath(QStringLiteral("chain.json")));
    }

    void whatCannotBeKeptIsAskedAbout()
    {
        open(12);
        work(2);
        QTRY_VERIFY(m_window->autosave().lastSaved().isValid());
        // A full or read-only disk: the folder is a file now.
        QVERIFY(QDir(keptSessionsFolder()).removeRecursively());
        QFile wall(keptSessionsFolder());
        QVERIFY(wall.open(QIODevice::WriteOnly));
        wall.close();
        document().setBudget(document().budgetBytes() + 1);
        QTRY_VERIFY(m_window->messages()->isVisible()); // said at once, not at the end
        QString asked;
        const auto answer = [&](const char *part) {
            QTimer::singleShot(0, this, [&asked, part] {
                auto *box = qobject_cast<QMessageBox *>(QApplication::activeModalWidget());
                if (!box) return;
                asked = box->text();
                for (QAbstractButton *button : box->buttons())
                    if (button->text().remove(QLatin1Char('&')).contains(QLatin1String(part))) return button->click();
                box->reject();
            });
        };
        answer("Cancel");
        QVERIFY(!m_window->close());
        QVERIFY2(asked.contains(QStringLiteral("cannot be kept")), qPrintable(asked));
        QVERIFY(m_window->isVisible());
        QCOMPARE(seen().plans.size(), std::size_t(2));
        QVERIFY(QFile::remove(keptSessionsFolder()));
        QVERIFY(QDir().mkpath(keptSessionsFolder()));
        asked.clear();
        closeWindow(); // there is room again, so nothing is asked
        QVERIFY(asked.isEmpty());
        QVERIFY(lastSession().has_value());
    }

    void aSessionDoesNotReplaceTheOneBefore()
    {
        open(12);
        work(5);
        const Work first = seen();
        closeWindow();
        openWindow();
        open(9); // only looked at
        closeWindow();
        QCOMPARE(lastSession()->plans, 5); // there is more to come back to
        openWindow();
        open(9);
        work(2);
        closeWindow();
        QCOMPARE(lastSession()->plans, 2);
        openWindow();
        command("reopenLast")->trigger();
        QTRY_VERIFY(document().model());
        command("reopenClosed")->trigger();
        QTRY_COMPARE(document().model()->graph().ops.size(), std::size_t(25));
        QVERIFY(seen() == first);
    }

    void unchangedModelsAreNotWrittenAnew()
    {
        open(12);
        work(kPlans);
        open(9);
        const SessionState one = pages().state();
        document().setBudget(document().budgetBytes() + 1);
        const SessionState two = pages().state();
        QCOMPARE(one.models.front(), two.models.front());
        QVERIFY(one.models.back() != two.models.back());
        SessionTexts texts;
        const QString folder = m_folder.path();
        QCOMPARE(texts.of(one.models.front(), folder), texts.of(two.models.front(), folder));
        pages().showNext(1);
        document().setBudget(document().budgetBytes() + 1);
        pages().showNext(1);
        QVERIFY(pages().state().models.front() != one.models.front());
    }

    void aNewModelStartsWithItsOwnViews()
    {
        open(12);
        addPlan(70);
        addPlan(100);
        document().setCompared({document().plans().front()->id, document().plans().back()->id});
        command("showCompare")->trigger();
        Workspace *workspace = m_window->workspace();
        QCOMPARE(workspace->area(Workspace::Area::Right)->current(), QStringLiteral("summary"));
        open(9);
        QCOMPARE(workspace->area(Workspace::Area::Center)->current(), QStringLiteral("graph"));
        QCOMPARE(workspace->area(Workspace::Area::Bottom)->current(), QStringLiteral("memory"));
        QCOMPARE(workspace->area(Workspace::Area::Right)->current(), QStringLiteral("plan"));
        command("showSummary")->trigger();
        auto *use = m_window->findChild<QAbstractButton *>(QStringLiteral("useA"));
        QVERIFY(!use->isVisible() || !use->isEnabled()); // nothing of the other model is compared here
    }

    void showingAnotherModelTakesNoTime()
    {
        QVERIFY(m_window->openSample(QStringLiteral("gpt2")));
        QTRY_VERIFY(document().model());
        waitIdle();
        open(12);
        // What the window's own thread has to do: other programs do not count.
        const auto nowMs = [] {
            timespec time{};
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
            return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
        };
        std::vector<double> took;
        for (int i = 0; i < 6; ++i) {
            const double before = nowMs();
            pages().showNext(1);
            QApplication::processEvents(); // and it is painted
            took.push_back(nowMs() - before);
            waitIdle();
        }
        std::sort(took.begin(), took.end());
        qInfo("Showing another model took %.0f ms, at most %.0f ms.", took[took.size() / 2], took.back());
        QVERIFY(took[took.size() / 2] < 150);
    }

    void looks_data() { fixture::lookRows({{"", {1280, 800}}}); }
    void looks()
    {
        QFETCH(int, scheme);
        QFETCH(QSize, size);
        Theme::instance().setScheme(static_cast<Scheme>(scheme));
        m_window->resize(size);
        const QStringList titles = {QStringLiteral("GPT-2 small"),
                                    QStringLiteral("tiny ViT"),
                                    QStringLiteral("openllama-7b-finetune-lora-rank64-bf16"),
                                    QStringLiteral("T5 base & decoder"),
                                    QStringLiteral("resnet50_imagenet_batch256_channels_last_amp"),
                                    QStringLiteral("U-Net")};
        int stages = 4;
        for (const QString &title : titles) {
            m_window->openFile(fixture::writeChain(m_folder, stages++), title);
            QTRY_COMPARE(m_window->session().loader.modelTitle(), title);
        }
        waitIdle();
        pages().show(pages().tabs()[2].id);
        waitIdle();
        const QString problem = fixture::goldenDifference(
            *m_window->findChild<PageTabs *>(),
            QStringLiteral("page_tabs_%1.png")
                .arg(scheme == static_cast<int>(Scheme::Dark) ? QStringLiteral("dark") : QStringLiteral("light")));
        Theme::instance().setScheme(Scheme::Light);
        QVERIFY2(problem.isEmpty(), qPrintable(problem));
    }
};

QTEST_MAIN(TestModelPages)
#include "tst_model_pages.moc"
