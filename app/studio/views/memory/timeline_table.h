// SPDX-License-Identifier: Apache-2.0
// The memory view as a table: for screen readers, for tests, and for copying figures out.
#pragma once

#include "app/studio/base/widgets/row_table.h"
#include "app/studio/work/document/document.h"

namespace remat::studio {

/// One row per computation of the current plan, or of the chosen range while there is one: step, op, time, bytes per
/// category, total, and what a real run held. GUI thread only.
class TimelineTable : public RowTable
{
    Q_OBJECT
public:
    enum { Step, Operation, Time, FirstCategory, Total = FirstCategory + static_cast<int>(kCategoryCount), Measured };

    explicit TimelineTable(Document *document, QObject *parent = nullptr);

private:
    static std::vector<Column> columns();
    int rows() const override;
    QVariant cell(int row, int column, int role) const override;
    void take();

    Document *m_document;
    std::shared_ptr<const CostedModel> m_model;
    std::shared_ptr<const MemoryTimeline> m_timeline;
    std::shared_ptr<const Plan> m_plan;
    const std::vector<StepMeasurement> *m_measured = nullptr; ///< measurements of m_plan; none where it was not run
    std::size_t m_first = 0, m_end = 0;                       ///< samples
};

} // namespace remat::studio
