// SPDX-License-Identifier: Apache-2.0
#include "app/studio/base/widgets/building_blocks.h"
#include "app/studio/views/curve/curve_view.h"
#include "app/studio/views/curve/name_places.h"
#include "app/studio/views/curve/planner_look.h"
#include "app/studio/work/jobs/sweep_estimate.h"
#include "core/base/budget.h"
#include "core/views/memory_step.h"
#include "tests/studio/window_fixture.h"

#include <set>

using namespace remat;
using namespace remat::studio;

namespace {

/// A document with a chain and three plans: two of chen-sqrt, one of hiremate.
struct Plans {
    QTemporaryDir folder;
    Document document;
    std::shared_ptr<const CostedModel> model;

    Plans()
    {
        model = fixture::openChain(fixture::writeChain(folder, 36));
        document.setModel(model);
        const std::int64_t peak = model->keepAll->peakBytes;
        document.setBudget(peak / 2);
        document.addPlan(fixture::solvedEntry(*model, "chen-sqrt", peak * 6 / 10, document.nextPlanId()));
        document.addPlan(fixture::solvedEntry(*model, "hiremate", peak * 5 / 10, document.nextPlanId()));
        document.addPlan(fixture::solvedEntry(*model, "hiremate", peak * 8 / 10, document.nextPlanId()));
    }
};

/// What a window has of the trade-off, of a usual size.
struct ShownCurve {
    BoundRunner bound;
    SweepRunner sweeps;
    CurveView view;

    ShownCurve(Document &document, QThreadPool &pool)
        : bound(document, pool), sweeps(document, pool), view(&document, &bound, &sweeps, pool)
    {
        view.resize(1000, 560);
        view.show();
    }
};

} // namespace

class TestCurveView : public QObject
{
    Q_OBJECT

    fixture::OwnSettings m_settings;
    QThreadPool m_pool;

private Q_SLOTS:
    void initTestCase() { fixture::lightTheme(); }

    void pointsAreByPlannerAndPeakWithTheirFront()
    {
        Plans plans;
        const std::vector<CurvePoint> points = curvePoints(plans.document);
        QCOMPARE(points.size(), 3U);
        QCOMPARE(plannersOf(points).size(), 2U);
        for (std::size_t i = 1; i < points.size(); ++i)
            QVERIFY(points[i].planner != points[i - 1].planner || points[i].peakBytes >= points[i - 1].peakBytes);
        for (const CurvePoint &point : points)
            QVERIFY(!point.dominated);
        // The same plan again is no better than itself.
        auto twin = std::make_shared<PlanEntry>(*plans.document.plans().front());
        twin->id = plans.document.nextPlanId();
        plans.document.addPlanBeside(twin);
        int dominated = 0;
        for (const CurvePoint &point : curvePoints(plans.document))
            dominated += point.dominated ? 1 : 0;
        QCOMPARE(dominated, 1);
        QVERIFY(plans.document.currentPlan()->id != twin->id);
    }

    void theKneeIsWhereTheFrontBends()
    {
        const auto point = [](int id, std::int64_t peak, double overhead) {
            CurvePoint made;
            made.planId = id;
            made.planner = "p";
            made.peakBytes = peak;
            made.overhead = overhead;
            return made;
        };
        // Steep up to 50, flat from there; the one above the front is none of it.
        std::vector<CurvePoint> points = {point(1, 30, 0.6),  point(2, 40, 0.3),  point(3, 50, 0.05),
                                          point(4, 70, 0.03), point(5, 100, 0.0), point(6, 45, 0.9)};
        QVERIFY(kneeOf(points));
        QCOMPARE(kneeOf(points)->planId, 3);
        // A quick plan is no measure, few points are no front, and a line has no knee.
        points[2].quick = true;
        QVERIFY(kneeOf(points));
        QVERIFY(kneeOf(points)->planId != 3);
        QVERIFY(!kneeOf({point(1, 30, 0.6), point(2, 50, 0.05), point(3, 100, 0.0)}));
        QVERIFY(!kneeOf({point(1, 25, 0.3), point(2, 50, 0.2), point(3, 75, 0.1), point(4, 100, 0.0)}));
    }

    void aSweepIsEstimatedPlannerByPlanner()
    {
        // Nothing is known before anything is done.
        QVERIFY(secondsLeft({{.left = 9, .usesTime = true}}, 5, 1) < 0);
        // Quick ones are done; the thorough one has not come back yet, and takes what it may.
        const std::vector<PlannerPace> paces = {{.left = 0, .done = 9, .seconds = 0.9}, {.left = 9, .usesTime = true}};
        QCOMPARE(secondsLeft(paces, 5, 0.9), 45.0);
        // Once it has, what it took counts; two threads take half as long.
        QCOMPARE(secondsLeft({{.left = 8, .done = 1, .seconds = 2, .usesTime = true}}, 5, 2), 16.0);
        QCOMPARE(secondsLeft({{.left = 6, .done = 4, .seconds = 8, .usesTime = true}}, 5, 4), 6.0);
    }

    void bestOverheadIsThatOfTheCheapestPlanThatFits()
    {
        Plans plans;
        const std::vector<CurvePoint> points = curvePoints(plans.document);
        const std::int64_t peak = plans.model->keepAll->peakBytes;
        QVERIFY(!bestOverheadWithin(points, 1).has_value());
        double best = 1e9;
        for (const CurvePoint &point : points)
            best = std::min(best, point.overhead);
        QCOMPARE(*bestOverheadWithin(points, peak), best);
        QVERIFY(*bestOverheadWithin(points, peak / 2) >= best);
    }

    void stepsOfMemoryEndAtKeepAll()
    {
        Plans plans;
        BoundRunner bound(plans.document, m_pool);
        CurveCanvas canvas(&plans.document, &bound);
        const std::vector<MemoryStep> steps = memorySteps(canvas.scene());
        QVERIFY(steps.size() > 1);
        QCOMPARE(steps.front().budgetBytes, plans.document.budgetBytes());
        for (std::size_t i = 1; i < steps.size(); ++i) {
            QVERIFY(steps[i].budgetBytes > steps[i - 1].budgetBytes);
            if (steps[i].change) QVERIFY(*steps[i].change <= 1e-12);
        }
        QVERIFY(steps.back().budgetBytes <= plans.model->keepAll->peakBytes);
        QCOMPARE(memoryStepBytes(std::int64_t(9) << 30), std::int64_t(1) << 30);
        QVERIFY(memoryStepBytes(1000) <= 1000 / 6);
        QVERIFY(memoryStepBytes(0) == 1);
    }

    void devicesWithoutRoomAreLeftOut()
    {
        const std::int64_t giB = std::int64_t(1) << 30;
        const auto rooms = roomOn(
            {{QStringLiteral("large"), 8 * giB}, {QStringLiteral("none"), giB}, {QStringLiteral("small"), 4 * giB}},
            [&](std::int64_t memory) { return memory - 2 * giB; });
        QCOMPARE(rooms.size(), 2U);
        QCOMPARE(rooms.front().title, QStringLiteral("small"));
        QCOMPARE(rooms.front().roomBytes, 2 * giB);
    }

    void theBoundComesInOrderAndNeverFallsAsMemoryShrinks()
    {
        Plans plans;
        BoundRunner bound(plans.document, m_pool);
        bound.want();
        QTRY_VERIFY(!bound.running() && bound.points().size() > 8);
        for (std::size_t i = 1; i < bound.points().size(); ++i) {
            QVERIFY(bound.points()[i].budgetBytes > bound.points()[i - 1].budgetBytes);
            QVERIFY(bound.points()[i].overhead <= bound.points()[i - 1].overhead + 1e-9);
        }
        const std::int64_t peak = plans.model->keepAll->peakBytes;
        QCOMPARE(bound.knownOverhead(peak), 0.0);
        QCOMPARE(bound.knownOverhead(bound.points()[3].budgetBytes), bound.points()[3].overhead);
        QVERIFY(bound.knownOverhead(bound.points()[3].budgetBytes - 1) <= bound.points()[2].overhead + 1e-9);
        for (const CurvePoint &point : curvePoints(plans.document))
            QVERIFY(point.overhead >= bound.knownOverhead(point.peakBytes) - 1e-9);
        plans.document.setModel(nullptr);
        QVERIFY(bound.points().empty());
    }

    void whatIsProvenBesideAPlanHoldsForSmallerBudgets()
    {
        Plans plans;
        const std::int64_t peak = plans.model->keepAll->peakBytes;
        const std::vector<BoundPoint> quick = {{peak / 4, 0.5}, {peak * 7 / 10, 0}, {peak * 9 / 10, 0}};
        const auto proven = [&](HoldsFor kind) {
            auto entry = std::make_shared<PlanEntry>(*plans.document.plans().back()); // at 80 %
            auto plan = std::make_shared<Plan>(*entry->plan);
            plan->predicted.lowerBoundTimeUs = entry->timeline->timeUs;
            entry->plan = plan;
            entry->kind = kind;
            plans.document.replacePlan(entry);
            return liftedBy(plans.document, quick);
        };
        const double overhead = plans.document.plans().back()->timeline->timeUs / plans.model->keepAllTimeUs - 1;
        QVERIFY(overhead > 0);
        const std::vector<BoundPoint> lifted = proven(HoldsFor::GivenOrder);
        QCOMPARE(lifted[0].overhead, std::max(0.5, overhead));
        QCOMPARE(lifted[1].overhead, overhead);
        QCOMPARE(lifted[2].overhead, 0.0);
        QCOMPARE(proven(HoldsFor::AnyOrder)[1].overhead, 0.0);
    }

    void aClickLoadsAPlanAndKeysGoFromPlanToPlan()
    {
        Plans plans;
        ShownCurve shown(plans.document, m_pool);
        CurveCanvas *canvas = shown.view.canvas();
        const CurveLayout layout = canvas->layoutNow();
        const std::vector<CurvePoint> points = canvas->scene().points; // a click makes a new scene
        for (const CurvePoint &point : points) {
            const QPoint at = layout.place(point.peakBytes, point.overhead).toPoint();
            QTest::mouseMove(canvas, at);
            QTest::mouseClick(canvas, Qt::LeftButton, {}, at);
            QCOMPARE(plans.document.currentPlan()->id, point.planId);
        }
        // Keys go from point to point without loading; Enter loads.
        const int before = plans.document.currentPlan()->id;
        canvas->setFocus();
        for (int i = 0; i < 6; ++i)
            QTest::keyClick(canvas, Qt::Key_Left);
        const CurvePoint *smallest = canvas->scene().find(canvas->marked());
        QVERIFY(smallest);
        for (const CurvePoint *point : pointsByPeak(canvas->scene()))
            QVERIFY(point->peakBytes >= smallest->peakBytes);
        QCOMPARE(plans.document.currentPlan()->id, before);
        for (int i = 0; i < 8; ++i)
            QTest::keyClick(canvas, Qt::Key_Up);
        const CurvePoint *slowest = canvas->scene().find(canvas->marked());
        for (const CurvePoint *point : pointsByPeak(canvas->scene()))
            QVERIFY(point->overhead <= slowest->overhead);
        QTest::keyClick(canvas, Qt::Key_Left);
        const int wanted = canvas->marked();
        if (wanted > 0) {
            QTest::keyClick(canvas, Qt::Key_Return);
            QCOMPARE(plans.document.currentPlan()->id, wanted);
            QCOMPARE(canvas->marked(), 0);
        }
    }

    void referencesAreAlwaysThereAndCanBeLoaded()
    {
        Plans plans;
        while (!plans.document.plans().empty())
            plans.document.removePlan(plans.document.plans().front()->id);
        ShownCurve shown(plans.document, m_pool);
        CurveCanvas *canvas = shown.view.canvas();
        QTRY_COMPARE(canvas->scene().references.size(), 2U);
        const CurvePoint keepAll = canvas->scene().references.front();
        QCOMPARE(keepAll.peakBytes, plans.model->keepAll->peakBytes);
        QCOMPARE(keepAll.overhead, 0.0);
        QVERIFY(canvas->scene().references.back().peakBytes < keepAll.peakBytes);
        QVERIFY(plans.document.plans().empty());
        const QPoint at = canvas->layoutNow().place(keepAll.peakBytes, 0).toPoint();
        QTest::mouseClick(canvas, Qt::LeftButton, {}, at);
        QCOMPARE(plans.document.plans().size(), 1U);
        QCOMPARE(plans.document.currentPlan()->timeline->peakBytes, keepAll.peakBytes);
        QCOMPARE(canvas->scene().references.size(), 1U); // now it is a plan
        // By keys, too.
        canvas->setFocus();
        QTest::keyClick(canvas, Qt::Key_Left);
        QVERIFY(canvas->marked() < 0);
        QTest::keyClick(canvas, Qt::Key_Return);
        QCOMPARE(plans.document.plans().size(), 2U);
        QVERIFY(canvas->scene().references.empty());
    }

    void whatTheModelDoesTodayStandsBesideKeepAll()
    {
        Document document;
        document.setModel(fixture::openChain(QStringLiteral(REMAT_TEST_DATA "/traces/checkpointed.pt2")));
        ShownCurve shown(document, m_pool);
        QTRY_COMPARE(shown.view.canvas()->scene().references.size(), 3U);
        const CurvePoint today = shown.view.canvas()->scene().references[1];
        QCOMPARE(today.title, QStringLiteral("As the model does it today"));
        QVERIFY(today.overhead > 0 && today.peakBytes < document.model()->keepAll->peakBytes);
        shown.view.references()->load(1);
        QCOMPARE(document.currentPlan()->timeline->peakBytes, today.peakBytes);
    }

    void namesCoverNothing()
    {
        NamesAround around;
        around.plot = QRectF(0, 0, 400, 300);
        around.hatched.addRect(0, 200, 400, 100);
        around.lines.push_back({QPointF(200, 0), QPointF(200, 300)});
        around.taken.push_back(QRectF(90, 90, 20, 20));
        const QSizeF size(60, 16);
        for (int i = 0; i < 6; ++i) {
            const QRectF box = placeForName(around, {QPointF(100, 100), QPointF(190, 150)}, size);
            if (box.isEmpty()) break;
            QVERIFY(around.plot.contains(box));
            QVERIFY(!around.hatched.intersects(box));
            QVERIFY(box.right() < 200 || box.left() > 200);
            for (const QRectF &other : around.taken)
                QVERIFY(!other.intersects(box));
            around.taken.push_back(box);
        }
        QVERIFY(around.taken.size() > 3);
        around.hatched = QPainterPath();
        around.hatched.addRect(around.plot);
        QVERIFY(placeForName(around, {QPointF(100, 100)}, size).isEmpty());
    }

    void budgetsWithoutAPlanAreMarked()
    {
        Plans plans;
        ShownCurve shown(plans.document, m_pool);
        SweepSettings settings;
        settings.planners = {"chen-sqrt"};
        settings.percents = {80, 1};
        QSignalSpy ended(&shown.sweeps, &SweepRunner::ended);
        shown.sweeps.start(settings);
        QTRY_COMPARE(ended.count(), 1);
        QCOMPARE(shown.view.canvas()->scene().misses.size(), 1U);
        QCOMPARE(shown.view.canvas()->scene().misses.front().budgetBytes, plans.model->keepAll->peakBytes / 100);
        plans.document.setBudget(plans.model->floor.bytes - 1);
        QVERIFY(shown.view.canvas()->scene().infeasible());
    }

    void theBudgetLineIsDragged()
    {
        Plans plans;
        ShownCurve shown(plans.document, m_pool);
        CurveCanvas *canvas = shown.view.canvas();
        QSignalSpy drags(&plans.document, &Document::budgetDragChanged), moves(&plans.document, &Document::budgetMoved);
        plans.document.setBudget(plans.model->keepAll->peakBytes * 93 / 100);
        const CurveLayout layout = canvas->layoutNow();
        const auto x = [&](double share) {
            return static_cast<int>(layout.x.pixel(share * static_cast<double>(plans.model->keepAll->peakBytes)));
        };
        const int y = static_cast<int>(layout.plot.top()) + 40;
        QTest::mousePress(canvas, Qt::LeftButton, {}, QPoint(x(0.93), y));
        QTest::mouseMove(canvas, QPoint(x(0.7), y));
        QTest::mouseRelease(canvas, Qt::LeftButton, {}, QPoint(x(0.7), y));
        QCOMPARE(drags.count(), 2);
        QVERIFY(moves.count() >= 1);
        const double share =
            static_cast<double>(plans.document.budgetBytes()) / static_cast<double>(plans.model->keepAll->peakBytes);
        QVERIFY2(std::abs(share - 0.7) < 0.02, qPrintable(QString::number(share)));
    }

    void aSweepFillsTheCurveAndStops()
    {
        Plans plans;
        ShownCurve shown(plans.document, m_pool);
        shown.view.strip()->setChosen({"chen-sqrt", "dtr"});
        QCOMPARE(shown.view.strip()->chosen().size(), 2U);
        const auto before = plans.document.plans().size();
        const int current = plans.document.currentPlan()->id;
        QSignalSpy ended(&shown.sweeps, &SweepRunner::ended);
        QTest::mouseClick(shown.view.strip()->startButton(), Qt::LeftButton);
        QVERIFY(shown.sweeps.running());
        QVERIFY(shown.view.strip()->stopButton()->isVisible());
        QTRY_COMPARE(ended.count(), 1);
        QVERIFY(!shown.sweeps.running());
        QVERIFY(shown.sweeps.report().sentence.isEmpty());
        QCOMPARE(shown.sweeps.report().done, shown.sweeps.report().total);
        QVERIFY(plans.document.plans().size() > before);
        QCOMPARE(plans.document.currentPlan()->id, current);
        for (const auto &entry : plans.document.plans())
            QVERIFY(verdictOf(*entry, 0).level == VerdictLevel::Ok);
        const auto after = plans.document.plans().size();

        // Once more finds nothing new; a stop ends it.
        QTest::mouseClick(shown.view.strip()->startButton(), Qt::LeftButton);
        QTest::mouseClick(shown.view.strip()->stopButton(), Qt::LeftButton);
        QTRY_COMPARE(ended.count(), 2);
        QCOMPARE(plans.document.plans().size(), after);
    }

    void aSweepFollowsDecisions()
    {
        Plans plans;
        Pins pins;
        pins.recompute = {OpId(3)};
        plans.document.setPins(pins);
        const auto before = plans.document.plans().size();
        SweepRunner sweeps(plans.document, m_pool);
        QSignalSpy ended(&sweeps, &SweepRunner::ended);
        SweepSettings settings;
        settings.planners = {"chen-sqrt"};
        settings.percents = {99, 81};
        sweeps.start(settings);
        QTRY_COMPARE(ended.count(), 1);
        const auto &all = plans.document.plans();
        QVERIFY(all.size() > before);
        // A plan of the sweep is one for the budget that is typed.
        std::set<std::int64_t> typed;
        for (const char *share : {"99%", "81%"})
            typed.insert(*parseBudget(share, plans.model->keepAllPeakBytes));
        for (auto entry = all.begin() + static_cast<std::ptrdiff_t>(before); entry != all.end(); ++entry) {
            QVERIFY(!pinsViolated(plans.model->graph(), (*entry)->plan->steps, pins));
            QVERIFY(typed.contains((*entry)->plan->budgetBytes));
        }
    }

    void theTableSaysTheSame()
    {
        Plans plans;
        BoundRunner bound(plans.document, m_pool);
        CurveCanvas canvas(&plans.document, &bound);
        CurveTable table(&canvas);
        QAbstractItemModelTester tester(&table, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QCOMPARE(table.rowCount(), 3);
        for (int column = 0; column < table.columnCount(); ++column) {
            QVERIFY(!table.headerData(column, Qt::Horizontal).toString().isEmpty());
            for (int row = 0; row < table.rowCount(); ++row)
                QVERIFY(!table.index(row, column).data().toString().isEmpty());
        }
        const auto shares = [&] {
            std::vector<QString> texts;
            for (int row = 0; row < table.rowCount(); ++row)
                texts.push_back(table.index(row, CurveTable::Overhead).data().toString());
            return texts;
        };
        table.sort(CurveTable::Overhead, Qt::AscendingOrder);
        const std::vector<QString> rising = shares();
        table.sort(CurveTable::Overhead, Qt::DescendingOrder);
        QCOMPARE(shares(), std::vector<QString>(rising.rbegin(), rising.rend()));
        plans.document.removePlan(plans.document.plans().front()->id);
        QCOMPARE(table.rowCount(), 2);
    }

    void plannersLookDifferent()
    {
        std::set<std::tuple<int, int, int>> looks;
        std::set<int> colours;
        for (std::size_t place = 0; place < planners().size(); ++place) {
            const PlannerLook look = lookOf(place);
            if (place < 7) colours.insert(static_cast<int>(look.colour));
            looks.insert({static_cast<int>(look.colour), static_cast<int>(look.marker), static_cast<int>(look.dash)});
        }
        QCOMPARE(colours.size(), 7U);
        QCOMPARE(looks.size(), planners().size());
    }

    void looksAsItDid_data()
    {
        QTest::addColumn<int>("scheme");
        QTest::addColumn<QSize>("size");
        QTest::addColumn<QString>("picture");
        QTest::newRow("light") << static_cast<int>(Scheme::Light) << QSize(1000, 560)
                               << QStringLiteral("curve-light.png");
        QTest::newRow("dark") << static_cast<int>(Scheme::Dark) << QSize(1000, 560) << QStringLiteral("curve-dark.png");
        QTest::newRow("light, small") << static_cast<int>(Scheme::Light) << QSize(620, 420)
                                      << QStringLiteral("curve-light-small.png");
        QTest::newRow("dark, small") << static_cast<int>(Scheme::Dark) << QSize(620, 420)
                                     << QStringLiteral("curve-dark-small.png");
    }

    void looksAsItDid()
    {
        const fixture::RowLook look;
        QFETCH(const QSize, size);
        QFETCH(const QString, picture);
        Plans plans;
        ShownCurve shown(plans.document, m_pool);
        shown.view.strip()->setChosen({"chen-sqrt", "hiremate"});
        shown.view.resize(size);
        QTRY_VERIFY(!shown.bound.running() && !shown.bound.points().empty() && !shown.view.references()->running());
        const QString difference = fixture::goldenDifference(shown.view, picture);
        QVERIFY2(difference.isEmpty(), qPrintable(difference));
    }

    void anEmptyViewSaysWhatToDo()
    {
        Document document;
        ShownCurve shown(document, m_pool);
        QSignalSpy open(&shown.view, &CurveView::openRequested);
        shown.view.resize(800, 500);
        QVERIFY(!shown.view.strip()->startButton()->isEnabled());
        auto *button = shown.view.findChild<QPushButton *>();
        QVERIFY(button && button->isVisible());
        QTest::mouseClick(button, Qt::LeftButton);
        QCOMPARE(open.count(), 1);
    }
};

QTEST_MAIN(TestCurveView)
#include "tst_curve_view.moc"
