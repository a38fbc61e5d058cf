#include "app/studio/memory_view/timeline_table.h"

#include "app/studio/document/text.h"

#include <QCoreApplication>

namespace remat::studio {

TimelineTable::TimelineTable(Document *document, QObject *parent) : QAbstractTableModel(parent), m_document(document)
{
    connect(document, &Document::modelChanged, this, &TimelineTable::take);
    connect(document, &Document::currentPlanChanged, this, &TimelineTable::take);
    take();
}

void TimelineTable::take()
{
    beginResetModel();
    m_model = m_document->model();
    const auto plan = m_document->currentPlan();
    m_timeline = !m_model ? nullptr : plan ? plan->timeline : m_model->keepAll;
    endResetModel();
}

int TimelineTable::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() || !m_timeline ? 0 : static_cast<int>(m_timeline->op.size());
}

int TimelineTable::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : kColumns;
}

QVariant TimelineTable::data(const QModelIndex &index, int role) const
{
    if (!index.isValid() || !m_timeline) return {};
    const auto row = static_cast<std::size_t>(index.row());
    const int column = index.column();
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>((column == Operation ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    if (role != Qt::DisplayRole && role != kValueRole && role != Qt::ToolTipRole) return {};

    if (column == Step) {
        const std::int64_t step = m_timeline->step[row];
        return role == kValueRole ? QVariant(qint64(step)) : QVariant(countText(step));
    }
    if (column == Operation) return toQString(m_model->graph().op(m_timeline->op[row]).name);
    if (column == Time) {
        const double time = m_timeline->startUs[row];
        return role == kValueRole ? QVariant(time) : QVariant(timeText(time));
    }
    const std::int64_t bytes = column == Total
                                   ? m_timeline->totalBytes[row]
                                   : m_timeline->bytes[static_cast<std::size_t>(column - FirstCategory)][row];
    if (role == kValueRole) return qint64(bytes);
    return role == Qt::ToolTipRole ? exactBytesText(bytes) : bytesText(bytes);
}

QVariant TimelineTable::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    switch (section) {
    case Step:
        return tr("Step");
    case Operation:
        return tr("Op");
    case Time:
        return tr("Time");
    case Total:
        return tr("Total");
    default:
        if (section < 0 || section > Total) return {};
        return QCoreApplication::translate("Category", categoryName(static_cast<Category>(section - FirstCategory)));
    }
}

} // namespace remat::studio
