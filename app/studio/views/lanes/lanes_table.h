// SPDX-License-Identifier: Apache-2.0
// The lanes as a table, for screen readers, tests and export.
#pragma once

#include "app/studio/base/widgets/row_table.h"
#include "app/studio/views/lanes/lanes_canvas.h"

namespace remat::studio {

/// One row per computation, copy, and wait of compute, by their start. GUI thread only.
class LanesTable : public RowTable
{
    Q_OBJECT
public:
    enum { LaneColumn, Name, Step, Start, Duration, Measured, Bytes };

    explicit LanesTable(LanesCanvas *canvas, QObject *parent = nullptr);

private:
    int rows() const override;
    QVariant cell(int row, int column, int role) const override;

    struct Entry {
        std::optional<Lane> lane; ///< none: compute waits for the copy of the event's storage
        LaneEvent event;
    };
    /// Made when a row is first asked for after a change.
    const std::vector<Entry> &entries() const;

    LanesCanvas *m_canvas;
    mutable std::vector<Entry> m_entries;
    mutable bool m_stale = true;
};

} // namespace remat::studio
