// SPDX-License-Identifier: Apache-2.0
// The menu that every table has, in the real window.
#include "app/studio/shell/features/search.h"
#include "app/studio/shell/features/table_menus.h"
#include "app/studio/shell/window/main_window.h"
#include "app/studio/shell/workspace/workspace.h"
#include "app/studio/views/graph/graph_view.h"
#include "app/studio/views/search/results_view.h"
#include "app/studio/views/search/search_session.h"
#include "tests/studio/window_fixture.h"

using namespace remat;
using namespace remat::studio;

class TestTableMenus : public QObject
{
    Q_OBJECT

    fixture::OwnSettings m_settings;
    QTemporaryDir m_folder;
    std::unique_ptr<MainWindow> m_window;

    Document &document() { return m_window->session().document; }

    /// The results of a search, in sight.
    QTableView *results()
    {
        m_window->findChild<Search *>()->session().setText(QStringLiteral("phase:backward"));
        m_window->workspace()->showView(QStringLiteral("results"));
        QTableView *table = m_window->findChild<ResultsView *>()->table();
        table->setFocus();
        return table;
    }
    static QMenu *menuAt(QTableView *table, int row)
    {
        const QPoint at = table->visualRect(table->model()->index(row, 0)).center();
        QContextMenuEvent event(QContextMenuEvent::Mouse, at, table->viewport()->mapToGlobal(at));
        QCoreApplication::sendEvent(table->viewport(), &event);
        return table->findChild<QMenu *>(QStringLiteral("tableMenu"));
    }

private Q_SLOTS:
    void init()
    {
        m_window = std::make_unique<MainWindow>();
        m_window->resize(1600, 1000);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        m_window->openFile(fixture::writeChain(m_folder, 8));
        QTRY_VERIFY(document().currentPlan() && m_window->idle());
    }
    void cleanup() { m_window.reset(); }

    void aRowIsCopied()
    {
        QTableView *table = results();
        QMenu *menu = menuAt(table, 2);
        QVERIFY(menu);
        QCOMPARE(table->currentIndex().row(), 2);
        menu->actions().front()->trigger();
        const QString text = QApplication::clipboard()->text();
        QVERIFY(text.startsWith(table->model()->index(2, 0).data().toString() + QLatin1Char('\t')));
        QApplication::clipboard()->clear();
        QTest::keyClick(table, Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(QApplication::clipboard()->text(), text);
    }

    void aRowIsShownInTheGraph()
    {
        QTableView *table = results();
        QMenu *menu = menuAt(table, 3);
        auto *show = menu->findChild<QAction *>(QStringLiteral("showInGraph"));
        QVERIFY(show);
        m_window->workspace()->showView(QStringLiteral("curve"));
        show->trigger();
        QCOMPARE(m_window->workspace()->area(Workspace::Area::Center)->current(), QStringLiteral("graph"));
        QVERIFY(document().selection().op);
        QCOMPARE(document().model()->graph().op(document().selection().op).phase, Phase::Backward);
        QVERIFY(m_window->workspace()->graph()->canvas()->hasFocus());
    }

    void theTableIsWritten()
    {
        QTableView *table = results();
        const QString path = m_folder.filePath(QStringLiteral("results.csv"));
        m_window->findChild<TableMenus *>()->saveCsv(*table, path);
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll().count('\n'), table->model()->rowCount() + 1);
    }

    void theKeyOpensItToo()
    {
        QTableView *table = results();
        table->setCurrentIndex(table->model()->index(1, 0));
        QContextMenuEvent event(QContextMenuEvent::Keyboard, {}, table->mapToGlobal(QPoint()));
        QCoreApplication::sendEvent(table, &event);
        auto *menu = table->findChild<QMenu *>(QStringLiteral("tableMenu"));
        QVERIFY(menu && menu->actions().size() == 3);
        menu->close();
    }
};

QTEST_MAIN(TestTableMenus)
#include "tst_table_menus.moc"
