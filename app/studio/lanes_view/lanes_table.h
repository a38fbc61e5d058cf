// The lanes as a table, for screen readers, tests and export.
#pragma once

#include "app/studio/lanes_view/lanes_canvas.h"

#include <QAbstractTableModel>

namespace remat::studio {

/// One row per computation and copy, by their start. GUI thread only.
class LanesTable : public QAbstractTableModel
{
    Q_OBJECT
public:
    enum Column { LaneColumn, Name, Step, Start, Duration, Bytes, kColumns };
    /// The figure behind a cell's text: step and bytes as qint64, times in µs as double.
    static constexpr int kValueRole = Qt::UserRole;

    explicit LanesTable(LanesCanvas *canvas, QObject *parent = nullptr);
    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    struct Entry {
        Lane lane;
        LaneEvent event;
    };
    /// Made when a row is first asked for after a change.
    const std::vector<Entry> &entries() const;

    LanesCanvas *m_canvas;
    mutable std::vector<Entry> m_entries;
    mutable bool m_stale = true;
};

} // namespace remat::studio
