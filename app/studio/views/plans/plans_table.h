// SPDX-License-Identifier: Apache-2.0
// The plans of the document: planner, peak, overhead, and how far each has been proven.
#pragma once

#include "app/studio/base/widgets/row_table.h"
#include "app/studio/work/document/document.h"

#include <QTableView>

class QMenu;

namespace remat::studio {

/// One row per plan, newest first.
class PlansModel : public RowTable
{
    Q_OBJECT
public:
    enum { Planner, Peak, Overhead };
    static constexpr int kVerdictRole = kValueRole + 1;
    static constexpr int kLetterRole = kValueRole + 2; ///< place in the comparison, −1 when it has none

    explicit PlansModel(Document *document, QObject *parent = nullptr);
    int planId(const QModelIndex &index) const;
    int rowOf(int planId) const;
    Qt::ItemFlags flags(const QModelIndex &index) const override;
    QStringList mimeTypes() const override;
    QMimeData *mimeData(const QModelIndexList &indexes) const override;

private:
    int rows() const override;
    QVariant cell(int row, int column, int role) const override;
    const PlanEntry &entryAt(int row) const;
    void take();

    Document *m_document;
    std::vector<std::shared_ptr<const PlanEntry>> m_plans;
};

/// Click or Enter makes a plan current, Delete removes the selected ones, C compares two that are selected. A plan may
/// be dragged, and dropped on one that has a letter to take it over.
class PlansTable : public QTableView
{
    Q_OBJECT
public:
    explicit PlansTable(Document *document, QWidget *parent = nullptr);
    /// What a right click on a row offers; the caller shows and deletes it.
    QMenu *menuFor(int planId);

Q_SIGNALS:
    void compareWanted(); ///< plans have their letters; show them

protected:
    void resizeEvent(QResizeEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    bool event(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void contextMenuEvent(QContextMenuEvent *event) override;
    void dragEnterEvent(QDragEnterEvent *event) override;
    void dragMoveEvent(QDragMoveEvent *event) override;
    void dropEvent(QDropEvent *event) override;

private:
    void followCurrent();
    void compareSelected();
    /// The letter's place of the row under the mouse; −1 when it has none.
    int letterAt(const QPoint &position) const;

    Document *m_document;
    PlansModel *m_model;
    std::vector<int> m_selected; ///< ids, in the order they were selected
    bool m_following = false;
};

} // namespace remat::studio
