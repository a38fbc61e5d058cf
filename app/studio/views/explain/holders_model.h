// SPDX-License-Identifier: Apache-2.0
// What is held at a moment, as a table.
#pragma once

#include "app/studio/base/widgets/row_table.h"
#include "app/studio/views/explain/explanation.h"

namespace remat::studio {

/// Largest first. GUI thread only.
class HoldersModel : public RowTable
{
    Q_OBJECT
public:
    enum { Name, Bytes, Reason };

    explicit HoldersModel(QObject *parent = nullptr);
    void setMoment(std::shared_ptr<const CostedModel> model, const Moment &moment);
    StorageId storage(int row) const { return m_moment.holders[static_cast<std::size_t>(row)].storage; }
    Category category(int row) const { return m_moment.holders[static_cast<std::size_t>(row)].category; }

private:
    int rows() const override;
    QVariant cell(int row, int column, int role) const override;

    std::shared_ptr<const CostedModel> m_model;
    OpLabels m_labels;
    Moment m_moment;
};

} // namespace remat::studio
