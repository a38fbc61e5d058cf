// SPDX-License-Identifier: Apache-2.0
// On which devices training fits, one a row.
#pragma once

#include "app/studio/base/widgets/row_table.h"
#include "app/studio/work/document/document.h"
#include "app/studio/work/document/training_card.h"
#include "app/studio/work/jobs/job_tracker.h"
#include "core/costs/device.h"
#include "core/model/batch_model.h"
#include "solvers/uses/largest_batch.h"

#include <optional>

namespace remat::studio {

class BatchOutlook;
class ModelLoader;
struct Session;

/// What one device says.
struct FitRow {
    Device device;
    std::optional<DeviceFit> fit;          ///< none while it is looked into
    QString problem;                       ///< a sentence, where planning failed
    std::optional<LargestBatches> batches; ///< none while it is looked into, or without a trace of another batch
};

/// Judges every device but the reference by the rule of `remat fits`, in the background and only while somebody looks;
/// rows from the largest device to the smallest. GUI thread only.
class FitsModel : public RowTable
{
    Q_OBJECT
public:
    enum { Name, Memory, Left, Verdict, Overhead, Batch, Why };

    explicit FitsModel(Session &session, QObject *parent = nullptr);
    /// Begins where it was left, or stops.
    void setLookedAt(bool lookedAt);
    /// The second trace, from which the largest batch that fits on each device follows.
    const BatchOutlook &batches() const { return m_batches; }
    /// What training takes; none before it was summed up.
    const std::optional<FitNeeds> &needs() const { return m_needs; }
    const FitRow &row(int row) const { return m_rows[static_cast<std::size_t>(row)]; }
    bool running() const { return m_tracker.running(); }

Q_SIGNALS:
    void needsChanged();

private:
    int rows() const override;
    QVariant cell(int row, int column, int role) const override;
    QString text(const FitRow &row, int column) const;
    QString batchText(const FitRow &row) const;
    /// All is asked anew.
    void restart();
    void judgeRest();
    void take(std::size_t row, const Expected<DeviceFit> &fit);
    void takeBatches(std::size_t row, const Expected<LargestBatches> &batches);
    /// What was found from a second trace before is of another one.
    void forgetBatches();

    Document &m_document;
    const ModelLoader &m_loader;
    const TrainingCard &m_card;
    const BatchOutlook &m_batches;
    std::optional<FitNeeds> m_needs;
    std::vector<FitRow> m_rows;
    std::shared_ptr<const OtherBatch> m_other; ///< that the rows' batches are of
    bool m_lookedAt = false;
    JobTracker m_tracker;
};

} // namespace remat::studio
