// SPDX-License-Identifier: Apache-2.0
// Proves a plan by running it, and writes it to disk; both in the background.
#pragma once

#include "app/studio/base/widgets/notice.h"
#include "app/studio/work/document/document.h"
#include "app/studio/work/jobs/job_tracker.h"

namespace remat::studio {

/// Where a plan is run to be validated.
enum class RunOn : std::uint8_t {
    Best, ///< the GPU when LibTorch can use one
    Cpu,
    Gpu
};

/// GUI thread only.
class PlanRunner : public QObject
{
    Q_OBJECT
public:
    PlanRunner(Document &document, QThreadPool &pool, QObject *parent = nullptr);

    /// Runs the current plan through LibTorch and puts the verdict into the plan. Where there is no LibTorch, the
    /// failure offers to get it and to go on.
    void validate() { start(false); }
    void setRunOn(RunOn where) { m_runOn = where; }
    RunOn runOn() const { return m_runOn; }
    /// Asks LibTorch, in the background, whether there is a GPU; `gpuKnown` answers.
    void askForGpu();
    void stopValidation();
    /// Writes the current plan as `remat-plan/1`.
    void save(const QString &path);

    bool validating() const { return m_validation.running(); }
    bool saving() const { return m_saving.running(); }
    const QString &activity() const { return m_activity; }
    double fraction() const { return m_fraction; } ///< negative when unknown
    /// The entry of the document that is being validated; 0 when there is none.
    int validatingId() const { return validating() && m_validatingModel == m_document.model() ? m_validatingId : 0; }
    /// Whose plan is being validated; the document may show another model by now.
    std::shared_ptr<const CostedModel> validatingModel() const { return m_validatingModel; }

Q_SIGNALS:
    void progressChanged();
    /// `title` of the GPU; empty with the reason in `sentence` when there is none that LibTorch can use.
    void gpuKnown(const QString &title, const QString &sentence);
    /// `work` has the plan; the document may show another by now.
    void saved(const QString &path, const remat::studio::ModelWork *work, int planId);
    /// A verdict on a plan of a model that is not in the document any more.
    void validatedBeside(const std::shared_ptr<const CostedModel> &model,
                         const std::shared_ptr<const PlanEntry> &entry);
    void failed(const remat::studio::Notice &notice);

private:
    void start(bool getTorch);
    void failWith(const QString &sentence);
    void offerTorch(const QString &sentence);
    void setActivity(const QString &activity, double fraction);

    Document &m_document;
    QString m_activity;
    double m_fraction = -1;
    int m_validatingId = 0;
    std::shared_ptr<const CostedModel> m_validatingModel;
    RunOn m_runOn = RunOn::Best;
    JobTracker m_validation;
    JobTracker m_saving;
    JobTracker m_asking;
};

} // namespace remat::studio
