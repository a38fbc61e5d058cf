#include "app/studio/search/results_table.h"

#include "app/studio/document/text.h"
#include "app/studio/graph_view/card_text.h"
#include "app/studio/graph_view/graph_names.h"
#include "app/studio/panels/table_look.h"

namespace remat::studio {

ResultsTable::ResultsTable(SearchSession &search, const Document &document, QObject *parent)
    : QAbstractTableModel(parent), m_search(search), m_document(document)
{
    connect(&m_search, &SearchSession::changed, this, [this] {
        beginResetModel();
        m_rows = m_search.matches();
        endResetModel();
    });
    const auto figuresChanged = [this] {
        if (!m_rows.empty()) Q_EMIT dataChanged(index(0, State), index(rowCount() - 1, Times));
    };
    connect(&m_document, &Document::currentPlanChanged, this, figuresChanged);
}

int ResultsTable::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int ResultsTable::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QString ResultsTable::text(OpId id, int column) const
{
    const Graph &graph = m_document.model()->graph();
    const Op &op = graph.op(id);
    const OpFacts &facts = m_search.index().facts()[id.index()];
    switch (column) {
    case Name:
        return facts.name;
    case Kind:
        return toQString(humanKind(op.kind));
    case Phase:
        return op.phase == remat::Phase::Forward ? tr("Forward")
               : op.phase == remat::Phase::Loss  ? tr("Loss")
                                                 : tr("Backward");
    case Type:
        return op.outputs.empty() ? dash() : toQString(graph.storage(op.outputs.front()).type);
    case Bytes:
        return bytesText(facts.bytes);
    case Time:
        return timeText(m_document.model()->costs->time(id));
    case State:
        return stateName(m_search.index().state(id));
    default:
        return countText(1 + m_search.index().recomputations(id));
    }
}

QVariant ResultsTable::value(OpId id, int column) const
{
    switch (column) {
    case Bytes:
        return static_cast<qint64>(m_search.index().facts()[id.index()].bytes);
    case Time:
        return m_document.model()->costs->time(id);
    case Times:
        return m_search.index().recomputations(id);
    case Name:
        return static_cast<qint64>(id.value); // the order of the graph says more than the alphabet
    default:
        return text(id, column);
    }
}

QVariant ResultsTable::data(const QModelIndex &index, int role) const
{
    if (!index.isValid() || !m_document.model()) return {};
    const OpId op = m_rows[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
        return text(op, index.column());
    case kValueRole:
        return value(op, index.column());
    case kQuietRole:
        return index.column() != Name;
    case kPlainNameRole:
        return true;
    case Qt::ToolTipRole:
        if (index.column() == Bytes) return exactBytesText(m_search.index().facts()[op.index()].bytes);
        return index.column() == Name ? toQString(m_document.model()->graph().op(op).source) : QString();
    case Qt::TextAlignmentRole:
        return index.column() == Bytes || index.column() == Time || index.column() == Times
                   ? int(Qt::AlignRight | Qt::AlignVCenter)
                   : int(Qt::AlignLeft | Qt::AlignVCenter);
    default:
        return {};
    }
}

QVariant ResultsTable::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole)
        return section == Bytes || section == Time || section == Times ? int(Qt::AlignRight | Qt::AlignVCenter)
                                                                       : int(Qt::AlignLeft | Qt::AlignVCenter);
    if (role != Qt::DisplayRole) return {};
    switch (section) {
    case Name:
        return tr("Op");
    case Kind:
        return tr("Kind");
    case Phase:
        return tr("Phase");
    case Type:
        return tr("Makes");
    case Bytes:
        return tr("Bytes");
    case Time:
        return tr("Time");
    case State:
        return tr("State");
    case Times:
        return tr("Computed");
    default:
        return {};
    }
}

} // namespace remat::studio
