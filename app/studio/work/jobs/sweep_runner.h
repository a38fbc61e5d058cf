// SPDX-License-Identifier: Apache-2.0
// A sweep in the background: several planners over many budgets, every plan a point in the work that it is for.
#pragma once

#include "app/studio/work/document/document.h"
#include "app/studio/work/jobs/job_tracker.h"
#include "app/studio/work/jobs/sweep_estimate.h"
#include "solvers/uses/sweep.h"

#include <QElapsedTimer>

#include <memory>

namespace remat::studio {

/// What a sweep is to do.
struct SweepSettings {
    std::vector<std::string> planners;
    std::vector<int> percents; ///< percents of the keep-all peak
    double secondsPerPlan = 5;
    int threads = 1;
    QString dask; ///< scheduler of the cluster whose workers plan, `tcp://host:8786`; empty: this machine
};

/// A budget for which a planner found no plan.
struct SweepMiss {
    QString planner; ///< title
    std::int64_t budgetBytes = 0;
    QString sentence; ///< why, as the planner says
    bool operator==(const SweepMiss &) const = default;
};

/// How the newest sweep stands.
struct SweepReport {
    bool running = false, stopping = false;
    int done = 0, total = 0; ///< plans, those that do not exist included
    int planners = 0;
    int fromPercent = 0, toPercent = 0;
    double secondsLeft = -1; ///< an estimate; negative when unknown
    QString sentence;        ///< what went wrong, if anything
    std::vector<SweepMiss> misses;
};

/// The newest sweep for one work, which its page owns. Destroying it ends the sweep and waits. GUI thread only.
struct WorkSweep {
    WorkSweep(std::shared_ptr<ModelWork> forWork, QThreadPool &pool) : work(std::move(forWork)), tracker(pool) {}

    const std::shared_ptr<ModelWork> work;
    SweepReport report;
    std::vector<PlannerPace> paces; ///< planners of the sweep that runs
    double secondsPerPlan = 0;
    QElapsedTimer clock;
    JobTracker tracker;
};

/// Shows one sweep and lets all go on. Plans are added to their work as they come, without becoming the current one. It
/// outlives the sweeps that were started here. GUI thread only.
class SweepRunner : public QObject
{
    Q_OBJECT
public:
    SweepRunner(Document &document, QThreadPool &pool, QObject *parent = nullptr);

    /// Shows another sweep, after the document shows its work. What was shown goes on with those who keep it.
    void show(std::shared_ptr<WorkSweep> sweep);
    /// A sweep that runs already is replaced.
    void start(const SweepSettings &settings);
    /// Ends it soon; what was found stays.
    void stop() { end(*m_sweep); }
    void end(WorkSweep &sweep); ///< the same of one that is not shown
    /// Ends it and forgets it: the costs are others now.
    void reset();
    bool running() const { return m_sweep->report.running; }
    const SweepReport &report() const { return m_sweep->report; }

Q_SIGNALS:
    void reportChanged();
    void ended();
    /// The report of a sweep that is not shown.
    void changedElsewhere();

private:
    void take(WorkSweep &sweep, std::shared_ptr<const PlanEntry> entry, const SweepMiss &miss, std::size_t planner,
              double seconds);
    void finish(WorkSweep &sweep, const QString &sentence);
    void tell(const WorkSweep &sweep);

    Document &m_document;
    std::shared_ptr<WorkSweep> m_sweep; ///< the one that is shown
};

} // namespace remat::studio
