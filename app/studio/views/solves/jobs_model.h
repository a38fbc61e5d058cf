// SPDX-License-Identifier: Apache-2.0
// The queue of solves as a table.
#pragma once

#include "app/studio/base/widgets/row_table.h"
#include "app/studio/work/jobs/solve_runner.h"

namespace remat::studio {

/// One row per solve, in the order in which they start.
class JobsModel : public RowTable
{
    Q_OBJECT
public:
    enum { Planner, Budget, State, Best, Bound, Gap, Time };

    explicit JobsModel(SolveRunner *runner, QObject *parent = nullptr);
    int jobId(int row) const; ///< 0 when there is no such row
    int rowOf(int jobId) const;
    /// `Running: annealing`, `Proven best`
    static QString stateText(const SolveReport &report);
    /// The clock of running ones goes on.
    void showTimes();

private:
    int rows() const override;
    QVariant cell(int row, int column, int role) const override;
    QString text(const SolveJob &job, int column) const;

    SolveRunner *m_runner;
    std::vector<int> m_ids; ///< as of the last `jobsChanged`
};

} // namespace remat::studio
