// SPDX-License-Identifier: Apache-2.0
// What people do in the window, by mouse, wheel, keys and menus alone: what cannot be seen or reached fails.
#pragma once

#include "app/studio/shell/palette/palette_box.h"
#include "app/studio/shell/workspace/dock_header.h"
#include "app/studio/shell/workspace/workspace.h"
#include "tests/studio/window_test.h"

namespace remat::studio::fixture {

/// What their tests share; a test class derives from QObject and from this.
class ByHand : protected InWindow
{
protected:
    static constexpr int kPatience = 180'000; ///< ms; a busy machine is slow

    template <class Widget = QWidget>
    Widget *named(const char *name)
    {
        return m_window->findChild<Widget *>(QString::fromLatin1(name));
    }
    void settle() { QTRY_VERIFY_WITH_TIMEOUT(m_window->idle(), kPatience); }

    /// What a person can click: it is there, in the window, enabled, and in sight after turning the wheel.
    void click(QWidget *widget, Qt::KeyboardModifiers modifiers = {})
    {
        QVERIFY(widget);
        QVERIFY2(widget->isVisible() && widget->isEnabled(), qPrintable(widget->objectName()));
        for (const int by : {60, -60})
            for (int i = 0; i < 40 && widget->visibleRegion().boundingRect().height() < widget->height(); ++i)
                for (QWidget *around = widget->parentWidget(); around; around = around->parentWidget())
                    if (auto *area = qobject_cast<QAbstractScrollArea *>(around)) {
                        QWheelEvent turn(QPointF(20, 20), area->viewport()->mapToGlobal(QPointF(20, 20)), {}, {0, by},
                                         Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
                        QCoreApplication::sendEvent(area->viewport(), &turn);
                        break;
                    }
        QVERIFY2(!widget->visibleRegion().isEmpty(), qPrintable(widget->objectName()));
        QTest::mouseClick(widget, Qt::LeftButton, modifiers, widget->visibleRegion().boundingRect().center());
    }
    void clickTab(Workspace::Area place, const QString &id)
    {
        ViewArea *area = m_window->workspace()->area(place);
        const int index = static_cast<int>(area->ids().indexOf(id));
        const QRect tab = area->tabs()->tab(index);
        QVERIFY2(!tab.isNull(), qPrintable(id + QStringLiteral(" has no tab that can be seen")));
        QTest::mouseClick(area->tabs(), Qt::LeftButton, {}, tab.center());
        QCOMPARE(area->current(), id);
        settle();
    }
    static void clickRow(QAbstractItemView *list, int row, Qt::KeyboardModifiers modifiers = {})
    {
        const QModelIndex index = list->model()->index(row, 0, list->rootIndex());
        const auto place = [list, &index] {
            list->scrollTo(index);
            return list->visualRect(index).center();
        };
        QTRY_VERIFY2(list->isVisible() && list->viewport()->rect().contains(place()), qPrintable(list->objectName()));
        // Lists that drop down take a click when the mouse has moved in them.
        for (const QPoint at : {list->viewport()->rect().topLeft(), list->viewport()->rect().bottomRight(), place()})
            QTest::mouseMove(list->viewport(), at);
        QTest::mouseClick(list->viewport(), Qt::LeftButton, modifiers, place());
    }
    void press(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) { QTest::keyClick(withKeyboard(), key, modifiers); }
    /// The keys of a command; fails where it has none.
    void pressKeysOf(const QString &id)
    {
        const QAction *action = command(qPrintable(id));
        QVERIFY2(action && action->isEnabled(), qPrintable(id));
        QVERIFY2(!action->shortcut().isEmpty(), qPrintable(id));
        QTest::keySequence(withKeyboard(), action->shortcut());
    }
    /// An entry of the menu bar, its menu opened by the mouse: `{"File", "Start page"}`.
    void choose(const QStringList &path)
    {
        auto *bar = m_window->findChild<QMenuBar *>();
        QMenu *menu = nullptr;
        for (qsizetype level = 0; level < path.size(); ++level) {
            QWidget *from = menu ? static_cast<QWidget *>(menu) : bar;
            QAction *found = nullptr;
            for (QAction *action : from->actions())
                if (action->text().remove(u'&') == path[level]) found = action;
            QStringList there;
            for (const QAction *action : from->actions())
                there << action->text();
            QVERIFY2(found && found->isEnabled(),
                     qPrintable(path[level] + QStringLiteral(" of ") + there.join(QStringLiteral(", "))));
            const QRect place = menu ? menu->actionGeometry(found) : bar->actionGeometry(found);
            QTest::mouseClick(from, Qt::LeftButton, {}, place.center());
            menu = found->menu();
            if (menu) QTRY_VERIFY(menu->isVisible());
        }
    }
    void typeBudget(const QString &text)
    {
        auto *field = named<QLineEdit>("budgetField");
        click(field);
        field->selectAll();
        QTest::keyClicks(field, text);
        press(Qt::Key_Return);
        settle();
    }
    /// From the Plan panel's list, opened by the mouse.
    void choosePlanner(const QString &name)
    {
        auto *planner = named<QComboBox>("planner");
        click(planner);
        QTRY_VERIFY(planner->view()->isVisible());
        clickRow(planner->view(), planner->findData(name));
        QCOMPARE(planner->currentData().toString(), name);
    }
    void solveToTheEnd()
    {
        click(named("solveButton"));
        // A plan in chunks is in front on a page of its own, whose solver has made none.
        QTRY_VERIFY_WITH_TIMEOUT(!m_window->session().solver.running() && m_window->idle(), kPatience);
    }
    /// By its name in the palette.
    void selectOp(const QString &name)
    {
        pressKeysOf(QStringLiteral("palette"));
        QTest::keyClicks(withKeyboard(), name);
        const auto &list = m_window->findChild<PaletteBox *>()->list();
        QTRY_VERIFY(list.fitting() > 0 && !list.ranking());
        press(Qt::Key_Return);
        QTRY_VERIFY(document().selection().op);
        QCOMPARE(QString::fromStdString(document().model()->graph().op(document().selection().op).name), name);
    }

private:
    QWidget *withKeyboard()
    {
        QWidget *window = QApplication::activeWindow();
        if (!window) {
            m_window->activateWindow();
            if (!QTest::qWaitForWindowActive(m_window.get())) qFatal("The window does not become active.");
        }
        QWidget *focus = QApplication::focusWidget();
        return focus ? focus : m_window.get();
    }
};

} // namespace remat::studio::fixture
