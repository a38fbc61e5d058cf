// The plans of the document: planner, peak, overhead, and how far each has been proven.
#pragma once

#include "app/studio/document/document.h"

#include <QAbstractTableModel>
#include <QTableView>

namespace remat::studio {

/// One row per plan, newest first.
class PlansModel : public QAbstractTableModel
{
    Q_OBJECT
public:
    enum Column { Planner, Peak, Overhead, kColumns };
    static constexpr int kProofRole = Qt::UserRole + 1;

    explicit PlansModel(Document *document, QObject *parent = nullptr);
    int planId(const QModelIndex &index) const;
    int rowOf(int planId) const;
    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    const PlanEntry &entryAt(int row) const;
    void take();

    Document *m_document;
    std::vector<std::shared_ptr<const PlanEntry>> m_plans;
};

/// Click or Enter makes a plan current, Delete removes it.
class PlansTable : public QTableView
{
    Q_OBJECT
public:
    explicit PlansTable(Document *document, QWidget *parent = nullptr);

protected:
    void resizeEvent(QResizeEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    void followCurrent();

    Document *m_document;
    PlansModel *m_model;
    bool m_following = false;
};

} // namespace remat::studio
