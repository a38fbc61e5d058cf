// SPDX-License-Identifier: Apache-2.0
#include "app/studio/shell/features/table_menus.h"

#include "app/studio/base/text/text.h"
#include "app/studio/base/widgets/table_look.h"
#include "app/studio/shell/exports/model_csv.h"
#include "app/studio/shell/workspace/file_dialogs.h"
#include "app/studio/shell/workspace/workspace.h"
#include "app/studio/views/graph/graph_view.h"
#include "app/studio/views/plans/plans_table.h"
#include "app/studio/work/session/session.h"
#include "core/base/file.h"
#include "core/io/csv.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QDir>
#include <QMainWindow>
#include <QMenu>

namespace remat::studio {

TableMenus::TableMenus(const FeatureHost &host) : QObject(host.owner), m_host(host)
{
    for (auto *table : host.window->findChildren<QTableView *>()) {
        auto *copy = new QAction(tr("Copy row"), table);
        copy->setShortcut(QKeySequence::Copy);
        copy->setShortcutContext(Qt::WidgetShortcut);
        connect(copy, &QAction::triggered, this, [this, table] { copyRow(*table); });
        table->addAction(copy);
        if (qobject_cast<PlansTable *>(table)) continue;
        table->installEventFilter(this);
        table->viewport()->installEventFilter(this);
    }
}

bool TableMenus::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() != QEvent::ContextMenu) return QObject::eventFilter(watched, event);
    auto *table = qobject_cast<QTableView *>(watched);
    if (!table) table = qobject_cast<QTableView *>(watched->parent());
    if (!table) return false;
    popUp(table, *static_cast<QContextMenuEvent *>(event));
    return true;
}

void TableMenus::popUp(QTableView *table, const QContextMenuEvent &asked)
{
    const bool byKey = asked.reason() == QContextMenuEvent::Keyboard;
    const QModelIndex index =
        byKey ? table->currentIndex() : table->indexAt(table->viewport()->mapFromGlobal(asked.globalPos()));
    auto *menu = new QMenu(table);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setObjectName(QStringLiteral("tableMenu"));
    if (index.isValid()) {
        table->setCurrentIndex(index);
        menu->addAction(table->actions().front());
        if (table->property(kRowsOfGraph).toBool()) {
            QAction *show = menu->addAction(tr("Show in the graph"));
            show->setObjectName(QStringLiteral("showInGraph"));
            connect(show, &QAction::triggered, this,
                    [this, table, row = QPersistentModelIndex(index)] { showInGraph(*table, row); });
        }
    }
    QAction *csv = menu->addAction(tr("Export table…"));
    csv->setEnabled(table->model() && table->model()->rowCount() > 0);
    connect(csv, &QAction::triggered, this, [this, table] { chooseFile(table); });
    menu->popup(byKey && index.isValid() ? table->viewport()->mapToGlobal(table->visualRect(index).bottomLeft())
                                         : asked.globalPos());
}

void TableMenus::copyRow(const QTableView &table) const
{
    const QModelIndex current = table.currentIndex();
    if (!current.isValid()) return;
    QStringList cells;
    for (int column = 0; column < table.model()->columnCount(); ++column)
        if (!table.isColumnHidden(column))
            cells << toQString(plainCell(current.siblingAtColumn(column).data().toString().toStdString()));
    QApplication::clipboard()->setText(cells.join(QLatin1Char('\t')));
}

void TableMenus::showInGraph(QTableView &table, const QModelIndex &index)
{
    if (!index.isValid()) return;
    // What a click on the row selects.
    Q_EMIT table.clicked(index.siblingAtColumn(0));
    m_host.workspace.showView(QStringLiteral("graph"));
    GraphView *graph = m_host.workspace.graph();
    graph->reveal(m_host.session.document.selection().op);
    graph->canvas()->setFocus(Qt::OtherFocusReason);
}

void TableMenus::chooseFile(QTableView *table)
{
    FileQuestion question;
    question.title = tr("Export the table %1").arg(table->accessibleName());
    question.filters = {tr("Tables (*.csv)")};
    question.folderKey = QStringLiteral("exports");
    question.folder = QDir::homePath();
    question.suffix = QStringLiteral("csv");
    question.name = QStringLiteral("table.csv");
    askWhereToSave(m_host.window, question, [this, table](const QString &path) { saveCsv(*table, path); });
}

void TableMenus::saveCsv(const QTableView &table, const QString &path)
{
    const auto done = writeFileAtomically(toPath(path), csvOf(*table.model()).toStdString());
    m_host.say(done ? Notice::news(tr("The table is in %1.").arg(path))
                    : Notice::failure(toQString(done.error().message)));
}

} // namespace remat::studio
