// SPDX-License-Identifier: Apache-2.0
// The matches of the search as a table.
#pragma once

#include "app/studio/base/widgets/row_table.h"
#include "app/studio/views/search/search_session.h"

namespace remat::studio {

/// One row per match. GUI thread only.
class ResultsTable : public RowTable
{
    Q_OBJECT
public:
    enum { Name, Kind, Phase, Type, Bytes, Time, State, Times };

    ResultsTable(SearchSession &search, const Document &document, QObject *parent = nullptr);

private:
    int rows() const override;
    QVariant cell(int row, int column, int role) const override;
    QString text(OpId op, int column) const;
    QVariant value(OpId op, int column) const;

    SearchSession &m_search;
    const Document &m_document;
    std::vector<OpId> m_rows;
};

} // namespace remat::studio
