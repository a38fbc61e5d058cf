// SPDX-License-Identifier: Apache-2.0
// What the window says of a plan when the budget falls below its peak: no badge, tooltip or card stays green.
#include "app/studio/views/compare/summary_parts.h"
#include "app/studio/views/plans/plans_table.h"
#include "app/studio/views/shared/verdict.h"
#include "tests/studio/window_test.h"

using namespace remat;
using namespace remat::studio;

class TestVerdict : public QObject, fixture::InWindow
{
    Q_OBJECT

    std::int64_t m_peak = 0;

    VerdictLook badge() { return m_window->findChild<VerdictBadge *>(QStringLiteral("verdictBadge"))->look(); }
    VerdictLook box() { return m_window->findChild<VerdictBox *>(QStringLiteral("verdictBox"))->look(); }
    PlansModel *list() { return qobject_cast<PlansModel *>(m_window->findChild<PlansTable *>()->model()); }
    QModelIndex row() { return list()->index(list()->rowOf(document().currentPlan()->id), 0); }

    /// Adds a plan whose peak is `m_peak`, made for just that, with the record of a run when `measured` is not 0.
    void addPlan(std::int64_t measured)
    {
        const auto model = document().model();
        auto entry = fixture::solvedEntry(*model, "chen-sqrt", model->keepAll->peakBytes * 8 / 10, 900);
        m_peak = entry->timeline->peakBytes;
        auto plan = std::make_shared<Plan>(*entry->plan);
        plan->budgetBytes = m_peak;
        if (measured > 0) {
            ValidationRecord run;
            run.passed = run.peakHolds = run.lossEqual = true;
            run.device = "cpu";
            run.sentence = "Loss and 3 gradients equal bit for bit.";
            run.stepsDigest = stepsDigest(plan->steps);
            run.measuredPeakBytes = measured;
            plan->validated = run;
        }
        auto made = makePlanEntry(*model, plan, document().nextPlanId(), "Chen √n", false);
        QVERIFY(made);
        document().addPlan(*made);
        document().setBudget(m_peak);
    }

    /// Every place says the same, in the same colour.
    void everywhere(Token ink, const QString &part)
    {
        QVERIFY2(badge().ink == ink, qPrintable(badge().sentence));
        QVERIFY2(badge().sentence.contains(part), qPrintable(badge().sentence));
        QVERIFY(box().ink == ink);
        QCOMPARE(box().sentence, badge().sentence);
        QCOMPARE(m_window->findChild<VerdictBadge *>(QStringLiteral("verdictBadge"))->toolTip(), badge().sentence);
        QVERIFY(row().data(PlansModel::kVerdictRole).value<VerdictLook>().ink == ink);
        const QString tooltip = row().data(Qt::ToolTipRole).toString();
        QVERIFY2(tooltip.endsWith(badge().sentence), qPrintable(tooltip));
        QVERIFY2(!tooltip.contains(QStringLiteral("within")) || !tooltip.contains(QStringLiteral("over the budget")),
                 qPrintable(tooltip));
        PlanCard card(0);
        card.setPlan(document(), *document().currentPlan());
        QCOMPARE(card.toolTip(), badge().sentence);
    }

private Q_SLOTS:
    void init()
    {
        openFresh();
        openChain(12);
    }

    void aCheckedPlanTurnsAmberUnderItsPeak()
    {
        addPlan(0);
        everywhere(Token::Ok, QStringLiteral("within the budget of"));
        document().setBudget(m_peak - 1);
        everywhere(Token::Warn, QStringLiteral("1 B over the budget of"));
        QCOMPARE(badge().title, QStringLiteral("Over the budget"));
        document().setBudget(m_peak * 2);
        everywhere(Token::Text2, QStringLiteral("It was made for"));
    }

    void aRunThatTookMoreThanTheBudgetIsAmber()
    {
        addPlan(1); // anything: the peak is known afterwards
        addPlan(m_peak - 1);
        everywhere(Token::Ok, QStringLiteral("That is within the budget of"));
        QCOMPARE(badge().title, QStringLiteral("Validated on CPU"));
        addPlan(m_peak + 7);
        everywhere(Token::Warn, QStringLiteral("7 B over the budget of"));
        document().setBudget(m_peak + 7);
        everywhere(Token::Ok, QStringLiteral("Loss and 3 gradients equal"));
    }

    void aRecordOfOtherStepsProvesNothing()
    {
        addPlan(1);
        auto plan = std::make_shared<Plan>(*document().currentPlan()->plan);
        plan->validated->stepsDigest = "of other steps";
        auto made = makePlanEntry(*document().model(), plan, document().nextPlanId(), "Edited", false);
        QVERIFY(made);
        document().addPlan(*made);
        QVERIFY2(badge().title.startsWith(QStringLiteral("Solved")), qPrintable(badge().title));
        QVERIFY(badge().sentence.contains(QStringLiteral("press Validate to run these")));
    }
};

QTEST_MAIN(TestVerdict)
#include "tst_verdict.moc"
