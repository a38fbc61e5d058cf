// SPDX-License-Identifier: Apache-2.0
// The panels on the right, in the real window: each is a tab, a click and a key away, and none takes another's place
// for good.
#include "app/studio/base/widgets/segmented_control.h"
#include "app/studio/shell/features/presets.h"
#include "app/studio/shell/workspace/dock_header.h"
#include "app/studio/views/graph/graph_view.h"
#include "tests/studio/window_test.h"

using namespace remat;
using namespace remat::studio;

class TestRightPanels : public QObject, fixture::InWindow
{
    Q_OBJECT

    ViewArea *right() { return m_window->workspace()->area(Workspace::Area::Right); }
    QDockWidget *dock() { return m_window->workspace()->rightDock(); }
    void press(Qt::Key key, Qt::KeyboardModifiers modifiers = {})
    {
        QTest::keyClick(m_window->workspace()->graph()->canvas(), key, modifiers);
    }

private Q_SLOTS:
    void init()
    {
        openFresh();
        openChain(8);
        m_window->workspace()->graph()->canvas()->setFocus();
    }

    void eachIsATab()
    {
        QCOMPARE(right()->ids(), QStringLiteral("plan summary explain decisions range source").split(u' '));
        HeaderTabs *tabs = right()->tabs();
        QVERIFY(tabs->isVisible());
        int shown = 0;
        for (int i = 0; i < right()->ids().size(); ++i) {
            const QString id = right()->ids()[i];
            if (const QRect tab = tabs->tab(i); !tab.isNull()) {
                QTest::mouseClick(tabs, Qt::LeftButton, {}, tab.center());
                ++shown;
            } else {
                command(qPrintable(QStringLiteral("show.") + id))->trigger(); // it is behind the arrow
            }
            QCOMPARE(right()->current(), id);
            QVERIFY(right()->view(id)->isVisible());
        }
        QVERIFY2(shown >= 4, "these titles have room at the usual width");
    }

    void keysGoThereAndBack_data()
    {
        QTest::addColumn<int>("key");
        QTest::addColumn<bool>("shift");
        QTest::newRow("explain") << int(Qt::Key_I) << false;
        QTest::newRow("summary") << int(Qt::Key_I) << true;
        QTest::newRow("decisions") << int(Qt::Key_D) << true;
    }
    void keysGoThereAndBack()
    {
        QFETCH(int, key);
        QFETCH(bool, shift);
        const Qt::KeyboardModifiers modifiers =
            shift ? Qt::ControlModifier | Qt::ShiftModifier : Qt::KeyboardModifiers(Qt::ControlModifier);
        press(Qt::Key(key), modifiers);
        QCOMPARE(right()->current(), QString::fromLatin1(QTest::currentDataTag()));
        press(Qt::Key(key), modifiers);
        QCOMPARE(right()->current(), QStringLiteral("plan"));
    }

    void thePlanPanelsKeyShowsItFirst()
    {
        press(Qt::Key_I, Qt::ControlModifier);
        press(Qt::Key_3, Qt::AltModifier);
        QVERIFY(dock()->isVisible());
        QCOMPARE(right()->current(), QStringLiteral("plan"));
        press(Qt::Key_3, Qt::AltModifier);
        QVERIFY(dock()->isHidden());
        press(Qt::Key_3, Qt::AltModifier);
        QVERIFY(dock()->isVisible());
    }

    void theBudgetFieldIsShownBeforeItIsEdited()
    {
        press(Qt::Key_I, Qt::ControlModifier);
        press(Qt::Key_E, Qt::ControlModifier);
        QCOMPARE(right()->current(), QStringLiteral("plan"));
        QWidget *focused = QApplication::focusWidget();
        QVERIFY(focused && focused->isVisible() && right()->isAncestorOf(focused));
    }

    void comparingLeavesAWayBack()
    {
        command("showCompare")->trigger();
        QCOMPARE(right()->current(), QStringLiteral("summary"));
        command("showGraph")->trigger();
        // The arrangement that is chosen already shows what it names.
        SegmentedControl *choice = m_window->findChild<Presets *>()->choice();
        QTest::mouseClick(choice, Qt::LeftButton, {}, QPoint(10, choice->height() / 2));
        QCOMPARE(right()->current(), QStringLiteral("plan"));
        command("showCompare")->trigger();
        dock()->hide();
        command("preset.plan")->trigger();
        QVERIFY(dock()->isVisible());
        QCOMPARE(right()->current(), QStringLiteral("plan"));
        QCOMPARE(m_window->workspace()->area(Workspace::Area::Center)->current(), QStringLiteral("graph"));
    }
};

QTEST_MAIN(TestRightPanels)
#include "tst_right_panels.moc"
