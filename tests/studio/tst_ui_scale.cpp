// SPDX-License-Identifier: Apache-2.0
// The size of text and controls: chosen in the window, in force at once, without a window that grows or a program that
// starts again.
#include "app/studio/shell/features/ui_scale.h"
#include "app/studio/shell/workspace/dock_layout.h"
#include "app/studio/shell/workspace/workspace.h"
#include "app/studio/views/memory/memory_view.h"
#include "tests/studio/window_test.h"

using namespace remat;
using namespace remat::studio;

class TestUiScale : public QObject, fixture::InWindow
{
    Q_OBJECT

    int percentNow() const { return qRound(m_window->devicePixelRatioF() * 100); }
    QSize pixels() const { return (QSizeF(m_window->size()) * m_window->devicePixelRatioF()).toSize(); }

private Q_SLOTS:
    void init()
    {
        QSettings().clear();
        UiScale::apply();
        openWindow();
    }
    void cleanup()
    {
        m_window.reset();
        QSettings().clear();
        UiScale::apply();
    }

    void theMenuAndTheKeysChoose()
    {
        auto *scale = m_window->findChild<UiScale *>();
        QVERIFY(scale);
        QCOMPARE(UiScale::chosen(), 100);
        QList<int> offered;
        for (QAction *action : scale->menu()->actions())
            offered << action->data().toInt();
        QCOMPARE(offered.size(), 13);
        QCOMPARE(offered.front(), 80);
        QCOMPARE(offered.back(), 200);
        scale->menu()->actions()[4]->trigger();
        QCOMPARE(UiScale::chosen(), 120);
        QVERIFY(scale->menu()->actions()[4]->isChecked());
        QTest::keyClick(m_window.get(), Qt::Key_Minus, Qt::ControlModifier);
        QCOMPARE(UiScale::chosen(), 110);
        QTest::keyClick(m_window.get(), Qt::Key_0, Qt::ControlModifier);
        QCOMPARE(UiScale::chosen(), 100);
        for (int i = 0; i < 15; ++i)
            command("scale.up")->trigger();
        QCOMPARE(UiScale::chosen(), 200);
    }

    void everythingIsLargerAtOnceInTheSameWindow()
    {
        openChain(8);
        document().setBudget(3456789);
        const MainWindow *before = m_window.get();
        const QSize pixelsBefore = pixels();
        for (int i = 0; i < 5; ++i)
            QTest::keyClick(m_window.get(), Qt::Key_Plus, Qt::ControlModifier);
        QTRY_COMPARE(percentNow(), 150);
        QCOMPARE(m_window.get(), before);
        QVERIFY(m_window->isVisible());
        QVERIFY(m_window->workspace()->shown()); // and not the start page
        QCOMPARE(document().budgetBytes(), std::int64_t(3456789));
        // As large on the screen as before, so it holds less.
        QVERIFY2(std::abs(pixels().width() - pixelsBefore.width()) <= 2 &&
                     std::abs(pixels().height() - pixelsBefore.height()) <= 2,
                 qPrintable(QStringLiteral("%1 x %2").arg(pixels().width()).arg(pixels().height())));
        QCOMPARE(m_window->windowHandle()->size(), m_window->size());
        QTest::keyClick(m_window.get(), Qt::Key_0, Qt::ControlModifier);
        QTRY_COMPARE(percentNow(), 100);
        QVERIFY(std::abs(m_window->width() - 1600) <= 2 && std::abs(m_window->height() - 1000) <= 2);
    }

    void aClickLandsWhereItIsAfterScaling()
    {
        openChain(8);
        for (int i = 0; i < 5; ++i)
            QTest::keyClick(m_window.get(), Qt::Key_Plus, Qt::ControlModifier);
        QTRY_COMPARE(percentNow(), 150);
        MemoryCanvas *canvas = m_window->workspace()->memory()->canvas();
        QTRY_VERIFY(canvas->isVisible() && !canvas->visibleRegion().isEmpty());
        const MemoryLook look = canvas->look();
        QTest::mouseClick(canvas, Qt::LeftButton, {}, look.layout.lanes.front().center().toPoint());
        QVERIFY(document().selection().op);
    }

    void oneKeyIsForTheLectureRoom()
    {
        openChain(8);
        QTest::keyClick(m_window.get(), Qt::Key_Plus, Qt::ControlModifier);
        QTRY_COMPARE(percentNow(), 110);
        const int small = m_window->workspace()->memory()->canvas()->width();
        QTest::keyClick(m_window.get(), Qt::Key_F9);
        QVERIFY(UiScale::presenting());
        QVERIFY(command("scale.presenter")->isChecked());
        QTRY_COMPARE(percentNow(), 160);
        QTRY_VERIFY(m_window->workspace()->memory()->canvas()->width() < small); // fewer, larger points
        QTest::keyClick(m_window.get(), Qt::Key_F9);
        QVERIFY(!UiScale::presenting());
        QTRY_COMPARE(percentNow(), 110); // what was chosen before
        // Who chooses a size meanwhile stays there.
        QTest::keyClick(m_window.get(), Qt::Key_F9);
        QTest::keyClick(m_window.get(), Qt::Key_Minus, Qt::ControlModifier);
        QTRY_COMPARE(percentNow(), 150);
        QVERIFY(!UiScale::presenting());
        QVERIFY(!command("scale.presenter")->isChecked());
        // At the end of the scale it is no larger than the scale goes.
        m_window->findChild<UiScale *>()->choose(180);
        QTest::keyClick(m_window.get(), Qt::Key_F9);
        QTRY_COMPARE(percentNow(), 200);
        QTest::keyClick(m_window.get(), Qt::Key_F9);
        QTRY_COMPARE(percentNow(), 180);
    }

    /// On a small screen, too, what is told of the memory can be seen.
    void aLectureKeepsTheMemory()
    {
        m_window->resize(1280, 800);
        openChain(8);
        QTest::keyClick(m_window.get(), Qt::Key_F9);
        QTRY_COMPARE(percentNow(), 130);
        QTRY_VERIFY(m_window->workspace()->memory()->canvas()->isVisible());
    }

    void anotherWindowIsScaledToo()
    {
        MainWindow other;
        other.resize(1200, 800);
        other.show();
        QVERIFY(QTest::qWaitForWindowExposed(&other));
        QTest::keyClick(m_window.get(), Qt::Key_Plus, Qt::ControlModifier);
        QTRY_COMPARE(qRound(other.devicePixelRatioF() * 100), 110);
        QTRY_VERIFY(std::abs(other.width() - 1091) <= 2);
    }

    /// Docks that were arranged in a large window do not crowd out the graph in a small one.
    void anArrangementIsNotCarriedWhereItDoesNotFit()
    {
        openChain(8);
        Workspace *workspace = m_window->workspace();
        m_window->resize(2560, 1440);
        m_window->resizeDocks({workspace->bottomDock()}, {800}, Qt::Vertical);
        m_window->resizeDocks({workspace->rightDock()}, {440}, Qt::Horizontal);
        QTRY_VERIFY(workspace->bottomDock()->height() > 700);
        workspace->save();
        m_window.reset();
        openWindow({1066, 653});
        openChain(8);
        QTRY_VERIFY2(m_window->workspace()->bottomDock()->height() <= 653 * 45 / 100,
                     qPrintable(QString::number(m_window->workspace()->bottomDock()->height())));
        QVERIFY(m_window->workspace()->center()->height() > 100);
    }

    void aPlaceIsNeverLargerThanItsScreen()
    {
        const QSize screen = m_window->screen()->availableSize();
        const QRect read = readPlace({10, 10, 16000, 16000});
        QCOMPARE(read.size(), screen);
        QCOMPARE(readPlace({10, 10, 16000, 16000}, {5000, 100}).size(), QSize(5000, screen.height()));
        QCOMPARE(readPlace({10, 10, 300, 200}), QRect(10, 10, 300, 200));
        QVERIFY(readPlace({-9000, -9000, 300, 200}).isEmpty());
    }
};

QTEST_MAIN(TestUiScale)
#include "tst_ui_scale.moc"
