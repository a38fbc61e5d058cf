// SPDX-License-Identifier: Apache-2.0
#include "app/studio/work/document/document.h"
#include "app/studio/work/document/time_window.h"
#include "tests/studio/window_fixture.h"

using namespace remat;
using namespace remat::studio;

class TestDocument : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;
    std::shared_ptr<const CostedModel> m_model;

private Q_SLOTS:
    void initTestCase() { m_model = fixture::openChain(fixture::writeChain(m_folder, 12)); }

    void startsEmpty()
    {
        Document document;
        QVERIFY(!document.model());
        QVERIFY(!document.currentPlan());
        QVERIFY(document.plans().empty());
        QVERIFY(document.cursorUs() < 0);
        document.selectOp(OpId(3));
        QCOMPARE(document.selection(), Selection{});
    }

    void budgetStartsBetweenFloorAndKeepAll()
    {
        Document document;
        QSignalSpy changed(&document, &Document::budgetChanged);
        document.setModel(m_model);
        QCOMPARE(changed.count(), 1);
        QVERIFY(document.budgetBytes() >= m_model->floor.bytes);
        QVERIFY(document.budgetBytes() < m_model->keepAll->peakBytes);
        document.setBudget(document.budgetBytes());
        QCOMPARE(changed.count(), 1);
        document.setBudget(-5);
        QCOMPARE(document.budgetBytes(), 1);
    }

    void selectionLeadsFromOpToStorageAndBack()
    {
        Document document;
        document.setModel(m_model);
        QSignalSpy changed(&document, &Document::selectionChanged);
        document.selectOp(OpId(2));
        const StorageId storage = m_model->graph().op(OpId(2)).outputs.front();
        QCOMPARE(document.selection().storage, storage);
        document.selectStorage(storage);
        QCOMPARE(changed.count(), 1); // the same place
        const StorageId other = m_model->graph().op(OpId(5)).outputs.front();
        document.selectStorage(other);
        QCOMPARE(document.selection().op, OpId(5));
        document.clearSelection();
        QCOMPARE(changed.count(), 3);
        document.selectOp(OpId(1000));
        QCOMPARE(document.selection(), Selection{});
    }

    void onlyTheShownWorkTellsViews()
    {
        Document document;
        document.setModel(m_model);
        const std::int64_t peak = m_model->keepAll->peakBytes;
        const std::shared_ptr<ModelWork> first = document.work();
        document.addPlan(fixture::solvedEntry(*m_model, "keep-all", peak, 1));
        document.setCursor(5);
        document.show(std::make_shared<ModelWork>());
        QVERIFY(!document.model() && document.plans().empty() && document.cursorUs() < 0);

        QSignalSpy plans(&document, &Document::plansChanged);
        QSignalSpy elsewhere(&document, &Document::changedElsewhere);
        document.addPlan(*first, fixture::solvedEntry(*m_model, "chen-sqrt", peak, 2)); // as a job would
        QCOMPARE(plans.count(), 0);
        QCOMPARE(elsewhere.count(), 1);

        document.show(first);
        QCOMPARE(plans.count(), 1);
        QCOMPARE(document.plans().size(), 2U);
        QCOMPARE(document.currentPlan()->id, 2);
        QCOMPARE(document.cursorUs(), 5.0);
        QCOMPARE(document.time().axes().plan.count(),
                 PlanAxes(*document.timeline(), *m_model->keepAll, AxisKind::Time).plan.count());
    }

    void quickPlanGivesWay()
    {
        Document document;
        document.setModel(m_model);
        const std::int64_t peak = m_model->keepAll->peakBytes;
        document.addPlan(fixture::solvedEntry(*m_model, "chen-sqrt", peak, 1, true));
        document.addPlan(fixture::solvedEntry(*m_model, "chen-sqrt", peak, 2, true));
        QCOMPARE(document.plans().size(), 1U);
        QCOMPARE(document.currentPlan()->id, 2);
        document.addPlan(fixture::solvedEntry(*m_model, "keep-all", peak, 3));
        QCOMPARE(document.plans().size(), 1U);
        QCOMPARE(document.currentPlan()->id, 3);
    }

    void plansAreReplacedChosenAndRemoved()
    {
        Document document;
        document.setModel(m_model);
        const std::int64_t peak = m_model->keepAll->peakBytes;
        document.addPlan(fixture::solvedEntry(*m_model, "chen-sqrt", peak, 1));
        document.addPlan(fixture::solvedEntry(*m_model, "keep-all", peak, 2));
        document.setCurrentPlan(1);
        QCOMPARE(document.currentPlan()->id, 1);
        document.setCurrentPlan(77);
        QCOMPARE(document.currentPlan()->id, 1);

        auto proven = std::make_shared<PlanEntry>(*document.currentPlan());
        proven->check = Verdict{true, -1, "proven again", 0, 0};
        QSignalSpy changed(&document, &Document::currentPlanChanged);
        document.replacePlan(proven);
        QCOMPARE(changed.count(), 1);
        QCOMPARE(document.currentPlan()->check->sentence, std::string("proven again"));

        document.removePlan(1);
        QCOMPARE(document.currentPlan()->id, 2);
        document.removePlan(2);
        QVERIFY(!document.currentPlan());
    }

    void anotherModelTakesPlansAndSelectionAway()
    {
        Document document;
        document.setModel(m_model);
        document.addPlan(fixture::solvedEntry(*m_model, "keep-all", m_model->keepAll->peakBytes, 1));
        document.selectOp(OpId(1));
        document.setCursor(12);
        document.setModel(std::make_shared<CostedModel>(*m_model)); // other costs, the same graph
        QCOMPARE(document.plans().size(), 1U);
        QCOMPARE(document.selection().op, OpId(1));
        document.setModel(fixture::openChain(fixture::writeChain(m_folder, 7)));
        QVERIFY(document.plans().empty());
        QVERIFY(!document.currentPlan());
        QCOMPARE(document.selection(), Selection{});
        QVERIFY(document.cursorUs() < 0);
    }
};

QTEST_GUILESS_MAIN(TestDocument)
#include "tst_document.moc"
