// SPDX-License-Identifier: Apache-2.0
#include "app/studio/views/memory/timeline_table.h"

#include "app/studio/base/text/category_text.h"
#include "app/studio/base/text/text.h"
#include "app/studio/work/document/time_window.h"
#include "core/plan/measured.h"

namespace remat::studio {

std::vector<RowTable::Column> TimelineTable::columns()
{
    std::vector<Column> columns = {{tr("Step"), true}, {tr("Op")}, {tr("Time"), true}};
    for (std::size_t i = 0; i < kCategoryCount; ++i)
        columns.push_back({categoryText(static_cast<Category>(i)), true});
    columns.push_back({tr("Total"), true});
    columns.push_back({tr("Measured"), true});
    return columns;
}

TimelineTable::TimelineTable(Document *document, QObject *parent) : RowTable(columns(), parent), m_document(document)
{
    connect(document, &Document::modelChanged, this, &TimelineTable::take);
    connect(document, &Document::currentPlanChanged, this, &TimelineTable::take);
    connect(&document->time(), &TimeWindow::rangeChanged, this, &TimelineTable::take);
    take();
}

void TimelineTable::take()
{
    beginResetModel();
    m_model = m_document->model();
    const auto plan = m_document->currentPlan();
    m_timeline = !m_model ? nullptr : plan ? plan->timeline : m_model->keepAll;
    m_plan = plan ? plan->plan : nullptr;
    m_measured = m_plan ? measuredSteps(*m_plan) : nullptr;
    m_first = 0;
    m_end = m_timeline ? m_timeline->op.size() : 0;
    const auto &range = m_document->time().range();
    const SampleAxis &axis = m_document->time().axes().plan;
    if (range && m_end > 0 && range->from < axis.length()) {
        m_first = axis.sampleAt(range->from);
        m_end = axis.sampleAt(range->to) + 1;
        // What only touches the end is not in it.
        if (m_end - m_first > 1 && axis.edges()[m_end - 1] >= range->to) --m_end;
    }
    endResetModel();
}

int TimelineTable::rows() const
{
    return static_cast<int>(m_end - m_first);
}

QVariant TimelineTable::cell(int row, int column, int role) const
{
    if (!isSaid(role)) return {};
    const auto at = m_first + static_cast<std::size_t>(row);
    switch (column) {
    case Step:
        return countCell(m_timeline->step[at], role);
    case Operation:
        return toQString(m_model->graph().op(m_timeline->op[at]).name);
    case Time:
        return timeCell(m_timeline->startUs[at], role);
    case Total:
        return bytesCell(m_timeline->totalBytes[at], role);
    case Measured:
        if (!m_measured) return role == kValueRole ? QVariant() : QVariant(dash());
        return bytesCell((*m_measured)[static_cast<std::size_t>(m_timeline->step[at])].heldBytes, role);
    default:
        return bytesCell(m_timeline->bytes[static_cast<std::size_t>(column - FirstCategory)][at], role);
    }
}

} // namespace remat::studio
