// SPDX-License-Identifier: Apache-2.0
// Plans that are always in the trade-off plot to measure others by: keep-all, Chen's √n segments, and what a model that
// checkpoints activations by itself does today.
#pragma once

#include "app/studio/work/document/document.h"
#include "app/studio/work/jobs/job_tracker.h"

#include <vector>

namespace remat::studio {

/// Made in the background, once per model and costs, when somebody wants to see them. They are no plans of the document
/// until they are loaded. GUI thread only.
class ReferencePlans : public QObject
{
    Q_OBJECT
public:
    ReferencePlans(Document &document, QThreadPool &pool, QObject *parent = nullptr);

    /// Starts once per model; later calls do nothing.
    void want();
    bool running() const { return m_tracker.running(); }
    /// Keep-all first; ids are 0.
    const std::vector<std::shared_ptr<const PlanEntry>> &plans() const { return m_plans; }
    /// Puts one into the document, where it becomes the current plan.
    void load(std::size_t index);

Q_SIGNALS:
    void plansChanged();

private:
    void forget();

    Document &m_document;
    bool m_wanted = false;
    std::vector<std::shared_ptr<const PlanEntry>> m_plans;
    JobTracker m_tracker;
};

} // namespace remat::studio
