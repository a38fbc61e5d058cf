// SPDX-License-Identifier: Apache-2.0
#include "app/studio/views/solves/jobs_model.h"

#include "app/studio/base/text/memory_text.h"
#include "app/studio/base/text/text.h"
#include "app/studio/base/widgets/table_look.h"

#include <algorithm>
#include <limits>

namespace remat::studio {

namespace {

QString overheadText(double timeUs, double keepAllUs)
{
    if (timeUs < 0 || keepAllUs <= 0) return dash();
    return shareText(std::max(timeUs / keepAllUs - 1, 0.0));
}

QString boundText(const SolveProgress &progress, double keepAllUs)
{
    if (progress.boundTimeUs < 0 || keepAllUs <= 0) return dash();
    const bool found = progress.incumbentTimeUs >= 0;
    const double best = found ? progress.incumbentTimeUs / keepAllUs - 1 : std::numeric_limits<double>::infinity();
    return boundShareText(progress.boundTimeUs / keepAllUs - 1, best);
}

} // namespace

JobsModel::JobsModel(SolveRunner *runner, QObject *parent)
    : RowTable({{tr("Planner")},
                {tr("Budget"), true},
                {tr("State")},
                {tr("Best plan"), true},
                {tr("Bound"), true},
                {tr("Gap"), true},
                {tr("Time"), true}},
               parent),
      m_runner(runner)
{
    const auto take = [this] {
        beginResetModel();
        m_ids.clear();
        for (const auto &job : m_runner->jobs())
            m_ids.push_back(job->id());
        endResetModel();
    };
    take();
    connect(m_runner, &SolveRunner::jobsChanged, this, take);
    connect(m_runner, &SolveRunner::jobChanged, this, [this](int id) {
        const int row = rowOf(id);
        if (row >= 0) Q_EMIT dataChanged(index(row, 0), index(row, columnCount() - 1));
    });
}

int JobsModel::jobId(int row) const
{
    return row >= 0 && row < rowCount() ? m_ids[static_cast<std::size_t>(row)] : 0;
}

int JobsModel::rowOf(int jobId) const
{
    const auto place = std::find(m_ids.begin(), m_ids.end(), jobId);
    return place == m_ids.end() ? -1 : static_cast<int>(place - m_ids.begin());
}

void JobsModel::showTimes()
{
    cellsChanged(Time, Time);
}

QString JobsModel::stateText(const SolveReport &report)
{
    using S = SolveReport::State;
    switch (report.state) {
    case S::None:
        return {};
    case S::Waiting:
        return tr("Waiting");
    case S::Running:
        return report.progress.activity.empty() ? tr("Starting") : toQString(report.progress.activity);
    case S::Stopping:
        return tr("Stopping");
    case S::Done:
        return report.optimal ? tr("Proven best") : tr("Done");
    case S::Stopped:
        return report.sentence.contains(QLatin1String(kTimeWasUp)) ? tr("Time was up") : tr("Stopped");
    case S::Infeasible:
        return tr("No plan fits");
    case S::Failed:
        return tr("Not solved");
    }
    return {};
}

int JobsModel::rows() const
{
    return static_cast<int>(m_ids.size());
}

QString JobsModel::text(const SolveJob &job, int column) const
{
    const SolveReport &report = job.report();
    switch (column) {
    case Planner:
        return report.plannerTitle.isEmpty() ? toQString(job.settings().planner) : report.plannerTitle;
    case Budget:
        return memoryText(report.budgetBytes);
    case State:
        return stateText(report);
    case Best:
        return overheadText(report.progress.incumbentTimeUs, report.keepAllTimeUs);
    case Bound:
        return boundText(report.progress, report.keepAllTimeUs);
    case Gap:
        return report.progress.gap < 0 ? dash() : shareText(report.progress.gap);
    case Time: {
        const QString limit = timeText(job.settings().timeLimitSeconds * 1e6);
        if (report.state == SolveReport::State::Waiting) return tr("– of %1").arg(limit);
        return tr("%1 of %2").arg(timeText(job.elapsedSeconds() * 1e6), limit);
    }
    default:
        return {};
    }
}

QVariant JobsModel::cell(int row, int column, int role) const
{
    const SolveJob *job = m_runner->job(jobId(row));
    if (!job) return {};
    switch (role) {
    case kQuietRole:
        return column != Planner;
    case Qt::ToolTipRole:
        if (column == Best) return tr("Added time of the best plan so far");
        if (column == Bound) return tr("Proven: no plan in this order of ops adds less time");
        return job->report().sentence;
    case Qt::DisplayRole:
        return text(*job, column);
    default:
        return {};
    }
}

} // namespace remat::studio
