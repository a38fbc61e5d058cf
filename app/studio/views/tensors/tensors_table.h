// SPDX-License-Identifier: Apache-2.0
// The rows of the view "Tensors": one for each saved tensor, or one for each group of them.
#pragma once

#include "app/studio/base/widgets/row_table.h"
#include "app/studio/views/tensors/tensors_data.h"

namespace remat::studio {

/// GUI thread only.
class TensorsTable : public RowTable
{
    Q_OBJECT
public:
    enum { Name, Op, Shape, Type, Bytes, State, Since, Until, Readers, Why, Module, Source };

    explicit TensorsTable(TensorsData &data, QObject *parent = nullptr);
    void refresh();
    StorageId storageAt(int row) const;
    /// -1 when the storage has no row.
    int rowOf(StorageId storage) const;

private:
    int rows() const override;
    QVariant cell(int row, int column, int role) const override;
    QVariant said(const SavedTensor &tensor, int column, int role) const;
    QString readersText(const SavedTensor &tensor) const;
    QString whyText(const SavedTensor &tensor) const;

    TensorsData &m_data;
    std::vector<SavedTensor> m_rows;
};

/// GUI thread only.
class SumsTable : public RowTable
{
    Q_OBJECT
public:
    enum { Group, Tensors, Bytes, Kept, Recomputed, Offloaded };

    explicit SumsTable(TensorsData &data, QObject *parent = nullptr);
    void refresh(GroupBy by);
    const SavedSum &sum(int row) const { return m_rows[static_cast<std::size_t>(row)]; }

private:
    int rows() const override;
    QVariant cell(int row, int column, int role) const override;

    TensorsData &m_data;
    std::vector<SavedSum> m_rows;
};

} // namespace remat::studio
