// SPDX-License-Identifier: Apache-2.0
// Answers in the background, for whoever shows them.
#pragma once

#include "app/studio/views/explain/explanation.h"
#include "app/studio/work/jobs/job_tracker.h"

#include <QTimer>

#include <functional>

namespace remat::studio {

/// Follows plan and selection, a moment behind them. Tells as much as `wanted` says somebody
/// looks at. GUI thread only.
class Explainer : public QObject
{
    Q_OBJECT
public:
    Explainer(Document &document, QThreadPool &pool, QObject *parent = nullptr);
    /// Asked before each answer; until then nobody looks.
    void setWanted(std::function<StoryDepth()> wanted) { m_wanted = std::move(wanted); }

    /// The cluster that is selected in the graph; without a title none is.
    void setCluster(ExplainedCluster cluster);
    /// No plan of any chunking of the model needs less; 0 where that is not known.
    void setLeastInChunks(std::int64_t bytes);
    const PlanStory &story() const { return m_story; }
    /// The plan the story is about; none when there is none.
    std::shared_ptr<const PlanEntry> plan() const { return m_plan; }
    bool running() const { return m_tracker.running() || m_pause.isActive(); }
    /// Somebody looks again, or at more.
    void refresh();
    /// Selects what the link leads to, or moves the cursor to its step.
    void follow(const ExplanationLink &link);

Q_SIGNALS:
    void changed();

private:
    void work();
    void askAgain();

    Document &m_document;
    std::function<StoryDepth()> m_wanted = [] { return StoryDepth::Nothing; };
    StoryDepth m_told = StoryDepth::Nothing;
    ExplainedCluster m_cluster;
    std::int64_t m_leastInChunksBytes = 0;
    PlanStory m_story;
    std::shared_ptr<const PlanEntry> m_plan;
    bool m_stale = true;
    QTimer m_pause;
    JobTracker m_tracker;
};

/// Moves the document's cursor to the computation at a step of the current plan, or to the next one after it.
void showStep(Document &document, int step);

} // namespace remat::studio
