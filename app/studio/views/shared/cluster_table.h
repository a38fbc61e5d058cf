// SPDX-License-Identifier: Apache-2.0
// The sub-solves of a hierarchical solve, one row each.
#pragma once

#include "app/studio/base/widgets/row_table.h"
#include "solvers/interface/solver.h"

#include <QTableView>

namespace remat::studio {

/// Rows of SolveProgress::clusters: name, level, uses, options, gap, time, how many schedules are chosen.
class ClusterModel : public RowTable
{
    Q_OBJECT
public:
    enum { Name, Level, Uses, Options, Gap, Time, Chosen };
    static constexpr int kRunningRole = kValueRole + 1;

    explicit ClusterModel(QObject *parent = nullptr);
    void setClusters(const std::vector<ClusterProgress> &clusters);

private:
    int rows() const override;
    QVariant cell(int row, int column, int role) const override;

    std::vector<ClusterProgress> m_clusters;
};

/// Five rows high at most, the running row marked by a bar of 2 px. The levels have a column where there are several,
/// and what is chosen once it is.
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
    void fitColumns();

    ClusterModel *m_model;
};

} // namespace remat::studio
