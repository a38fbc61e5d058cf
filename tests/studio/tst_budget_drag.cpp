// SPDX-License-Identifier: Apache-2.0
// A drag of the budget is one gesture, wherever it begins: what must hold still holds still, and the bound is told.
#include "app/studio/shell/workspace/workspace.h"
#include "app/studio/views/curve/curve_view.h"
#include "app/studio/views/memory/memory_view.h"
#include "app/studio/views/plan/budget_slider.h"
#include "app/studio/work/document/time_window.h"
#include "tests/studio/window_test.h"
#include "tests/support/text_rows.h"

using namespace remat;
using namespace remat::studio;

class TestBudgetDrag : public QObject, fixture::InWindow
{
    Q_OBJECT

    /// Where a place of the window is grabbed, and where each share of the keep-all peak is on it.
    struct Handle {
        QWidget *widget = nullptr;
        std::function<QPoint(double)> at;
    };

    Handle handle(const QString &place)
    {
        const auto peak = static_cast<double>(document().model()->keepAll->peakBytes);
        if (place == QLatin1String("slider")) {
            auto *slider = m_window->findChild<BudgetSlider *>();
            return {slider, [slider](double share) { return QPoint(int(8 + share * (slider->width() - 16)), 14); }};
        }
        if (place == QLatin1String("memory")) {
            MemoryCanvas *canvas = m_window->workspace()->memory()->canvas();
            return {canvas, [canvas, peak](double share) {
                        const MemoryLayout layout = canvas->layout();
                        const QRectF handle = layout.budgetHandle(static_cast<std::int64_t>(share * peak));
                        return handle.center().toPoint();
                    }};
        }
        m_window->workspace()->showView(QStringLiteral("curve"));
        CurveCanvas *canvas = m_window->workspace()->curve()->canvas();
        return {canvas, [canvas, peak](double share) {
                    const CurveLayout layout = canvas->layoutNow();
                    return QPoint(int(layout.x.pixel(share * peak)), int(layout.plot.top()) + 40);
                }};
    }

    static void move(const Handle &handle, double share)
    {
        const QPointF at = handle.at(share);
        QMouseEvent event(QEvent::MouseMove, at, handle.widget->mapToGlobal(at), Qt::NoButton, Qt::LeftButton, {});
        QCoreApplication::sendEvent(handle.widget, &event);
    }

private Q_SLOTS:
    void initTestCase() { QVERIFY(m_folder.isValid()); }
    void cleanup() { m_window.reset(); }

    void holdsStillAndTellsTheBound_data() { test::textRows("place", {"slider", "memory", "curve"}); }

    void holdsStillAndTellsTheBound()
    {
        QFETCH(QString, place);
        openWindow();
        openChain(24);
        Session &session = m_window->session();
        m_window->setBudget(document().model()->keepAll->peakBytes * 9 / 10);
        QTRY_VERIFY(m_window->idle());
        const Handle handle = this->handle(place);
        if (place != QLatin1String("curve")) // which shows the bound
            QVERIFY(session.bound.points().empty() && !session.bound.running());
        const auto *slider = m_window->findChild<BudgetSlider *>();
        const auto ticks = [slider] { // what is below the knob and its ring
            return const_cast<BudgetSlider *>(slider)
                ->grab(QRect(0, 26, slider->width(), slider->height() - 26))
                .toImage();
        };
        const QImage ticksBefore = ticks();

        QTest::mousePress(handle.widget, Qt::LeftButton, {}, handle.at(0.9));
        QVERIFY(document().draggingBudget());
        QVERIFY(session.bound.running() || !session.bound.points().empty());
        double longest = 0, highest = 0;
        for (const double share : {0.8, 0.6, 0.45, 0.6, 0.8, 0.95}) {
            move(handle, share);
            const double budget = static_cast<double>(document().budgetBytes());
            QVERIFY(std::abs(budget / static_cast<double>(document().model()->keepAll->peakBytes) - share) < 0.03);
            QTRY_VERIFY(!session.quick.running());
            const Viewport &seen = document().time().view();
            QVERIFY2(seen.length >= longest && seen.all(), "the time axis jumped back under the mouse");
            longest = seen.length;
            const double top = m_window->workspace()->curve()->canvas()->layoutNow().y.toValue;
            QVERIFY2(top >= highest, "the overhead axis jumped back under the mouse");
            highest = top;
            QCOMPARE(ticks(), ticksBefore);
        }
        QTest::mouseRelease(handle.widget, Qt::LeftButton, {}, handle.at(0.95));
        QVERIFY(!document().draggingBudget());
        QTRY_VERIFY(m_window->idle());
        QVERIFY2(document().time().view().length < longest, "the axis fits the plan again once the drag has ended");
    }

    void aBudgetAboveEverythingHasItsLine()
    {
        openWindow();
        openChain(12);
        const MemoryCanvas *canvas = m_window->workspace()->memory()->canvas();
        const std::int64_t peak = document().model()->keepAll->peakBytes;
        document().setBudget(peak * 13 / 10);
        QVERIFY(canvas->layout().budgetY(document().budgetBytes()) > canvas->layout().plot.top());
        QVERIFY(canvas->layout().budgetY(document().budgetBytes()) < canvas->layout().budgetY(peak));
        // A far one does not cost the picture; an arrow says that it is farther up.
        const double height = canvas->scene().topBytes();
        document().setBudget(peak * 10);
        QVERIFY(canvas->scene().topBytes() <= height);
    }
};

QTEST_MAIN(TestBudgetDrag)
#include "tst_budget_drag.moc"
