// The queue of solves as a table.
#pragma once

#include "app/studio/jobs/solve_runner.h"

#include <QAbstractTableModel>

namespace remat::studio {

/// One row per solve, in the order in which they start.
class JobsModel : public QAbstractTableModel
{
    Q_OBJECT
public:
    enum Column { Planner, Budget, State, Best, Bound, Gap, Time, kColumns };

    explicit JobsModel(SolveRunner *runner, QObject *parent = nullptr);
    int jobId(int row) const; ///< 0 when there is no such row
    int rowOf(int jobId) const;
    /// `Running: annealing`, `Proven best`
    static QString stateText(const SolveReport &report);
    /// The clock of running ones goes on.
    void showTimes();

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString text(const SolveJob &job, int column) const;

    SolveRunner *m_runner;
    std::vector<int> m_ids; ///< as of the last `jobsChanged`
};

} // namespace remat::studio
