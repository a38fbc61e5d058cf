// SPDX-License-Identifier: Apache-2.0
// A sweep in the background: several planners over many budgets, every plan a point in the document.
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

/// GUI thread only. Plans are added to the document as they come, without becoming the current one.
class SweepRunner : public QObject
{
    Q_OBJECT
public:
    SweepRunner(Document &document, QThreadPool &pool, QObject *parent = nullptr);

    /// A sweep that runs already is replaced.
    void start(const SweepSettings &settings);
    /// Ends it soon; what was found stays.
    void stop();
    /// Ends it and forgets it: the costs are others now.
    void reset();
    /// Takes the sweep of `other` and gives it this one; each goes on, into the document of the runner that has it.
    void trade(SweepRunner &other);
    bool running() const { return m_report.running; }
    const SweepReport &report() const { return m_report; }

Q_SIGNALS:
    void reportChanged();
    void ended();

private:
    void take(std::shared_ptr<const PlanEntry> entry, const SweepMiss &miss, std::size_t planner, double seconds);
    void finish(const QString &sentence);

    Document &m_document;
    SweepReport m_report;
    std::vector<PlannerPace> m_paces; ///< planners of the sweep that runs
    double m_secondsPerPlan = 0;
    QElapsedTimer m_clock;
    /// Whose the sweep is that was started here: it may change hands while it runs.
    std::shared_ptr<SweepRunner *> m_owner = std::make_shared<SweepRunner *>(this);
    std::unique_ptr<JobTracker> m_tracker;
};

} // namespace remat::studio
