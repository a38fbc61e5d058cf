// SPDX-License-Identifier: Apache-2.0
// The window by keys alone: every view is reached by F6, takes the keyboard, and lets go of it again.
#include "app/studio/base/commands/commands.h"
#include "app/studio/shell/workspace/workspace.h"
#include "tests/studio/window_test.h"

#include <set>

using namespace remat;
using namespace remat::studio;

class TestKeyboard : public QObject, fixture::InWindow
{
    Q_OBJECT

    static bool inside(const QWidget *area, const QWidget *widget)
    {
        return widget && (widget == area || area->isAncestorOf(widget));
    }

    /// F6 until the keyboard is in the area; false when a whole round does not get there.
    bool reach(const QWidget *area)
    {
        for (int i = 0; i < 8; ++i) {
            command("nextPanel")->trigger();
            if (inside(area, QApplication::focusWidget())) return true;
        }
        return false;
    }

private Q_SLOTS:
    void init()
    {
        openFresh();
        openChain(8);
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    }

    void everyViewTakesTheKeyboardAndLetsGo_data()
    {
        QTest::addColumn<int>("area");
        QTest::newRow("centre") << static_cast<int>(Workspace::Area::Center);
        QTest::newRow("bottom") << static_cast<int>(Workspace::Area::Bottom);
        QTest::newRow("right") << static_cast<int>(Workspace::Area::Right);
    }

    void everyViewTakesTheKeyboardAndLetsGo()
    {
        QFETCH(const int, area);
        ViewArea *place = m_window->workspace()->area(static_cast<Workspace::Area>(area));
        QVERIFY(place->ids().size() >= 3);
        for (const QString &id : place->ids()) {
            m_window->workspace()->showView(id);
            QTRY_VERIFY2(m_window->idle() && place->view(id)->isVisible(), qPrintable(id));
            QVERIFY2(reach(place), qPrintable(id));
            // Tab leads from control to control, and out of the view in the end.
            std::set<const QWidget *> seen;
            bool left = false;
            for (int i = 0; i < 200 && !left; ++i) {
                seen.insert(QApplication::focusWidget());
                QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
                left = !inside(place, QApplication::focusWidget());
            }
            QVERIFY2(left, qPrintable(id));
            QVERIFY2(!seen.empty(), qPrintable(id));
        }
    }

    void f6GoesRoundAllPanelsAndBack()
    {
        std::set<QString> there, back;
        for (const auto &[key, names] : {std::pair{"nextPanel", &there}, std::pair{"previousPanel", &back}}) {
            QVERIFY2(command(key), key);
            for (int i = 0; i < 8; ++i) {
                command(key)->trigger();
                for (const QWidget *at = QApplication::focusWidget(); at; at = at->parentWidget())
                    if (!at->objectName().isEmpty()) names->insert(at->objectName());
            }
        }
        for (const char *name : {"leftDock", "centerArea", "bottomArea", "rightArea"}) {
            QVERIFY2(there.count(QString::fromLatin1(name)), name);
            QVERIFY2(back.count(QString::fromLatin1(name)), name);
        }
    }
};

QTEST_MAIN(TestKeyboard)
#include "tst_keyboard.moc"
