// SPDX-License-Identifier: Apache-2.0
// What every table of the window offers: copy a row, show it in the graph, write all of it as CSV.
#pragma once

#include "app/studio/shell/workspace/feature.h"

#include <QModelIndex>
#include <QObject>

class QContextMenuEvent;
class QMenu;
class QTableView;

namespace remat::studio {

/// Gives the tables that are there a menu, by mouse and by key, and Ctrl+C; tables with a menu of their own keep it.
/// GUI thread only.
class TableMenus : public QObject
{
    Q_OBJECT
public:
    explicit TableMenus(const FeatureHost &host);

    /// Every row with its headers.
    void saveCsv(const QTableView &table, const QString &path);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void popUp(QTableView *table, const QContextMenuEvent &asked);
    void copyRow(const QTableView &table) const;
    void showInGraph(QTableView &table, const QModelIndex &index);
    void chooseFile(QTableView *table);

    FeatureHost m_host;
};

} // namespace remat::studio
