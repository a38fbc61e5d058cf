// SPDX-License-Identifier: Apache-2.0
// Plans that the window saved open in it again, with their model open or not.
#include "app/studio/base/widgets/message_strip.h"
#include "app/studio/work/pages/model_pages.h"
#include "core/io/plan_header.h"
#include "solvers/interface/solver.h"
#include "tests/studio/window_test.h"
#include "tests/support/written.h"

using namespace remat;
using namespace remat::studio;

class TestPlanFiles : public QObject, fixture::InWindow
{
    Q_OBJECT

    void waitIdle() { QTRY_VERIFY(m_window->idle()); }
    QString saidSentence() { return m_window->messages()->isVisible() ? m_window->messages()->sentence() : QString(); }

    QString savedPlan()
    {
        const std::int64_t budget = document().model()->keepAll->peakBytes * 7 / 10;
        document().addPlan(fixture::solvedEntry(*document().model(), "chen-sqrt", budget, document().nextPlanId()));
        const QString path = m_folder.filePath(QStringLiteral("saved-plan.json"));
        m_window->savePlanTo(path);
        waitIdle();
        return path;
    }

private Q_SLOTS:
    void init() { openFresh(); }

    void joinsThePlansOfItsModel()
    {
        openChain(8);
        const QString path = savedPlan();
        const std::vector<Step> steps = document().currentPlan()->plan->steps;
        document().removePlan(document().currentPlan()->id);
        const std::size_t before = document().plans().size();
        m_window->openFile(path);
        waitIdle();
        QCOMPARE(document().plans().size(), before + 1);
        QVERIFY(document().currentPlan()->plan->steps == steps);
        QCOMPARE(document().currentPlan()->title, (*findPlanner("chen-sqrt"))->info.title);
        QVERIFY(document().currentPlan()->check && document().currentPlan()->check->ok);
        QVERIFY(m_window->pages().saved().contains(document().currentPlan()->id));
    }

    void showsTheOpenModelThatItIsFor()
    {
        openChain(8);
        const QString path = savedPlan();
        const int first = m_window->pages().shownId();
        m_window->openFile(fixture::writeChain(m_folder, 12));
        QTRY_VERIFY(m_window->pages().shownId() != first && m_window->idle());
        m_window->openFile(path);
        QTRY_COMPARE(m_window->pages().shownId(), first);
        waitIdle();
        QCOMPARE(document().currentPlan()->title, (*findPlanner("chen-sqrt"))->info.title);
        QCOMPARE(m_window->pages().tabs().size(), std::size_t(2));
    }

    void asksForAModelThatIsNotOpen()
    {
        openChain(8);
        const QString model = m_window->session().loader.modelPath(), path = savedPlan();
        const std::int64_t budget = document().currentPlan()->plan->budgetBytes;
        m_window.reset();
        QSettings().clear();
        openWindow();
        m_window->openFile(path);
        QTRY_VERIFY(saidSentence().contains(QStringLiteral("saved-plan.json is a plan for")));
        QVERIFY(m_window->messages()->findChild<QAbstractButton *>(QStringLiteral("messageAction"))->isVisible());
        const std::vector<ModelTab> tabs = m_window->pages().tabs();
        QCOMPARE(tabs.size(), std::size_t(1));
        // A wrong file is refused, and may be followed by the right one.
        m_window->pages().open(tabs.front().id, fixture::writeChain(m_folder, 5));
        QTRY_VERIFY(saidSentence().contains(QStringLiteral("another graph")));
        m_window->pages().open(tabs.front().id, model);
        QTRY_VERIFY(document().model() && document().currentPlan());
        waitIdle();
        QCOMPARE(document().currentPlan()->title, (*findPlanner("chen-sqrt"))->info.title);
        QCOMPARE(document().budgetBytes(), budget);
    }

    /// The program has its samples: nothing needs to be chosen.
    void opensTheSampleThatItIsFor()
    {
        QVERIFY(m_window->openSample(QStringLiteral("tiny_gpt2")));
        QTRY_VERIFY(document().model() && m_window->idle());
        const QString path = savedPlan();
        m_window.reset();
        QSettings().clear();
        openWindow();
        m_window->openFile(path);
        QTRY_VERIFY(document().model() && document().currentPlan());
        waitIdle();
        QCOMPARE(document().currentPlan()->title, (*findPlanner("chen-sqrt"))->info.title);
        QVERIFY2(!m_window->messages()->isVisible(), qPrintable(saidSentence()));
    }

    void whatIsWrongWithAModelGoesWithItsTab()
    {
        openChain(8);
        const QString path = savedPlan();
        m_window.reset();
        QSettings().clear();
        openWindow();
        m_window->openFile(path);
        QTRY_VERIFY(m_window->messages()->isVisible());
        const int tab = m_window->pages().tabs().front().id;
        m_window->pages().show(tab); // no file is known, and no sentence has holes
        QTRY_VERIFY(saidSentence().startsWith(QStringLiteral("Choose the model that")));
        m_window->pages().close(tab);
        QVERIFY(!m_window->messages()->isVisible());
    }

    void whatIsNoPlanInsideIsSaid()
    {
        openChain(8);
        const QString path = m_folder.filePath(QStringLiteral("broken.json"));
        for (const QByteArray &text : {QByteArray(R"({"format": "remat-plan/1", "graph": {"name": "x"}})"),
                                       QByteArray(R"({"format": "remat-plan/1")")}) {
            test::written(path, text);
            m_window->openFile(path);
            QTRY_VERIFY(saidSentence().contains(QStringLiteral("broken.json")));
            QVERIFY(document().model());
        }
    }
};

QTEST_MAIN(TestPlanFiles)
#include "tst_plan_files.moc"
