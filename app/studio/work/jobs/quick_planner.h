// SPDX-License-Identifier: Apache-2.0
// A plan at once while the budget is dragged.
#pragma once

#include "app/studio/work/document/document.h"
#include "app/studio/work/jobs/bound_runner.h"
#include "app/studio/work/jobs/job_tracker.h"

#include <QTimer>

#include <map>

namespace remat::studio {

/// A quick plan, or a sentence where decisions made by hand leave none.
struct QuickPlan {
    std::shared_ptr<const PlanEntry> entry;
    QString whyNone;
};

/// GUI thread only. Follows the budget while it is dragged: the best plan of the list that fits and follows the pins,
/// or a quick one made in the background where that is better or nothing fits. Starts nothing heavy, ever. When no
/// quick plan fits, the plan shown before stays. Quick plans of other budgets are remembered, so that more memory never
/// gives a slower plan. Once the budget rests, the bound for just this budget is computed and put beside the plan,
/// unless the graph is so large that this takes seconds.
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
    /// The plan that was shown last waits for the bound of its budget.
    bool proving() const { return m_rest.isActive() || m_proof.running(); }
    /// Why the newest try made no plan that follows the document's pins; empty when it did, or when there are none.
    const QString &whyNone() const { return m_whyNone; }

Q_SIGNALS:
    void runningChanged();
    void whyNoneChanged();
    /// A plan for the present budget and pins was looked for, and is the current one where there is one.
    void followed();

private:
    void take(QuickPlan quick);
    /// Keeps a quick plan for other budgets, as long as none is at least as small and as fast.
    void remember(const std::shared_ptr<const PlanEntry> &entry);
    /// The fastest quick plan so far that fits and follows the pins, as one made for this budget; may be none.
    std::shared_ptr<const PlanEntry> remembered(std::int64_t budgetBytes);
    void prove();
    bool followsPins(const PlanEntry &entry);

    Document &m_document;
    BoundRunner &m_bound;
    bool m_again = false; ///< the budget moved on while a plan was being made
    QString m_whyNone;
    /// A quick plan, and the pins that it was made around.
    struct Remembered {
        Pins pins;
        std::shared_ptr<const PlanEntry> entry;
    };
    std::vector<Remembered> m_quick;               ///< plans of this model, none beaten by another around the same pins
    std::weak_ptr<const CostedModel> m_quickModel; ///< whose plans they are
    Pins m_judged;                                 ///< what `m_follows` is about
    std::map<int, bool> m_follows;                 ///< by plan id
    JobTracker m_tracker;
    QTimer m_rest; ///< since the last quick plan
    JobTracker m_proof;
};

/// The quick plan of a budget: keep-all where it fits, else the greedy of the search, around the pins; none where
/// that finds none. Worker threads.
QuickPlan makeQuickPlan(const CostedModel &model, std::int64_t budgetBytes, const Pins &pins, double knownBoundOverhead,
                        int id, const StopToken &stop);

} // namespace remat::studio
