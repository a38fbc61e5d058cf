// SPDX-License-Identifier: Apache-2.0
// What stands where a plan would be: what to do to get one, also where none can fit the budget.
#include "app/studio/base/text/memory_text.h"
#include "app/studio/base/widgets/building_blocks.h"
#include "app/studio/views/explain/explain_view.h"
#include "app/studio/views/explain/explainer.h"
#include "app/studio/views/lanes/lanes_view.h"
#include "tests/studio/window_test.h"

using namespace remat;
using namespace remat::studio;

class TestNoPlan : public QObject, fixture::InWindow
{
    Q_OBJECT

    QThreadPool m_pool;
    Document m_document;

    QString wayOut() const
    {
        return QStringLiteral("Raise the budget to at least %1.").arg(memoryText(m_document.model()->floor.bytes));
    }

private Q_SLOTS:
    void init()
    {
        m_document.setModel(fixture::openChain(fixture::writeChain(m_folder, 12)));
        m_document.setBudget(m_document.model()->keepAll->peakBytes / 2);
    }

    void explainSaysTheWayOut()
    {
        Explainer explainer(m_document, m_pool);
        explainer.setWanted([] { return StoryDepth::All; });
        ExplainView view(&m_document, &explainer);
        view.resize(330, 600);
        view.show();
        const auto *empty = view.findChild<TokenLabel *>(QStringLiteral("explainEmpty"));
        QTRY_VERIFY2(empty->isVisible() && empty->text().endsWith(QStringLiteral("press Solve.")),
                     qPrintable(empty->text()));
        m_document.setBudget(m_document.model()->floor.bytes - 1);
        QTRY_VERIFY2(empty->text().endsWith(wayOut()), qPrintable(empty->text()));
        QVERIFY2(empty->text().startsWith(QStringLiteral("No plan fits ")), qPrintable(empty->text()));
    }

    void viewsOfThePlanSayIt()
    {
        LanesView view(&m_document);
        view.resize(900, 300);
        view.show();
        const auto said = [&](const QString &end) {
            for (const QLabel *label : view.findChildren<QLabel *>())
                if (label->isVisible() && label->text().endsWith(end)) return true;
            return false;
        };
        const auto *solve = view.findChild<QPushButton *>();
        QTRY_VERIFY(said(QStringLiteral("press Solve.")));
        QVERIFY(solve->isVisible());
        // To solve would only say the same again.
        m_document.setBudget(m_document.model()->floor.bytes - 1);
        QTRY_VERIFY(said(wayOut()) && !said(QStringLiteral("press Solve.")));
        QVERIFY(!solve->isVisible());
    }

    void whereNoPlanFitsTheWayOutIsToRaiseTheBudget()
    {
        openFresh({1280, 800});
        openChain(12);
        command("stepPlayer")->trigger();
        command("showExplain")->trigger();
        auto *story = m_window->findChild<TokenLabel *>(QStringLiteral("stepStory"));
        auto *empty = m_window->findChild<TokenLabel *>(QStringLiteral("explainEmpty"));
        while (!document().plans().empty())
            document().removePlan(document().plans().front()->id);
        QTRY_VERIFY(empty->isVisible());
        for (const TokenLabel *label : {story, empty})
            QVERIFY2(label->text().endsWith(QStringLiteral("press Solve.")), qPrintable(label->text()));
        document().setBudget(document().model()->floor.bytes - 1);
        const QString least = memoryText(document().model()->floor.bytes);
        const QString wayOut = QStringLiteral("Raise the budget to at least %1.").arg(least);
        QTRY_VERIFY2(empty->text().endsWith(wayOut), qPrintable(empty->text()));
        QVERIFY2(story->text().startsWith(QStringLiteral("No plan fits ")) && story->text().endsWith(wayOut),
                 qPrintable(story->text()));
        auto *peak = m_window->findChild<TokenLabel *>(QStringLiteral("figure.peak"));
        QVERIFY2(peak->toolTip().endsWith(wayOut), qPrintable(peak->toolTip()));
    }
};

QTEST_MAIN(TestNoPlan)
#include "tst_no_plan.moc"
