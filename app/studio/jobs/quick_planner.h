// A plan at once while the budget is dragged.
#pragma once

#include "app/studio/document/document.h"
#include "app/studio/jobs/bound_runner.h"
#include "app/studio/jobs/job_tracker.h"

#include <QTimer>

namespace remat::studio {

/// GUI thread only. Follows the budget while it is dragged: the best plan of the list that fits, or a quick one made in
/// the background where that is better or nothing fits. Starts nothing heavy, ever. When no quick plan fits, the plan
/// shown before stays.
class QuickPlanner : public QObject
{
    Q_OBJECT
public:
    /// `bound` says what is proven already, so that a quick plan need not wait for a proof.
    QuickPlanner(Document &document, BoundRunner &bound, QThreadPool &pool, QObject *parent = nullptr);

    /// Makes a quick plan for the document's budget. While one is being made the next waits for it, so that a drag
    /// shows plans on its way and not only where it ends.
    void refresh();
    void cancel();
    bool running() const { return m_tracker.running(); }

Q_SIGNALS:
    void runningChanged();

private:
    void take(std::shared_ptr<const PlanEntry> quick);

    Document &m_document;
    BoundRunner &m_bound;
    bool m_again = false; ///< the budget moved on while a plan was being made
    JobTracker m_tracker;
};

/// The quick plan of a budget: keep-all where it fits, else the greedy of the search; none where
/// that finds none. Worker threads.
std::shared_ptr<const PlanEntry> makeQuickPlan(const CostedModel &model, std::int64_t budgetBytes,
                                               double knownBoundOverhead, int id, const StopToken &stop);

} // namespace remat::studio
