// SPDX-License-Identifier: Apache-2.0
#include "app/studio/shell/reports/report_runs.h"

#include "app/studio/base/text/text.h"
#include "app/studio/base/widgets/table_look.h"

namespace remat::studio {

ReportRuns::ReportRuns(QObject *parent)
    : RowTable({{tr("Model")},
                {tr("Planner")},
                {tr("Budget"), true},
                {tr("Result")},
                {tr("Peak"), true},
                {tr("Predicted"), true},
                {tr("Height"), true},
                {tr("Time"), true},
                {tr("Predicted"), true}},
               parent)
{
}

void ReportRuns::show(std::vector<ReportRun> runs)
{
    beginResetModel();
    m_runs = std::move(runs);
    endResetModel();
}

int ReportRuns::rows() const
{
    return static_cast<int>(m_runs.size());
}

QVariant ReportRuns::cell(int row, int column, int role) const
{
    const ReportRun &run = m_runs[static_cast<std::size_t>(row)];
    if (role == kQuietRole) return column > Result;
    if (role == kPlainNameRole) return true;
    if (!isSaid(role)) return {};
    switch (column) {
    case Model:
        return toQString(run.model);
    case Planner:
        return toQString(run.planner);
    case Budget:
        return role == kValueRole ? QVariant(run.budgetShare) : QVariant(shareText(run.budgetShare));
    case Result:
        if (role == Qt::ToolTipRole) return toQString(run.sentence);
        return run.passed ? tr("passed") : run.equal ? tr("failed, though equal") : tr("failed");
    case Peak:
        return bytesCell(run.measuredPeakBytes, role);
    case PredictedPeak:
        return bytesCell(run.predictedPeakBytes, role);
    case Height:
        if (run.heightBytes == 0) return role == kValueRole ? QVariant() : QVariant(dash());
        return bytesCell(run.heightBytes, role);
    case Time:
        return timeCell(run.measuredUs, role);
    default:
        return timeCell(run.predictedUs, role);
    }
}

} // namespace remat::studio
