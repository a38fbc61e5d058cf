// What is held at a moment, as a table.
#pragma once

#include "app/studio/explain/explanation.h"

#include <QAbstractTableModel>

namespace remat::studio {

/// Largest first. GUI thread only.
class HoldersModel : public QAbstractTableModel
{
    Q_OBJECT
public:
    enum Column { Name, Bytes, Reason, kColumns };

    using QAbstractTableModel::QAbstractTableModel;
    void setMoment(std::shared_ptr<const CostedModel> model, const Moment &moment);
    StorageId storage(int row) const { return m_moment.holders[static_cast<std::size_t>(row)].storage; }
    Category category(int row) const { return m_moment.holders[static_cast<std::size_t>(row)].category; }

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::shared_ptr<const CostedModel> m_model;
    OpLabels m_labels;
    Moment m_moment;
};

} // namespace remat::studio
