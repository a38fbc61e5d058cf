// SPDX-License-Identifier: Apache-2.0
// The lower bound over all budgets, in the background.
#pragma once

#include "app/studio/work/document/document.h"
#include "app/studio/work/jobs/job_tracker.h"

#include <vector>

namespace remat::studio {

/// One budget and what no plan within it gets below.
struct BoundPoint {
    std::int64_t budgetBytes = 0;
    double overhead = 0;

    bool operator==(const BoundPoint &) const = default;
};

/// GUI thread only. Computes the bound of evenly spaced budgets between the floor and the keep-all peak, coarse first,
/// whenever the document has another model or other costs and somebody wants to see it. What was computed of a model
/// that is still somewhere in memory is known when it comes back.
class BoundRunner : public QObject
{
    Q_OBJECT
public:
    BoundRunner(Document &document, QThreadPool &pool, QObject *parent = nullptr);

    /// Starts once per model; later calls do nothing.
    void want();
    void cancel();
    bool running() const { return m_tracker.running(); }
    /// By budget, what is known so far; empty before the first.
    const std::vector<BoundPoint> &points() const { return m_points; }
    /// What is proven for a budget by now, as overhead: the bound of the next larger budget that is known; 0 when there
    /// is none.
    double knownOverhead(std::int64_t budgetBytes) const;

Q_SIGNALS:
    void pointsChanged();
    void runningChanged();

private:
    void forget();

    Document &m_document;
    bool m_wanted = false;
    std::vector<BoundPoint> m_points;
    std::shared_ptr<const CostedModel> m_model; ///< whose points they are
    struct Known {
        std::weak_ptr<const CostedModel> model;
        std::vector<BoundPoint> points;
    };
    std::vector<Known> m_known; ///< complete ones
    JobTracker m_tracker;
};

} // namespace remat::studio
