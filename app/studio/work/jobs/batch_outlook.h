// SPDX-License-Identifier: Apache-2.0
// What the model that is shown takes with another batch, from a second trace of its step.
#pragma once

#include "app/studio/work/document/document.h"
#include "app/studio/work/jobs/job_tracker.h"
#include "core/model/batch_model.h"

#include <memory>
#include <optional>

namespace remat::studio {

/// One batch under the budget that is set.
struct BatchFigures {
    std::int64_t batch = 0;
    std::int64_t keepAllPeakBytes = 0;
    std::int64_t floorBytes = 0;    ///< no plan needs less
    std::int64_t planPeakBytes = 0; ///< peak of a quick plan within the budget
    std::optional<double> overhead; ///< overhead of that plan; none where no quick plan fits
};

/// The largest batches within the budget; 0 where not even one sample fits. Of a length, they are at most the longer
/// one of the two traces: memory may grow faster beyond it than the straight line through both.
struct BatchLimits {
    std::int64_t asItIs = 0;   ///< with everything kept
    std::int64_t withPlan = 0; ///< with a quick plan
    std::int64_t thisPlan = 0; ///< with the steps of the plan that is shown
    std::int64_t most = 0;     ///< no larger one was looked at
};

/// GUI thread only. Works in the background; while one batch is looked at, only the newest of those asked for meanwhile
/// is next. Another model forgets the second trace.
class BatchOutlook : public QObject
{
    Q_OBJECT
public:
    BatchOutlook(Document &document, QThreadPool &pool, QObject *parent = nullptr);

    /// Reads a second trace of the model that is shown; problem() says why it is none.
    void open(const QString &path);
    /// Looks at that many samples, at least 1.
    void moveTo(std::int64_t batch);

    /// None before a second trace is open.
    std::shared_ptr<const OtherBatch> other() const { return m_other; }
    const QString &problem() const { return m_problem; }
    std::int64_t batch() const { return m_batch; } ///< 0 without a second trace
    /// The figures of the newest batch that was looked at; none before.
    const std::optional<BatchFigures> &figures() const { return m_figures; }
    const std::optional<BatchLimits> &limits() const { return m_limits; }
    bool running() const { return m_reader.running() || m_looker.running() || m_limiter.running(); }
    void cancel();

Q_SIGNALS:
    void changed();

private:
    void takeModel();
    void take(const Expected<OtherBatch> &other);
    void look();
    /// The budget, the plan, or what was decided by hand is another.
    void spoil();
    void limit();

    Document &m_document;
    std::shared_ptr<const CostedModel> m_model; ///< that the second trace was compared with
    QString m_path;
    std::shared_ptr<const OtherBatch> m_other;
    QString m_problem;
    std::int64_t m_batch = 0;
    bool m_again = false;
    std::optional<BatchFigures> m_figures;
    std::optional<BatchLimits> m_limits;
    JobTracker m_reader, m_looker, m_limiter;
};

} // namespace remat::studio
