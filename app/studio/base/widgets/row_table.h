// SPDX-License-Identifier: Apache-2.0
// Base of the tables that list one thing a row.
#pragma once

#include <QAbstractTableModel>
#include <QStringList>

#include <vector>

namespace remat::studio {

/// Rows come from the class derived, columns are fixed. What stands at which side of a column is here: columns of
/// figures at the right, heads like their columns. GUI thread only.
class RowTable : public QAbstractTableModel
{
    Q_OBJECT
public:
    /// The figure behind a cell's text: bytes, counts and steps as qint64, times in µs as double.
    static constexpr int kValueRole = Qt::UserRole;

    int rowCount(const QModelIndex &parent = {}) const final;
    int columnCount(const QModelIndex &parent = {}) const final;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const final;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const final;

protected:
    struct Column {
        QString title;
        bool figures = false;
    };
    RowTable(std::vector<Column> columns, QObject *parent);

    virtual int rows() const = 0;
    /// For any role but the alignment; `row` and `column` are there.
    virtual QVariant cell(int row, int column, int role) const = 0;
    /// All cells, or those of some columns, say something else.
    void cellsChanged();
    void cellsChanged(int firstColumn, int lastColumn);

    /// Whether a cell's text, figure or tooltip is asked for.
    static bool isSaid(int role) { return role == Qt::DisplayRole || role == kValueRole || role == Qt::ToolTipRole; }
    /// A figure as `isSaid` roles want it; bytes to the byte in tooltips.
    static QVariant bytesCell(std::int64_t bytes, int role);
    static QVariant countCell(std::int64_t count, int role);
    static QVariant timeCell(double timeUs, int role);

private:
    std::vector<Column> m_columns;
};

} // namespace remat::studio
