// SPDX-License-Identifier: Apache-2.0
// The arrangements of the window, in the real window.
#include "app/studio/base/widgets/segmented_control.h"
#include "app/studio/shell/features/presets.h"
#include "tests/studio/window_test.h"

using namespace remat;
using namespace remat::studio;

class TestPresets : public QObject, fixture::InWindow
{
    Q_OBJECT

    QDockWidget *dock(const char *name) { return m_window->findChild<QDockWidget *>(QLatin1String(name)); }
    Presets *presets() { return m_window->findChild<Presets *>(); }
    void trigger(const char *id) { command(id)->trigger(); }
    QString front(Workspace::Area area) { return m_window->workspace()->area(area)->current(); }

    void open()
    {
        openWindow();
        openChain(8);
    }

private Q_SLOTS:
    void init()
    {
        QSettings().clear();
        open();
    }
    void cleanup() { m_window.reset(); }

    void eachPresetHasItsDocks()
    {
        QCOMPARE(presets()->current(), 0);
        QVERIFY(!dock("memoryDock")->isHidden());
        // By mouse in the tool bar, the second segment.
        SegmentedControl *choice = presets()->choice();
        QTest::mouseClick(choice, Qt::LeftButton, {}, QPoint(choice->width() / 2, choice->height() / 2));
        QCOMPARE(m_window->workspace()->preset().id, QStringLiteral("compare"));
        QVERIFY(dock("memoryDock")->isHidden());
        QVERIFY(!dock("leftDock")->isHidden());
        QVERIFY(m_window->commands().find(QStringLiteral("preset.compare"))->isChecked());
        trigger("preset.learn");
        QVERIFY(dock("leftDock")->isHidden());
        QVERIFY(!dock("memoryDock")->isHidden());
        QCOMPARE(front(Workspace::Area::Center), QStringLiteral("graph"));
    }

    void panelsComeOutOfTheWindowAndGoBack()
    {
        QDockWidget *memory = dock("memoryDock");
        trigger("float.memoryDock");
        QVERIFY(memory->isFloating() && memory->isWindow() && memory->isVisible());
        QVERIFY(command("float.memoryDock")->isChecked());
        // There is a title to drag it by, with a way back; and the window's own frame around.
        auto *back = memory->titleBarWidget()->findChild<QAbstractButton *>(QStringLiteral("putBack"));
        QVERIFY(back && back->isVisible() && memory->titleBarWidget()->height() >= back->height());
        QCOMPARE(memory->grab().toImage().pixelColor(0, memory->height() / 2),
                 Theme::instance().color(Token::LineStrong));
        QTest::mouseClick(back, Qt::LeftButton);
        QTRY_VERIFY(!memory->isFloating());
        QVERIFY(!command("float.memoryDock")->isChecked());
        trigger("float.memoryDock");
        // A preset of before and the session's layout bring it back where it was.
        const QJsonObject layout = m_window->workspace()->saveLayout();
        trigger("preset.compare");
        trigger("preset.plan");
        QVERIFY(memory->isFloating());
        trigger("float.memoryDock");
        QVERIFY(!memory->isFloating() && memory->isVisible() && memory->titleBarWidget());
        m_window->workspace()->restoreLayout(layout);
        QVERIFY(memory->isFloating());
        trigger("float.planDock");
        QVERIFY(dock("planDock")->isFloating());
        trigger("resetLayout");
        for (const char *name : {"leftDock", "memoryDock", "planDock"})
            QVERIFY2(!dock(name)->isFloating(), name);
        QVERIFY(!command("float.planDock")->isChecked());
    }

    void eachPresetRemembersWhatWasChanged()
    {
        trigger("planPanelAction");
        QVERIFY(dock("planDock")->isHidden());
        trigger("showCurve");
        trigger("preset.learn");
        QVERIFY(!dock("planDock")->isHidden());
        trigger("preset.plan");
        QVERIFY(dock("planDock")->isHidden());
        QCOMPARE(front(Workspace::Area::Center), QStringLiteral("curve"));
        trigger("resetLayout");
        QVERIFY(!dock("planDock")->isHidden());
        QCOMPARE(front(Workspace::Area::Center), QStringLiteral("graph"));
    }

    void aNewWindowBeginsWhereTheLastEnded()
    {
        trigger("preset.learn");
        trigger("memoryPanel");
        m_window->close();
        open();
        QCOMPARE(presets()->current(), 2);
        QVERIFY(dock("memoryDock")->isHidden());
        trigger("resetLayout");
        QVERIFY(!dock("memoryDock")->isHidden());
        QVERIFY(dock("leftDock")->isHidden());
    }

    void presetsAreViewState()
    {
        ViewStates &states = m_window->session().viewStates;
        int touched = 0; // areas that show another view with it say so besides
        connect(&states, &ViewStates::touched, this,
                [&touched](const QString &key) { touched += key == QStringLiteral("preset") ? 1 : 0; });
        const QJsonObject before = states.save();
        trigger("preset.compare");
        QCOMPARE(touched, 1);
        states.restore(before);
        QCOMPARE(presets()->current(), 0);
        QCOMPARE(touched, 1);
    }
};

QTEST_MAIN(TestPresets)
#include "tst_presets.moc"
