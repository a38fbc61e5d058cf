// SPDX-License-Identifier: Apache-2.0
// Several open models in one real window: each keeps all the work on it, whatever is opened, closed or ended.
#include "app/studio/shell/workspace/view_area.h"
#include "app/studio/shell/workspace/workspace.h"
#include "app/studio/views/graph/graph_view.h"
#include "tests/studio/pages_test.h"

#include <time.h>

using namespace remat;
using namespace remat::studio;

class TestModelPages : public QObject, fixture::InPages
{
    Q_OBJECT

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

private Q_SLOTS:
    void initTestCase() { qputenv("REMAT_NO_ANIMATION", "1"); }

    void init() { begin(); }

    void cleanup() { m_window.reset(); }

    /// What went wrong once: 27 plans were gone when another model was opened, and the last session had none of them.
    void openingAnotherModelLosesNothing()
    {
        open(12);
        QVERIFY(!stripSeen()); // one model needs no tabs
        work(kPlans);
        const fixture::Work before = seen();
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
        const fixture::Work second = seen();
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

    /// What is said of one model is not said over another, and stands as long as its own is shown.
    void aMessageBelongsToItsModel()
    {
        open(12);
        addPlan(70);
        open(9);
        addPlan(70);
        const auto savedTo = [this](const char *name) {
            const QString path = m_folder.filePath(QString::fromLatin1(name));
            m_window->session().runner.save(path);
            return path;
        };
        const QString path = savedTo("nine.json");
        QTRY_VERIFY(m_window->messages()->isVisible());
        QVERIFY(m_window->messages()->sentence().contains(path));
        bar()->setCurrentIndex(0);
        QVERIFY(!m_window->messages()->isVisible());
        m_window->openFile(m_folder.filePath(QStringLiteral("not there.pt2"))); // a failure, which stays
        QTRY_VERIFY(m_window->messages()->isVisible());
        waitIdle();
        QVERIFY(m_window->messages()->isVisible());
        bar()->setCurrentIndex(1);
        QVERIFY(!m_window->messages()->isVisible());
        // What ends after its model was left is no news of the one that is shown.
        addPlan(80);
        const int late = document().currentPlan()->id;
        savedTo("late.json");
        bar()->setCurrentIndex(0);
        QTRY_VERIFY(!m_window->session().runner.saving());
        waitIdle();
        QVERIFY2(!m_window->messages()->isVisible(), qPrintable(m_window->messages()->sentence()));
        QVERIFY(pages().saved().empty());
        bar()->setCurrentIndex(1);
        QVERIFY(pages().saved().contains(late));
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
