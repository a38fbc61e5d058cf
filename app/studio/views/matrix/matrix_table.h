// SPDX-License-Identifier: Apache-2.0
// The R/S matrix as a sparse table, for screen readers, tests and export.
#pragma once

#include "app/studio/base/widgets/row_table.h"
#include "app/studio/views/matrix/matrix_canvas.h"

namespace remat::studio {

/// What is computed again, one row each, and then what is kept, one row per stretch of slots. GUI thread only.
class MatrixTable : public RowTable
{
    Q_OBJECT
public:
    enum { Operation, What, FromSlot, ToSlot };

    explicit MatrixTable(MatrixCanvas *canvas, QObject *parent = nullptr);

private:
    int rows() const override;
    QVariant cell(int row, int column, int role) const override;

    struct Entry {
        OpId op;
        bool kept = false;
        std::int32_t fromSlot = 0, toSlot = 0; ///< both included
    };
    /// Made when a row is first asked for after a change.
    const std::vector<Entry> &entries() const;

    MatrixCanvas *m_canvas;
    mutable std::vector<Entry> m_entries;
    mutable bool m_stale = true;
};

} // namespace remat::studio
