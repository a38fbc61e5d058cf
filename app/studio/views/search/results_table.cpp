// SPDX-License-Identifier: Apache-2.0
#include "app/studio/views/search/results_table.h"

#include "app/studio/base/text/state_text.h"
#include "app/studio/base/text/text.h"
#include "app/studio/base/widgets/table_look.h"
#include "core/views/graph_names.h"

namespace remat::studio {

ResultsTable::ResultsTable(SearchSession &search, const Document &document, QObject *parent)
    : RowTable({{tr("Op")},
                {tr("Kind")},
                {tr("Phase")},
                {tr("Makes")},
                {tr("Bytes"), true},
                {tr("Time"), true},
                {tr("State")},
                {tr("Computed"), true}},
               parent),
      m_search(search),
      m_document(document)
{
    connect(&m_search, &SearchSession::changed, this, [this] {
        beginResetModel();
        m_rows = m_search.matches();
        endResetModel();
    });
    connect(&m_document, &Document::currentPlanChanged, this, [this] { cellsChanged(State, Times); });
}

int ResultsTable::rows() const
{
    return static_cast<int>(m_rows.size());
}

QString ResultsTable::text(OpId id, int column) const
{
    const Graph &graph = m_document.model()->graph();
    const Op &op = graph.op(id);
    const OpFacts &facts = m_search.index().facts()[id.index()];
    switch (column) {
    case Name:
        return toQString(facts.name);
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
        return stateText(m_search.index().state(id));
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

QVariant ResultsTable::cell(int row, int column, int role) const
{
    if (!m_document.model()) return {};
    const OpId op = m_rows[static_cast<std::size_t>(row)];
    switch (role) {
    case Qt::DisplayRole:
        return text(op, column);
    case kValueRole:
        return value(op, column);
    case kQuietRole:
        return column != Name;
    case kPlainNameRole:
        return true;
    case Qt::ToolTipRole:
        if (column == Bytes) return exactBytesText(m_search.index().facts()[op.index()].bytes);
        return column == Name ? toQString(m_document.model()->graph().op(op).source) : QString();
    default:
        return {};
    }
}

} // namespace remat::studio
