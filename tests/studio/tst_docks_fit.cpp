// SPDX-License-Identifier: Apache-2.0
// What a dock holds is never wider than the dock, whatever the window and the size of text.
#include "app/studio/base/widgets/segmented_control.h"
#include "app/studio/shell/workspace/dock_header.h"
#include "app/studio/shell/workspace/left_panel.h"
#include "app/studio/shell/workspace/workspace.h"
#include "app/studio/views/graph/graph_rail.h"
#include "app/studio/views/graph/graph_view.h"
#include "app/studio/views/modules/cluster_tree_view.h"
#include "tests/studio/cut_off.h"
#include "tests/studio/window_test.h"

using namespace remat;
using namespace remat::studio;

namespace {

/// What sticks out of a place, one line each.
QStringList wider(QWidget *place)
{
    QStringList found;
    for (QScrollArea *area : place->findChildren<QScrollArea *>())
        if (area->isVisible() && area->widget() && area->widget()->width() > area->viewport()->width())
            found << QStringLiteral("%1: content %2 wide in %3")
                         .arg(area->objectName())
                         .arg(area->widget()->width())
                         .arg(area->viewport()->width());
    for (QWidget *widget : place->findChildren<QWidget *>()) {
        const bool scrolls =
            qobject_cast<QAbstractItemView *>(widget->parentWidget()) ||
            (widget->parentWidget() && qobject_cast<QAbstractItemView *>(widget->parentWidget()->parentWidget()));
        if (!widget->isVisible() || widget->isWindow() || scrolls) continue;
        const int right = widget->mapTo(place, QPoint(widget->width(), 0)).x();
        if (right > place->width() || widget->mapTo(place, QPoint()).x() < 0)
            found << QStringLiteral("%1 %2 ends at %3 of %4")
                         .arg(QString::fromLatin1(widget->metaObject()->className()), widget->objectName())
                         .arg(right)
                         .arg(place->width());
    }
    return found;
}

} // namespace

class TestDocksFit : public QObject, fixture::InWindow
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QSettings().clear(); }
    void cleanup() { m_window.reset(); }

    void nothingIsWiderThanItsDock_data()
    {
        QTest::addColumn<QSize>("pixels");
        QTest::addColumn<int>("percent");
        for (const QSize pixels : {QSize(1280, 800), QSize(1600, 980), QSize(2560, 1440)})
            for (const int percent : {100, 125, 150, 200})
                QTest::addRow("%d at %d", pixels.width(), percent) << pixels << percent;
    }
    void nothingIsWiderThanItsDock()
    {
        QFETCH(QSize, pixels);
        QFETCH(int, percent);
        openWindow(pixels * 100 / percent);
        QVERIFY(m_window->openSample(QStringLiteral("tiny_gpt2")));
        QTRY_VERIFY(document().model() && m_window->idle());
        document().moveBudget(document().model()->keepAll->peakBytes * 6 / 10);
        m_window->solve();
        QTRY_VERIFY(m_window->session().solver.report().ended() && m_window->idle());
        Workspace *workspace = m_window->workspace();
        workspace->graph()->revealPath(QStringLiteral("model.transformer.h.0"));
        QTest::qWait(200); // what explains it comes a moment later
        QTRY_VERIFY(m_window->idle());
        for (const QString &id : workspace->area(Workspace::Area::Right)->ids()) {
            workspace->area(Workspace::Area::Right)->show(id);
            QTest::qWait(30);
            const QStringList found = wider(workspace->rightDock());
            QVERIFY2(found.isEmpty(), qPrintable(id + QStringLiteral(": ") + found.join(QStringLiteral("; "))));
        }
        for (const QString &id : workspace->area(Workspace::Area::Bottom)->ids()) {
            if (workspace->bottomDock()->isHidden()) break;
            workspace->area(Workspace::Area::Bottom)->show(id);
            QTest::qWait(30);
            const QStringList found = wider(workspace->bottomDock());
            QVERIFY2(found.isEmpty(), qPrintable(id + QStringLiteral(": ") + found.join(QStringLiteral("; "))));
        }
        const QStringList left = wider(workspace->leftPanel());
        QVERIFY2(left.isEmpty(), qPrintable(left.join(QStringLiteral("; "))));
        // Docks lie in the window and beside each other.
        QCOMPARE(m_window->size(), pixels * 100 / percent);
        QList<QWidget *> parts = {workspace->center()};
        for (QDockWidget *dock : {workspace->leftDock(), workspace->bottomDock(), workspace->rightDock()})
            if (dock->isVisible()) parts << dock;
        for (qsizetype i = 0; i < parts.size(); ++i) {
            const QRect place(parts[i]->mapTo(m_window.get(), QPoint()), parts[i]->size());
            QVERIFY2(m_window->rect().contains(place), qPrintable(parts[i]->objectName()));
            for (qsizetype j = 0; j < i; ++j) {
                const QRect other(parts[j]->mapTo(m_window.get(), QPoint()), parts[j]->size());
                QVERIFY2(!place.intersects(other), qPrintable(QStringLiteral("%1 from %2 and %3 to %4")
                                                                  .arg(parts[i]->objectName())
                                                                  .arg(place.top())
                                                                  .arg(parts[j]->objectName())
                                                                  .arg(other.bottom())));
            }
        }
        // Tabs are whole or in the menu behind them, arrangements are whole, and the graph has most of its place.
        for (const HeaderTabs *tabs : m_window->findChildren<HeaderTabs *>()) {
            if (!tabs->isVisible()) continue;
            const QStringList titles = tabs->accessibleName().split(QStringLiteral(", "));
            QVERIFY2(!tabs->tab(tabs->current()).isNull(), qPrintable(tabs->objectName()));
            for (int i = 0; i < titles.size(); ++i) {
                const QRect tab = tabs->tab(i);
                if (tab.isNull()) continue;
                QVERIFY2(tab.width() >= tabs->fontMetrics().horizontalAdvance(titles[i]) && tab.right() < tabs->width(),
                         qPrintable(titles[i] + QStringLiteral(" is cut in ") + tabs->objectName()));
            }
        }
        for (const SegmentedControl *choice : m_window->findChildren<SegmentedControl *>())
            QVERIFY2(!choice->isVisible() || choice->width() >= choice->sizeHint().width(),
                     qPrintable(choice->accessibleName()));
        const auto *rail = workspace->graph()->findChild<GraphRail *>();
        QVERIFY(!rail->isVisible() || rail->width() * 3 <= workspace->graph()->width());
        const QStringList cut = fixture::cutOff(*m_window);
        QVERIFY2(cut.isEmpty(), qPrintable(cut.join(QStringLiteral("; "))));
        auto *tools = m_window->findChild<QWidget *>(QStringLiteral("toolRow"));
        const QStringList overTools = wider(tools);
        QVERIFY2(overTools.isEmpty(), qPrintable(overTools.join(QStringLiteral("; "))));
    }

    void whatHasNoRoomIsInTheMenu()
    {
        openWindow({640, 400});
        openChain(8);
        ViewArea *centre = m_window->workspace()->area(Workspace::Area::Center);
        HeaderTabs *tabs = centre->tabs();
        QStringList hidden;
        for (int i = 0; i < centre->ids().size(); ++i)
            if (tabs->tab(i).isNull()) hidden << centre->ids()[i];
        QVERIFY2(!hidden.isEmpty(), "four titles have no room in a window this small");
        for (const QString &id : hidden) {
            int end = 0;
            for (int i = 0; i < centre->ids().size(); ++i)
                end = std::max(end, tabs->tab(i).isNull() ? 0 : tabs->tab(i).right() + 1);
            QTest::mouseClick(tabs, Qt::LeftButton, {}, QPoint(end + 14, tabs->height() / 2));
            auto *menu = tabs->findChild<QMenu *>(QStringLiteral("moreTabs"));
            QVERIFY(menu && menu->isVisible());
            QAction *wanted = nullptr;
            for (QAction *action : menu->actions())
                if (action->text() == centre->title(id)) wanted = action;
            if (!wanted) { // it came into sight with the one chosen before
                menu->close();
                continue;
            }
            QTest::mouseClick(menu, Qt::LeftButton, {}, menu->actionGeometry(wanted).center());
            QCOMPARE(centre->current(), id);
            QVERIFY(!tabs->tab(tabs->current()).isNull());
            QTRY_VERIFY(!tabs->findChild<QMenu *>(QStringLiteral("moreTabs")));
        }
    }

    void theLeftPanelHasRoomForNames()
    {
        openFresh({1280, 800});
        openChain(12);
        QDockWidget *left = m_window->workspace()->leftDock();
        if (!left->isVisible()) m_window->commands().find(command::kLeftPanel)->trigger();
        QTRY_VERIFY(left->isVisible() && left->width() >= 255);
    }
};

QTEST_MAIN(TestDocksFit)
#include "tst_docks_fit.moc"
