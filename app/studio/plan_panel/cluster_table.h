// The sub-solves of a hierarchical solve, one row each.
#pragma once

#include "solvers/solver.h"

#include <QAbstractTableModel>
#include <QTableView>

namespace remat::studio {

/// Rows of SolveProgress::clusters: name, uses, options, gap, time.
class ClusterModel : public QAbstractTableModel
{
    Q_OBJECT
public:
    enum Column { Name, Uses, Options, Gap, Time, kColumns };
    static constexpr int kRunningRole = Qt::UserRole + 1;

    using QAbstractTableModel::QAbstractTableModel;
    void setClusters(const std::vector<ClusterProgress> &clusters);
    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::vector<ClusterProgress> m_clusters;
};

/// Five rows high at most, the running row marked by a bar of 2 px.
class ClusterTable : public QTableView
{
    Q_OBJECT
public:
    explicit ClusterTable(QWidget *parent = nullptr);
    void setClusters(const std::vector<ClusterProgress> &clusters);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void resizeEvent(QResizeEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;

private:
    ClusterModel *m_model;
};

} // namespace remat::studio
