// SPDX-License-Identifier: Apache-2.0
// Deciding by hand in the real window.
#include "app/studio/base/text/text.h"
#include "app/studio/base/widgets/message_strip.h"
#include "app/studio/shell/workspace/workspace.h"
#include "app/studio/views/decisions/decisions_box.h"
#include "app/studio/views/explain/explain_view.h"
#include "app/studio/views/graph/graph_view.h"
#include "app/studio/views/graph/op_details.h"
#include "app/studio/views/memory/memory_view.h"
#include "core/model/plan_entry.h"
#include "core/views/targets.h"
#include "tests/studio/window_test.h"

using namespace remat;
using namespace remat::studio;

class TestSteer : public QObject, fixture::InWindow
{
    Q_OBJECT

    const Graph &graph() { return document().model()->graph(); }
    void key(Qt::Key key) { QTest::keyClick(m_window->workspace()->graph()->canvas(), key); }
    bool settled() { return m_window->idle() && document().currentPlan(); }
    bool follows()
    {
        return !pinsViolated(graph(), document().currentPlan()->plan->steps, document().pins()).has_value();
    }
    OpId op(const std::string &name)
    {
        for (std::size_t i = 0; i < graph().ops.size(); ++i)
            if (graph().ops[i].name == name) return OpId(i);
        return {};
    }

private Q_SLOTS:
    void init()
    {
        openFresh();
        m_window->openFile(fixture::writeChain(m_folder, 12));
        QTRY_VERIFY(document().model() && settled());
        document().setBudget(document().model()->keepAll->peakBytes * 9 / 10);
        m_window->session().quick.refresh();
        QTRY_VERIFY(settled());
    }

    void keysDecideAndThePlanFollowsAtOnce()
    {
        auto *line = m_window->findChild<DecisionsLine *>();
        QVERIFY(line && !line->isVisible());
        const OpId f3 = op("f3");
        document().selectOp(f3);
        key(Qt::Key_R);
        QCOMPARE(document().pins().recompute, std::vector<OpId>{f3});
        QVERIFY(line->isVisible());
        QTRY_VERIFY(settled() && follows());
        QVERIFY(document().currentPlan()->recomputedOps[f3.index()]);

        key(Qt::Key_N);
        QCOMPARE(document().pins().never, std::vector<OpId>{f3});
        QVERIFY(document().pins().recompute.empty());
        QTRY_VERIFY(settled() && follows());
        QVERIFY(!document().currentPlan()->recomputedOps[f3.index()]);

        document().selectOp(op("f4"));
        key(Qt::Key_K);
        QCOMPARE(document().pins().size(), std::size_t(2));
        key(Qt::Key_U);
        QCOMPARE(document().pins().size(), std::size_t(1));
        QTest::keyClick(m_window->workspace()->graph()->canvas(), Qt::Key_U, Qt::ShiftModifier);
        QVERIFY(document().pins().empty());
        QVERIFY(!line->isVisible());
    }

    void aClusterIsDecidedAsAWhole()
    {
        const Targets targets = targetsOf(graph(), {}, m_window->workspace()->graph()->scene().tree, "layers.3");
        QVERIFY(!targets.empty());
        const Pins pins = decided(graph(), {}, Decision::Keep, targets);
        for (const StorageId storage : pins.keep)
            QVERIFY(graph().op(graph().storage(storage).producer).phase != Phase::Backward);
        QVERIFY(!pins.keep.empty());
    }

    void theListTakesBackAndSelects()
    {
        document().setPins(decide(graph(), decide(graph(), {}, Decision::Keep, {op("f2")}), Decision::Recompute,
                                  {op("f5"), op("f6")}));
        QTest::mouseClick(m_window->findChild<QAbstractButton *>(QStringLiteral("decisionsCount")), Qt::LeftButton);
        auto *table = m_window->findChild<DecisionsBox *>()->table();
        QVERIFY(table->isVisible());
        QAbstractItemModelTester tester(table->model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        QCOMPARE(table->model()->rowCount(), 3);
        const auto click = [&](int row, int column) {
            QTest::mouseClick(table->viewport(), Qt::LeftButton, {},
                              table->visualRect(table->model()->index(row, column)).center());
        };
        click(1, DecisionsModel::What);
        QCOMPARE(document().selection().op, op("f5"));
        click(0, DecisionsModel::Remove);
        QVERIFY(document().pins().keep.empty());
        QCOMPARE(table->model()->rowCount(), 2);
        table->setFocus();
        table->setCurrentIndex(table->model()->index(0, 0));
        QTest::keyClick(table, Qt::Key_Delete);
        QCOMPARE(document().pins().recompute, std::vector<OpId>{op("f6")});
        QTest::mouseClick(m_window->findChild<QAbstractButton *>(QStringLiteral("clearDecisions")), Qt::LeftButton);
        QVERIFY(document().pins().empty());
    }

    void whatCannotBeIsSaid()
    {
        document().selectOp(op("b3"));
        key(Qt::Key_R);
        QVERIFY(document().pins().empty());
        QVERIFY(m_window->messages()->isVisible());
    }

    void decisionsThatLeaveNoPlanSaySo()
    {
        document().setBudget(document().model()->keepAll->peakBytes / 2);
        std::vector<OpId> all;
        all.reserve(graph().ops.size());
        for (std::size_t i = 0; i < graph().ops.size(); ++i)
            all.emplace_back(i);
        document().setPins(decide(graph(), {}, Decision::Never, all));
        auto *sentence = m_window->findChild<TokenLabel *>(QStringLiteral("decisionsSentence"));
        QTRY_VERIFY(sentence->isVisible());
        QVERIFY2(sentence->text().contains(QStringLiteral("decisions made by hand")), qPrintable(sentence->text()));
        document().setPins({});
        QTRY_VERIFY(m_window->idle() && !sentence->isVisible());
    }

    void aSolveFollowsToo()
    {
        document().selectOp(op("f3"));
        key(Qt::Key_R);
        m_window->solve();
        QTRY_VERIFY(!m_window->session().solver.running());
        QVERIFY2(m_window->session().solver.report().state == SolveReport::State::Done,
                 qPrintable(m_window->session().solver.report().sentence));
        QVERIFY(follows());
        QVERIFY(!document().currentPlan()->quick);
        QCOMPARE(document().currentPlan()->plan->origin.options.count("recompute"), std::size_t(1));
    }

    void theGraphHasAMenu()
    {
        auto *canvas = m_window->workspace()->graph()->canvas();
        document().selectOp(op("f3"));
        QContextMenuEvent asked(QContextMenuEvent::Keyboard, QPoint(20, 20), canvas->mapToGlobal(QPoint(20, 20)));
        QCoreApplication::sendEvent(canvas, &asked);
        auto *menu = canvas->findChild<QMenu *>(QStringLiteral("decisionsMenu"));
        QVERIFY(menu && menu->isVisible());
        QCOMPARE(menu->actions().size(), 7); // four decisions, chunks, a line, a puzzle
        QVERIFY(menu->actions()[4]->menu() && menu->actions()[5]->isSeparator());
        QCOMPARE(menu->actions()[4]->menu()->actions().size(), 7); // in 2 to 32, never, may
        menu->actions().front()->trigger();
        menu->close();
        QCOMPARE(document().pins().keep.size(), std::size_t(1));
    }

    void theCardAnswersForTheSelection()
    {
        document().setBudget(document().model()->keepAll->peakBytes * 6 / 10);
        m_window->session().quick.refresh();
        QTRY_VERIFY(settled() &&
                    m_window->session().document.currentPlan()->timeline->peakBytes <= document().budgetBytes());
        auto *card = m_window->findChild<ExplanationCard *>(QStringLiteral("explainCard"));
        QVERIFY(card);
        const auto &again = document().currentPlan()->recomputedOps;
        const auto at = std::find(again.begin(), again.end(), 1);
        QVERIFY(at != again.end());
        document().selectOp(OpId(static_cast<std::size_t>(at - again.begin())));
        QTRY_VERIFY(card->explanation().question.endsWith(QStringLiteral("recomputed?")));
        const QString text = card->findChild<TokenLabel *>(QStringLiteral("explainText"))->text();
        QVERIFY2(text.contains(QStringLiteral("Dropped at step ")), qPrintable(text));
        QVERIFY2(text.contains(QStringLiteral("Recomputing costs ")), qPrintable(text));
        // The first link leads to the step, the second to the reader.
        const double before = document().cursorUs();
        QTest::mouseClick(card->findChild<QAbstractButton *>(QStringLiteral("explainLink0")), Qt::LeftButton);
        QVERIFY(document().cursorUs() != before);
        document().clearSelection();
        QTRY_VERIFY(card->explanation().empty());
    }

    void whatIsOffloadedIsExplained()
    {
        const CostedModel &model = *document().model();
        const auto known = document().currentPlan();
        // Keep-all, with what op 1 makes parked while nothing reads it.
        Plan plan = keepAllPlan(model.graph());
        const StorageId parked = model.graph().op(OpId(1)).outputs.front();
        std::vector<std::ptrdiff_t> uses;
        for (std::size_t i = 0; i < plan.steps.size(); ++i)
            if (plan.steps[i].kind == StepKind::Compute) {
                const auto &inputs = model.graph().op(plan.steps[i].op).inputs;
                if (std::find(inputs.begin(), inputs.end(), parked) != inputs.end())
                    uses.push_back(static_cast<std::ptrdiff_t>(i));
            }
        QVERIFY(uses.size() >= 2 && uses.back() > uses[uses.size() - 2] + 1);
        plan.steps.insert(plan.steps.begin() + uses.back(), Step::prefetch(parked));
        plan.steps.insert(plan.steps.begin() + uses[uses.size() - 2] + 1, {Step::offload(parked), Step::free(parked)});
        const auto entry = makePlanEntry(model, std::make_shared<const Plan>(std::move(plan)), document().nextPlanId(),
                                         "By hand", false);
        QVERIFY2(entry.has_value(), entry ? "" : entry.error().message.c_str());
        const Explanation answer = explainSelection(model, **entry, {OpId(1), parked}, OpLabels(model.graph()));
        QVERIFY2(answer.question.contains(QStringLiteral("offloaded")), qPrintable(answer.question));
        QCOMPARE(answer.sentences.size(), 3);
        QCOMPARE(answer.links.size(), std::size_t(2));
    }

    void measuredTimesStandBesidePredictedOnes()
    {
        auto measured = std::make_shared<CostedModel>(*document().model());
        auto roofline = std::make_shared<CostTable>(*measured->costs);
        roofline->timeUs[1] = measured->costs->timeUs[1] / 2;
        QVERIFY(!opDetails(*measured, nullptr, OpId(1)).time.contains(QStringLiteral("predicted")));
        measured->roofline = roofline;
        const QString text = opDetails(*measured, nullptr, OpId(1)).time;
        QVERIFY2(text.contains(QStringLiteral("measured")) && text.contains(QStringLiteral("+100")), qPrintable(text));
    }

    void theExplainViewNamesWhatIsHeld()
    {
        m_window->commands().find(QStringLiteral("showExplain"))->trigger();
        auto *view = m_window->findChild<ExplainView *>();
        QTRY_VERIFY(view->isVisible() && view->holders()->model()->rowCount() > 0);
        QAbstractItemModelTester tester(view->holders()->model(),
                                        QAbstractItemModelTester::FailureReportingMode::QtTest);
        QTest::mouseClick(view->holders()->viewport(), Qt::LeftButton, {},
                          view->holders()->visualRect(view->holders()->model()->index(0, 0)).center());
        QVERIFY(document().selection().storage);
        document().setBudget(document().model()->keepAll->peakBytes / 2);
        m_window->session().quick.refresh();
        auto *budget = view->findChild<ExplanationCard *>(QStringLiteral("explainBudget"));
        QTRY_VERIFY2(
            budget->explanation().sentences.join(QString()).contains(QStringLiteral("keeping everything needs")),
            qPrintable(budget->explanation().sentences.join(QString())));
        auto *more = view->findChild<ExplanationCard *>(QStringLiteral("explainMore"));
        QTRY_VERIFY2(more->explanation().sentences.join(QString()).contains(QStringLiteral("saved in every step")),
                     qPrintable(more->explanation().sentences.join(QString())));
    }

    void theExplanationOfTheBudgetAgreesWithTheVerdict()
    {
        const auto model = document().model();
        const OpLabels labels(model->graph());
        const std::int64_t peak = document().currentPlan()->timeline->peakBytes, all = model->keepAll->peakBytes;
        const auto with = [&](std::int64_t ownBytes, std::int64_t measuredBytes) {
            auto plan = std::make_shared<Plan>(*document().currentPlan()->plan);
            plan->budgetBytes = ownBytes;
            plan->predicted.peakBytes = 1; // a file may say anything
            plan->predicted.keepAllPeakBytes = 2;
            if (measuredBytes > 0) {
                plan->validated.emplace();
                plan->validated->lossEqual = plan->validated->peakHolds = true;
                plan->validated->measuredPeakBytes = measuredBytes;
            }
            return makePlanEntry(*model, plan, document().nextPlanId(), "Made", false).value();
        };
        for (const std::int64_t own : {std::int64_t(0), peak - 1, peak, peak + 1000, all})
            for (const std::int64_t measured : {std::int64_t(0), peak, peak + 500})
                for (const std::int64_t set : {std::int64_t(0), peak - 1, peak, peak + 100, peak + 1000, all}) {
                    const auto entry = with(own, measured);
                    const PlanVerdict verdict = verdictOf(*entry, set);
                    const QString said = explainBudget(*model, *entry, set, labels).sentences.join(QLatin1Char(' '));
                    if (verdict.level != VerdictLevel::Ok) {
                        QCOMPARE(said, QString::fromStdString(verdict.sentence));
                        continue;
                    }
                    QVERIFY2(!said.contains(QStringLiteral("over the budget")), qPrintable(said));
                    QCOMPARE(said.contains(QStringLiteral("It was made for a budget of")),
                             own > 0 && set > 0 && own != set);
                    if (own > 0 && own < all)
                        QVERIFY2(said.contains(bytesText(all - own, Rounding::Up)) &&
                                     said.contains(bytesText(own - peak, Rounding::Down)),
                                 qPrintable(said));
                }
    }

    void aPlanThatAddsNoTimeIsNotAskedWhatWouldMakeItFaster()
    {
        // As one whose copies hide behind computing.
        const auto model = document().model();
        auto plan = std::make_shared<Plan>(*document().currentPlan()->plan);
        plan->budgetBytes = document().currentPlan()->timeline->peakBytes;
        auto entry = std::make_shared<PlanEntry>(*makePlanEntry(*model, plan, 99, "Made", false).value());
        QVERIFY(plan->budgetBytes < model->keepAllPeakBytes && entry->timeline->timeUs > model->keepAllTimeUs);
        const StopToken stop;
        QVERIFY(!explainMore(*model, *entry, {}, stop).empty());
        auto line = *entry->timeline;
        line.timeUs = model->keepAllTimeUs;
        entry->timeline = std::make_shared<const MemoryTimeline>(std::move(line));
        const QString said =
            explainBudget(*model, *entry, plan->budgetBytes, OpLabels(model->graph())).sentences.join(QLatin1Char(' '));
        QVERIFY2(said.contains(QStringLiteral("adds no time")) && !said.contains(QStringLiteral("less than")),
                 qPrintable(said));
        QVERIFY(explainMore(*model, *entry, {}, stop).empty());
    }

    void aFailedVerdictLeadsToItsStep()
    {
        const auto model = document().model();
        auto plan = std::make_shared<Plan>(*document().currentPlan()->plan);
        plan->budgetBytes = document().currentPlan()->timeline->peakBytes - 1;
        auto entry = makePlanEntry(*model, plan, document().nextPlanId(), "Broken", false);
        QVERIFY(entry);
        document().addPlan(*entry);
        QVERIFY(verdictOf(*document().currentPlan(), 0).level == VerdictLevel::Failed);
        auto *button = m_window->findChild<QAbstractButton *>(QStringLiteral("showStepButton"));
        QVERIFY(button && button->isVisible());
        QTest::mouseClick(button, Qt::LeftButton);
        QVERIFY(document().cursorUs() >= 0);
        QVERIFY(document().selection().op);
    }

    void pictures_data()
    {
        QTest::addColumn<int>("scheme");
        QTest::newRow("light") << int(Scheme::Light);
        QTest::newRow("dark") << int(Scheme::Dark);
    }
    void pictures()
    {
        const fixture::RowLook look;
        const QString tag = QString::fromLatin1(QTest::currentDataTag());
        document().setBudget(document().model()->keepAll->peakBytes * 6 / 10);
        document().addPlan(
            fixture::solvedEntry(*document().model(), "chen-sqrt", document().budgetBytes(), document().nextPlanId()));
        const auto &again = document().currentPlan()->recomputedOps;
        document().selectOp(OpId(static_cast<std::size_t>(std::find(again.begin(), again.end(), 1) - again.begin())));
        QWidget page;
        page.setProperty("surface", QStringLiteral("panel"));
        auto *column = new QVBoxLayout(&page);
        column->setContentsMargins(0, 0, 0, 0);
        document().setPins(decide(graph(), decide(graph(), {}, Decision::Keep, {op("f2")}), Decision::Recompute,
                                  {op("f5"), op("f6")}));
        QTRY_VERIFY(m_window->idle());
        auto *box = new DecisionsBox(&document(), &page);
        box->setFixedHeight(150);
        column->addWidget(box);
        const OpLabels labels(graph());
        auto *card = new ExplanationCard(&page);
        card->setExplanation(explainSelection(
            *document().model(), *fixture::solvedEntry(*document().model(), "chen-sqrt", document().budgetBytes(), 900),
            document().selection(), labels));
        column->addWidget(card);
        column->addStretch(1);
        page.resize(328, 300);
        QString difference = fixture::goldenDifference(page, QStringLiteral("decisions_%1.png").arg(tag));
        page.resize(440, 360);
        if (difference.isEmpty())
            difference = fixture::goldenDifference(page, QStringLiteral("decisions_%1_wide.png").arg(tag));
        for (const QSize &size : {QSize(328, 640), QSize(420, 900)}) {
            Explainer explainer(document(), m_window->session().pool);
            explainer.setWanted([] { return StoryDepth::All; });
            ExplainView view(&document(), &explainer);
            view.resize(size);
            view.show();
            document().setPins({});
            QTRY_VERIFY(m_window->idle());
            document().addPlan(fixture::solvedEntry(*document().model(), "chen-sqrt", document().budgetBytes(),
                                                    document().nextPlanId()));
            QTRY_VERIFY(explainer.plan() == document().currentPlan() && !explainer.running());
            QTest::qWait(50);
            const QString other =
                fixture::goldenDifference(view, QStringLiteral("explain_%1_%2.png").arg(tag).arg(size.width()));
            QVERIFY2(other.isEmpty(), qPrintable(other));
        }
        QVERIFY2(difference.isEmpty(), qPrintable(difference));
    }
};

QTEST_MAIN(TestSteer)
#include "tst_steer.moc"
