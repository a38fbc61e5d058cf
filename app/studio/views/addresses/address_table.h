// SPDX-License-Identifier: Apache-2.0
// The address map as a table, for screen readers, tests and export.
#pragma once

#include "app/studio/base/widgets/row_table.h"
#include "app/studio/views/addresses/address_canvas.h"

namespace remat::studio {

/// One row per rectangle, by first step. GUI thread only.
class AddressTable : public RowTable
{
    Q_OBJECT
public:
    enum { Name, CategoryColumn, Offset, Bytes, FirstStep, LastStep };

    explicit AddressTable(AddressCanvas *canvas, QObject *parent = nullptr);
    /// The canvas has another scene.
    void take();

private:
    int rows() const override;
    QVariant cell(int row, int column, int role) const override;

    AddressCanvas *m_canvas;
    std::shared_ptr<const AddressMap> m_map;
};

} // namespace remat::studio
