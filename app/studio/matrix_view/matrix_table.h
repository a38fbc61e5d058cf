// The R/S matrix as a sparse table, for screen readers, tests and export.
#pragma once

#include "app/studio/matrix_view/matrix_canvas.h"

#include <QAbstractTableModel>

namespace remat::studio {

/// What is computed again, one row each, and then what is kept, one row per stretch of stages. GUI thread only.
class MatrixTable : public QAbstractTableModel
{
    Q_OBJECT
public:
    enum Column { Operation, What, FromStage, ToStage, kColumns };
    /// The figure behind a cell's text: stages as qint64.
    static constexpr int kValueRole = Qt::UserRole;

    explicit MatrixTable(MatrixCanvas *canvas, QObject *parent = nullptr);
    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    struct Entry {
        OpId op;
        bool kept = false;
        std::int32_t fromStage = 0, toStage = 0; ///< both included
    };
    /// Made when a row is first asked for after a change.
    const std::vector<Entry> &entries() const;

    MatrixCanvas *m_canvas;
    mutable std::vector<Entry> m_entries;
    mutable bool m_stale = true;
};

} // namespace remat::studio
