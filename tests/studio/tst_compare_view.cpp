// SPDX-License-Identifier: Apache-2.0
// Compare and its summary, in the real window and as pictures.
#include "app/studio/base/style/letters.h"
#include "app/studio/base/text/text.h"
#include "app/studio/base/widgets/message_strip.h"
#include "app/studio/shell/workspace/left_panel.h"
#include "app/studio/shell/workspace/workspace.h"
#include "app/studio/views/compare/compare_view.h"
#include "app/studio/views/compare/comparing.h"
#include "app/studio/views/compare/summary_view.h"
#include "app/studio/views/plans/plans_table.h"
#include "app/studio/views/shared/verdict.h"
#include "core/base/bound_share.h"
#include "tests/studio/window_test.h"

#include <algorithm>

using namespace remat;
using namespace remat::studio;

class TestCompareView : public QObject, fixture::InWindow
{
    Q_OBJECT

    Comparing *feature() { return m_window->findChild<Comparing *>(); }
    CompareView *view() { return feature()->view(); }
    PlansTable *plans() { return m_window->workspace()->leftPanel()->plans(); }
    void trigger(const char *id) { command(id)->trigger(); }

    /// Two plans of other budgets beside what is there; their ids.
    std::pair<int, int> addPlans()
    {
        const CostedModel &model = *document().model();
        const std::int64_t peak = model.keepAll->peakBytes;
        const int first = document().nextPlanId(), second = document().nextPlanId();
        document().addPlan(fixture::solvedEntry(model, "chen-sqrt", peak * 7 / 10, first));
        document().addPlan(fixture::solvedEntry(model, "hiremate", peak * 5 / 10, second));
        return {first, second};
    }

    static void drop(QWidget *onto, const QPoint &at, int planId)
    {
        const std::unique_ptr<QMimeData> data(planMime(planId));
        QDragEnterEvent enter(at, Qt::CopyAction, data.get(), Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(onto, &enter);
        QDragMoveEvent move(at, Qt::CopyAction, data.get(), Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(onto, &move);
        QDropEvent event(QPointF(at), Qt::CopyAction, data.get(), Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(onto, &event);
    }

    QPoint rowPoint(int planId)
    {
        const auto *model = qobject_cast<PlansModel *>(plans()->model());
        return plans()->visualRect(model->index(model->rowOf(planId), 0)).center();
    }

private Q_SLOTS:
    void init()
    {
        QSettings().clear();
        Theme::instance().setScheme(Scheme::Light);
        openWindow();
        openChain(24);
    }

    void cleanup() { m_window.reset(); }

    void saysWhatIsMissing()
    {
        while (!document().plans().empty())
            document().removePlan(document().plans().front()->id);
        trigger("showCompare");
        QVERIFY(view()->isVisible());
        auto *button = view()->findChild<QPushButton *>();
        QVERIFY(button && button->isVisible());
        QVERIFY(!view()->canvas()->scene().ready());
        QSignalSpy solve(view(), &CompareView::solveRequested);
        QTest::mouseClick(button, Qt::LeftButton);
        QCOMPARE(solve.count(), 1);
        QTRY_VERIFY(m_window->idle());
    }

    void comparesTheCurrentPlanWithAnotherByItself()
    {
        const auto [first, second] = addPlans();
        trigger("showCompare");
        QCOMPARE(document().compared(), (std::vector<int>{second, first}));
        QVERIFY(view()->canvas()->scene().ready());
        QVERIFY(!view()->table()->differences()->comparison().rows.empty());
        QVERIFY(m_window->workspace()->view<SummaryView>()->isVisible());
        QCOMPARE(m_window->workspace()->area(Workspace::Area::Center)->current(), QStringLiteral("compare"));
        trigger("compareSwap");
        QCOMPARE(document().compared(), (std::vector<int>{first, second}));
        // The plan of a letter went: the other one stays and gets company.
        document().removePlan(first);
        QTRY_VERIFY(document().compared().size() == 2 || document().plans().size() < 2);
    }

    void twoSelectedAndTheKeyC()
    {
        const auto [first, second] = addPlans();
        QTest::mouseClick(plans()->viewport(), Qt::LeftButton, {}, rowPoint(first));
        QTest::mouseClick(plans()->viewport(), Qt::LeftButton, Qt::ControlModifier, rowPoint(second));
        QTest::keyClick(plans(), Qt::Key_C);
        QCOMPARE(document().compared(), (std::vector<int>{first, second}));
        QVERIFY(view()->isVisible());
        const auto *model = plans()->model();
        QCOMPARE(model->index(qobject_cast<const PlansModel *>(model)->rowOf(first), 0).data(PlansModel::kLetterRole),
                 QVariant(0));
    }

    void theMenuGivesLetters()
    {
        const auto [first, second] = addPlans();
        const auto choose = [&](int plan, const QString &text) {
            const std::unique_ptr<QMenu> menu(plans()->menuFor(plan));
            for (QAction *action : menu->actions())
                if (action->text() == text) action->trigger();
        };
        choose(first, QStringLiteral("Compare as A"));
        choose(second, QStringLiteral("Compare as B"));
        QCOMPARE(document().compared(), (std::vector<int>{first, second}));
        choose(second, QStringLiteral("Compare as A"));
        QCOMPARE(document().compared(), (std::vector<int>{second, first}));
        const int third = document().nextPlanId();
        document().addPlan(fixture::solvedEntry(*document().model(), "chen-sqrt",
                                                document().model()->keepAll->peakBytes * 9 / 10, third));
        choose(third, QStringLiteral("Compare as C"));
        QCOMPARE(document().compared(), (std::vector<int>{second, first, third}));
        QVERIFY(view()->header()->chip(2)->isVisible());
        // A against C.
        auto *other = view()->findChild<SegmentedControl *>(QStringLiteral("differenceOther"));
        QVERIFY(other->isVisible());
        other->setCurrent(1);
        QCOMPARE(view()->other(), 2);
        QCOMPARE(view()->table()->differences()->headerData(DifferenceModel::StateB, Qt::Horizontal).toString(),
                 QStringLiteral("C"));
        choose(third, QStringLiteral("Take out of the comparison"));
        QCOMPARE(document().compared(), (std::vector<int>{second, first}));
        QCOMPARE(view()->other(), 1);
        // The chip's own menu takes another plan, too.
        for (QAction *action : view()->header()->menuOf(1)->actions())
            if (!action->isChecked() && action->text().contains(toQString(document().plans().back()->title)))
                action->trigger();
        QCOMPARE(document().compared().size(), 2U);
    }

    void plansAreDroppedOnLetters()
    {
        const auto [first, second] = addPlans();
        document().setCompared({first, second});
        trigger("showCompare");
        drop(view()->header()->chip(0), QPoint(10, 10), second);
        QCOMPARE(document().compared(), (std::vector<int>{second, first}));
        drop(m_window->workspace()->view<SummaryView>()->findChild<PlanCard *>(QStringLiteral("planCard.B")),
             QPoint(10, 10), second);
        QCOMPARE(document().compared(), (std::vector<int>{first, second}));
        drop(plans()->viewport(), rowPoint(second), first);
        QCOMPARE(document().compared(), (std::vector<int>{second, first}));
    }

    void tableSelectionAndViewsAreLinked()
    {
        const auto [first, second] = addPlans();
        document().setCompared({first, second});
        trigger("showCompare");
        DifferenceTable *table = view()->table();
        const QAbstractItemModelTester tester(table->differences());
        const QAbstractItemModelTester proxyTester(table->model());
        QTest::mouseClick(table->viewport(), Qt::LeftButton, {},
                          table->visualRect(table->model()->index(1, 1)).center());
        const DifferenceRow *row = table->chosen();
        QVERIFY(row);
        QCOMPARE(document().selection().storage, row->storages.front());
        QVERIFY(!m_window->workspace()->view<SummaryView>()->rowText().isEmpty());
        document().selectStorage(table->differences()->comparison().rows.front().storages.front());
        QCOMPARE(table->currentIndex().row(), 0);
        document().clearSelection();
        QVERIFY(!table->chosen());
        QVERIFY(m_window->workspace()->view<SummaryView>()->rowText().isEmpty());
        // Hover goes out and comes in.
        QTest::mouseMove(table->viewport(), table->visualRect(table->model()->index(0, 0)).center());
        QTest::mouseMove(table->viewport(), table->visualRect(table->model()->index(1, 0)).center());
        QVERIFY(table->model()->index(1, 0).data(DifferenceModel::kHoveredRole).toBool());
        // The click on the overlay selects what A computes there.
        CompareCanvas *canvas = view()->canvas();
        const QPointF at(canvas->layout().plot.center());
        QTest::mouseClick(canvas, Qt::LeftButton, {}, at.toPoint());
        QVERIFY(document().selection().op);
    }

    void levelsFilterAndCsv()
    {
        const auto [first, second] = addPlans();
        document().setCompared({first, second});
        trigger("showCompare");
        DifferenceTable *table = view()->table();
        QSignalSpy touched(&m_window->session().viewStates, &ViewStates::touched);
        for (const int level : {1, 2, 0}) {
            view()->levelChoice()->setCurrent(level);
            QCOMPARE(int(table->differences()->level()), level);
            QVERIFY(table->model()->rowCount() > 0);
        }
        QCOMPARE(touched.count(), 3);
        const int all = table->model()->rowCount();
        QTest::keyClicks(view()->filter(), QStringLiteral("recomputed"));
        const int some = table->model()->rowCount();
        QVERIFY(some > 0 && some < all);
        const QString path = m_folder.filePath(QStringLiteral("differences.csv"));
        feature()->saveCsv(path);
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QList<QByteArray> lines = file.readAll().split('\n');
        QCOMPARE(lines.size(), some + 2); // header, and what stands behind the last line feed
        QVERIFY(lines.front().startsWith("Module,Storage,Uses,A,B,"));
        QCOMPARE(lines[1].split(',')[DifferenceModel::Bytes].toLongLong(),
                 table->model()->index(0, DifferenceModel::Bytes).data(DifferenceModel::kValueRole).toLongLong());
        feature()->saveCsv(QStringLiteral("/nowhere/at/all.csv"));
        QVERIFY(m_window->messages()->sentence().contains(QStringLiteral("/nowhere/at/all.csv")));
        view()->filter()->setText(QStringLiteral("no such thing"));
        QCOMPARE(table->model()->rowCount(), 0);
    }

    void headersSort()
    {
        const auto [first, second] = addPlans();
        document().setCompared({first, second});
        trigger("showCompare");
        DifferenceTable *table = view()->table();
        const auto times = [&] {
            std::vector<double> values;
            for (int row = 0; row < table->model()->rowCount(); ++row)
                values.push_back(
                    table->model()->index(row, DifferenceModel::Time).data(DifferenceModel::kValueRole).toDouble());
            return values;
        };
        const std::vector<double> before = times();
        Q_EMIT table->horizontalHeader()->sectionClicked(DifferenceModel::Time);
        std::vector<double> sorted = times();
        QVERIFY(std::is_sorted(sorted.rbegin(), sorted.rend()));
        Q_EMIT table->horizontalHeader()->sectionClicked(DifferenceModel::Time);
        sorted = times();
        QVERIFY(std::is_sorted(sorted.begin(), sorted.end()));
        Q_EMIT table->horizontalHeader()->sectionClicked(DifferenceModel::Time);
        QCOMPARE(times(), before);
    }

    void axisCursorAndZoom()
    {
        const auto [first, second] = addPlans();
        document().setCompared({first, second});
        trigger("showCompare");
        CompareCanvas *canvas = view()->canvas();
        SegmentedControl *axis = view()->header()->axisChoice();
        axis->setCurrent(2);
        QCOMPARE(canvas->scene().kind, CompareAxis::Aligned);
        QCOMPARE(document().time().kind(), AxisKind::Steps);
        QCOMPARE(canvas->scene().plans[0].edges.back(), canvas->scene().plans[1].edges.back());
        axis->setCurrent(1);
        QCOMPARE(canvas->scene().kind, CompareAxis::Steps);
        axis->setCurrent(0);
        QCOMPARE(document().time().kind(), AxisKind::Time);
        // The axis holds the longer of both.
        for (const ComparedPlan &plan : canvas->scene().plans)
            QVERIFY(document().time().view().length >= plan.timeline().timeUs);

        canvas->setFocus();
        QTest::keyClick(canvas, Qt::Key_Right);
        QVERIFY(document().cursorUs() >= 0);
        const double cursor = document().cursorUs();
        QTest::keyClick(canvas, Qt::Key_Right);
        QVERIFY(document().cursorUs() > cursor);
        QTest::keyClick(canvas, Qt::Key_Left);
        QCOMPARE(document().cursorUs(), cursor);
        QTest::keyClick(canvas, Qt::Key_W);
        QVERIFY(!document().time().view().all());
        QTest::mouseDClick(canvas, Qt::LeftButton, {}, canvas->rect().center());
        QVERIFY(document().time().view().all());
        QTest::mouseMove(canvas, canvas->layout().plot.center().toPoint());
        QVERIFY(document().cursorUs() >= 0);
        trigger("showGraph");
        QVERIFY(!view()->isVisible());
    }

    void theSummaryUsesAPlan()
    {
        const auto [first, second] = addPlans();
        // What anything has proven since stands beside the plan, not what its own solve knew.
        const auto &plans = document().plans();
        const auto plan =
            *std::find_if(plans.begin(), plans.end(), [&](const auto &each) { return each->id == first; });
        document().tellBound(HoldsFor::EveryPlan, 0, plan->plan->budgetBytes, plan->timeline->timeUs);
        document().setCompared({first, second});
        trigger("showCompare");
        SummaryView *summary = m_window->workspace()->view<SummaryView>();
        QCOMPARE(summary->figures()->rows().size(), 6U);
        const double overhead = plan->timeline->timeUs / document().model()->keepAllTimeUs - 1;
        QCOMPARE(summary->figures()->rows()[2].a, formatBoundShare(overhead, overhead));
        QCOMPARE(toQString(summary->figures()->rows()[0].a),
                 bytesText(view()->canvas()->scene().plans[0].timeline().peakBytes, Rounding::Up));
        QVERIFY(summary->verdict()->isVisibleTo(summary));
        QVERIFY(!summary->verdict()->look().title.isEmpty() && !summary->verdict()->look().sentence.isEmpty());
        document().setCurrentPlan(second);
        QTest::mouseClick(summary->findChild<QAbstractButton *>(QStringLiteral("useA")), Qt::LeftButton);
        QCOMPARE(document().currentPlan()->id, first);
        QVERIFY(!summary->findChild<QAbstractButton *>(QStringLiteral("useA"))->isEnabled());
        QTest::mouseClick(summary->findChild<QAbstractButton *>(QStringLiteral("useOther")), Qt::LeftButton);
        QCOMPARE(document().currentPlan()->id, second);
    }

    void lettersChangePlaces()
    {
        QCOMPARE(withLetter({}, 1, 7), (std::vector<int>{7}));
        QCOMPARE(withLetter({7}, 1, 8), (std::vector<int>{7, 8}));
        QCOMPARE(withLetter({7, 8}, 0, 8), (std::vector<int>{8, 7}));
        QCOMPARE(withLetter({7, 8}, 0, 9), (std::vector<int>{9, 8}));
        QCOMPARE(withLetter({7, 8}, 2, 7), (std::vector<int>{8, 7}));
        QCOMPARE(withLetter({1, 2, 3, 4}, 4, 5), (std::vector<int>{1, 2, 3, 4}));
        QCOMPARE(withoutLetter({1, 2, 3}, 2), (std::vector<int>{1, 3}));
        const std::unique_ptr<QMimeData> mime(planMime(12));
        QCOMPARE(planOf(mime.get()), 12);
        const QMimeData other;
        QCOMPARE(planOf(&other), 0);
    }

    void viewStatesBringItBack()
    {
        const auto [first, second] = addPlans();
        document().setCompared({first, second});
        trigger("showCompare");
        view()->levelChoice()->setCurrent(1);
        view()->filter()->setText(QStringLiteral("layers"));
        const QJsonObject states = m_window->session().viewStates.save();
        view()->levelChoice()->setCurrent(2);
        view()->filter()->clear();
        m_window->session().viewStates.restore(states);
        QCOMPARE(view()->levelChoice()->current(), 1);
        QCOMPARE(view()->filter()->text(), QStringLiteral("layers"));
    }

    void presetShowsIt()
    {
        addPlans();
        trigger("preset.compare");
        QVERIFY(view()->isVisible());
        QVERIFY(m_window->workspace()->view<SummaryView>()->isVisible());
        QVERIFY(m_window->findChild<QDockWidget *>(QStringLiteral("memoryDock"))->isHidden());
        QVERIFY(!m_window->workspace()->leftPanel()->tree()->isVisible());
    }

    void pictures_data()
    {
        QTest::addColumn<int>("scheme");
        QTest::addColumn<QSize>("size");
        QTest::addColumn<QString>("name");
        QTest::newRow("light") << int(Scheme::Light) << QSize(1032, 780) << QStringLiteral("compare-light.png");
        QTest::newRow("dark") << int(Scheme::Dark) << QSize(1032, 780) << QStringLiteral("compare-dark.png");
        QTest::newRow("light small") << int(Scheme::Light) << QSize(720, 560)
                                     << QStringLiteral("compare-light-small.png");
        QTest::newRow("dark small") << int(Scheme::Dark) << QSize(720, 560) << QStringLiteral("compare-dark-small.png");
    }
    void pictures()
    {
        const fixture::RowLook look;
        QFETCH(QSize, size);
        QFETCH(QString, name);
        // Planners that are exact: others find other plans as they get better.
        const CostedModel &model = *document().model();
        const int first = document().nextPlanId(), second = document().nextPlanId();
        document().addPlan(fixture::solvedEntry(model, "chen-sqrt", model.keepAll->peakBytes * 7 / 10, first));
        document().addPlan(fixture::solvedEntry(model, "rotor", model.keepAll->peakBytes / 2, second));
        document().setCompared({first, second});
        CompareView own(&document());
        SummaryView summary(&document(), &own);
        own.resize(size);
        own.show();
        QVERIFY(QTest::qWaitForWindowExposed(&own));
        document().selectStorage(own.table()->differences()->comparison().rows.front().storages.front());
        document().setCursor(own.canvas()->scene().axis.length() * 0.4);
        own.canvas()->setFocus();
        QCOMPARE(fixture::goldenDifference(own, name), QString());
        summary.resize(300, size.height());
        summary.show();
        QVERIFY(QTest::qWaitForWindowExposed(&summary));
        QCOMPARE(fixture::goldenDifference(summary, QStringLiteral("summary-") + name), QString());
    }
};

QTEST_MAIN(TestCompareView)
#include "tst_compare_view.moc"
