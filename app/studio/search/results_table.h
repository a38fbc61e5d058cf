// The matches of the search as a table.
#pragma once

#include "app/studio/search/search_session.h"

#include <QAbstractTableModel>

namespace remat::studio {

/// One row per match. GUI thread only.
class ResultsTable : public QAbstractTableModel
{
    Q_OBJECT
public:
    enum Column { Name, Kind, Phase, Type, Bytes, Time, State, Times, ColumnCount };
    static constexpr int kValueRole = Qt::UserRole; ///< what a column is sorted by

    ResultsTable(SearchSession &search, const Document &document, QObject *parent = nullptr);

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    QString text(OpId op, int column) const;
    QVariant value(OpId op, int column) const;

    SearchSession &m_search;
    const Document &m_document;
    std::vector<OpId> m_rows;
};

} // namespace remat::studio
