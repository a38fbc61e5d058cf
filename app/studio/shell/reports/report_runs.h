// SPDX-License-Identifier: Apache-2.0
// The plans that a report ran, as a table.
#pragma once

#include "app/studio/base/widgets/row_table.h"
#include "core/io/report_json.h"

namespace remat::studio {

/// One row per run: what was run, what it came to, bytes and times as measured and as predicted. GUI thread only.
class ReportRuns : public RowTable
{
    Q_OBJECT
public:
    enum { Model, Planner, Budget, Result, Peak, PredictedPeak, Height, Time, PredictedTime };

    explicit ReportRuns(QObject *parent = nullptr);
    void show(std::vector<ReportRun> runs);

private:
    int rows() const override;
    QVariant cell(int row, int column, int role) const override;

    std::vector<ReportRun> m_runs;
};

} // namespace remat::studio
