// SPDX-License-Identifier: Apache-2.0
// The views over time in the real window: tabs, keys, what they share, what is remembered of them.
#include "app/studio/shell/workspace/workspace.h"
#include "app/studio/views/addresses/address_view.h"
#include "app/studio/views/lanes/lanes_view.h"
#include "app/studio/views/matrix/matrix_view.h"
#include "app/studio/views/memory/memory_view.h"
#include "app/studio/work/document/time_window.h"
#include "tests/studio/window_test.h"

#include <memory>

using namespace remat;
using namespace remat::studio;

class TestTimeViews : public QObject, fixture::InWindow
{
    Q_OBJECT

    Workspace &workspace() { return *m_window->workspace(); }
    void press(const QKeySequence &key) { QTest::keySequence(m_window.get(), key); }

private Q_SLOTS:
    void init()
    {
        openFresh();
        m_window->activateWindow();
        QVERIFY(!command("show.lanes")->isEnabled());
        m_window->afterOpening(QStringLiteral("70%"), false);
        m_window->openFile(fixture::writeChain(m_folder, 8));
        QTRY_VERIFY(document().currentPlan());
        QTRY_VERIFY(m_window->idle());
    }

    void keysBringViewsToTheFront()
    {
        auto *lanes = m_window->findChild<LanesView *>();
        auto *addresses = m_window->findChild<AddressView *>();
        auto *matrix = m_window->findChild<MatrixView *>();
        QVERIFY(lanes && addresses && matrix);
        QVERIFY(!lanes->isVisible());
        press(QKeySequence(Qt::ALT | Qt::Key_9));
        QVERIFY(lanes->isVisible());
        QVERIFY(lanes->header()->isVisible());
        QVERIFY(lanes->canvas()->hasFocus());
        press(QKeySequence(Qt::ALT | Qt::Key_0));
        QVERIFY(addresses->isVisible() && !lanes->isVisible());
        QTRY_VERIFY(!addresses->pending());
        QVERIFY(addresses->canvas()->scene().map->heightBytes > 0);
        press(QKeySequence(Qt::ALT | Qt::Key_6));
        QVERIFY(matrix->isVisible() && matrix->canvas()->hasFocus());
        press(QKeySequence(Qt::ALT | Qt::Key_8));
        QVERIFY(workspace().memory()->isVisible() && !addresses->isVisible());
        QVERIFY(workspace().memory()->canvas()->hasFocus());
    }

    void theyShareAxisCursorAndSelection()
    {
        auto *lanes = m_window->findChild<LanesView *>();
        press(QKeySequence(Qt::ALT | Qt::Key_9));
        const double whole = document().time().view().width();
        QTest::keyClick(lanes->canvas(), Qt::Key_W);
        QCOMPARE(workspace().memory()->canvas()->viewport().to, document().time().view().to);
        QVERIFY(document().time().view().width() < whole);
        press(QKeySequence(Qt::Key_F)); // the window's own key, for the plot with the keyboard
        QCOMPARE(document().time().view().width(), whole);
        const LaneEvent &event = lanes->canvas()->scene().lanes().of(Lane::Compute)[3];
        document().setCursor((event.fromUs + event.toUs) / 2);
        QTest::keyClick(lanes->canvas(), Qt::Key_Return);
        QCOMPARE(document().selection().op, event.op);
        QTest::keyClick(lanes->canvas(), Qt::Key_BracketRight);
        QVERIFY(document().selection().op != event.op);
        QTest::keyClick(lanes->canvas(), Qt::Key_BracketLeft);
        press(QKeySequence(Qt::SHIFT | Qt::Key_R));
        QVERIFY(document().time().range());
        QTRY_VERIFY(m_window->idle()); // while anything runs Esc stops it
        QTest::keyClick(lanes->canvas(), Qt::Key_Escape);
        QVERIFY(!document().time().range());
        press(QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_M));
        QVERIFY(document().time().measuring());
        QVERIFY(command("measureRange")->isChecked());
    }

    void theMiddleButtonPans()
    {
        auto *lanes = m_window->findChild<LanesView *>();
        const TimeWindow &time = document().time();
        for (const auto &[key, canvas] :
             {std::pair<Qt::Key, QWidget *>{Qt::Key_8, workspace().memory()->canvas()}, {Qt::Key_9, lanes->canvas()}}) {
            press(QKeySequence(Qt::ALT | key));
            QTest::keyClick(canvas, Qt::Key_F);
            QTest::keyClick(canvas, Qt::Key_W);
            QTest::keyClick(canvas, Qt::Key_W);
            const double from = time.view().from, width = time.view().width();
            const QPoint start = canvas->rect().center(), end = start + QPoint(60, 0);
            QTest::mousePress(canvas, Qt::MiddleButton, {}, start);
            QMouseEvent move(QEvent::MouseMove, QPointF(end), canvas->mapToGlobal(QPointF(end)), Qt::NoButton,
                             Qt::MiddleButton, {});
            QCoreApplication::sendEvent(canvas, &move);
            QTest::mouseRelease(canvas, Qt::MiddleButton, {}, end);
            QVERIFY2(time.view().from < from, canvas->metaObject()->className());
            QVERIFY(std::abs(time.view().width() - width) < 1e-6 * width);
            QVERIFY(!document().selection().op && !time.range());
        }
    }

    void stateIsKept()
    {
        ViewStates &states = m_window->session().viewStates;
        QSignalSpy touched(&states, &ViewStates::touched);
        auto *matrix = m_window->findChild<MatrixView *>();
        MemoryCanvas *memory = workspace().memory()->canvas();
        const QJsonObject before = states.save();
        memory->setGrouping(Grouping::Storage, 33);
        memory->setPeakPinned(false);
        matrix->columnsChoice()->setCurrent(1);
        QVERIFY(touched.count() >= 3);
        const QJsonObject after = states.save();
        QVERIFY(before != after);
        const qsizetype said = touched.count();
        states.restore(before);
        QCOMPARE(touched.count(), said);
        QCOMPARE(memory->scene().grouping(), Grouping::Category);
        QVERIFY(memory->peakPinned());
        QVERIFY(!matrix->canvas()->forwardOnly());
        states.restore(after);
        QCOMPARE(memory->scene().largest(), 33);
        QCOMPARE(workspace().memory()->header()->detail()->value(), 33);
        QVERIFY(matrix->canvas()->forwardOnly());
    }

    void theOverviewOfAMomentCanBeGrabbed()
    {
        TimeWindow &time = document().time();
        const double length = time.view().length;
        time.show(length * 0.5, length * 0.501);
        const TimeArea area = m_window->workspace()->memory()->canvas()->layout().time;
        const QRectF brush = area.brush(time.view());
        QVERIFY(brush.width() >= 20);
        auto *canvas = m_window->workspace()->memory()->canvas();
        const QPoint right = QPointF(brush.right() - 1, brush.center().y()).toPoint();
        const double to = time.view().to, from = time.view().from;
        QTest::mousePress(canvas, Qt::LeftButton, {}, right);
        QMouseEvent move(QEvent::MouseMove, QPointF(right + QPoint(60, 0)), canvas->mapToGlobal(right + QPoint(60, 0)),
                         Qt::NoButton, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(canvas, &move);
        QTest::mouseRelease(canvas, Qt::LeftButton, {}, right + QPoint(60, 0));
        QCOMPARE(time.view().from, from);
        QVERIFY(std::abs(time.view().to - to - (area.whole.value(60) - area.whole.value(0))) < length / 100);
    }
};

QTEST_MAIN(TestTimeViews)
#include "tst_time_views.moc"
