// SPDX-License-Identifier: Apache-2.0
#include "app/studio/views/explain/explainer.h"

#include "app/studio/work/document/time_window.h"

#include <algorithm>

namespace remat::studio {

namespace {

/// Plans may come 30 times a second; answers need not.
constexpr int kPauseMs = 80;

} // namespace

Explainer::Explainer(Document &document, QThreadPool &pool, QObject *parent)
    : QObject(parent), m_document(document), m_tracker(pool)
{
    m_pause.setSingleShot(true);
    m_pause.setInterval(kPauseMs);
    connect(&m_pause, &QTimer::timeout, this, &Explainer::work);
    connect(&m_document, &Document::currentPlanChanged, this, &Explainer::askAgain);
    connect(&m_document, &Document::selectionChanged, this, &Explainer::askAgain);
    connect(&m_document, &Document::budgetChanged, this, &Explainer::askAgain);
    connect(&m_document, &Document::modelChanged, this, [this] { setCluster({}); });
}

void Explainer::askAgain()
{
    m_stale = true;
    if (!m_pause.isActive()) m_pause.start();
}

void Explainer::setCluster(ExplainedCluster cluster)
{
    m_cluster = std::move(cluster);
    askAgain();
}

void Explainer::setLeastInChunks(std::int64_t bytes)
{
    if (bytes == m_leastInChunksBytes) return;
    m_leastInChunksBytes = bytes;
    askAgain();
}

void Explainer::refresh()
{
    if ((m_stale || m_wanted() > m_told) && !m_pause.isActive()) m_pause.start();
}

void Explainer::work()
{
    const StoryDepth depth = m_wanted();
    if (depth == StoryDepth::Nothing || (!m_stale && depth <= m_told)) return;
    m_stale = false;
    m_told = depth;
    const auto model = m_document.model();
    const auto entry = m_document.currentPlan();
    if (!model || !entry) {
        m_tracker.cancel();
        m_story = {};
        m_plan = nullptr;
        Q_EMIT changed();
        return;
    }
    StoryQuestion question{m_document.selection(), m_cluster, m_document.pins(), m_document.budgetBytes(),
                           m_leastInChunksBytes,   depth};
    m_tracker.start([model, entry, question = std::move(question)](
                        const Job &job) { return tellStory(*model, *entry, question, job.stop()); },
                    [this, entry](PlanStory story) {
                        m_story = std::move(story);
                        m_plan = entry;
                        Q_EMIT changed();
                    });
}

void Explainer::follow(const ExplanationLink &link)
{
    if (link.step >= 0)
        showStep(m_document, link.step);
    else if (link.op)
        m_document.selectOp(link.op);
    else if (link.storage)
        m_document.selectStorage(link.storage);
}

void showStep(Document &document, int step)
{
    const auto entry = document.currentPlan();
    if (!entry || entry->timeline->op.empty()) return;
    const MemoryTimeline &timeline = *entry->timeline;
    auto at = std::lower_bound(timeline.step.begin(), timeline.step.end(), step);
    if (at == timeline.step.end()) --at;
    const auto sample = static_cast<std::size_t>(at - timeline.step.begin());
    document.setCursor(timeline.startUs[sample]);
    document.selectOp(timeline.op[sample]);
}

} // namespace remat::studio
