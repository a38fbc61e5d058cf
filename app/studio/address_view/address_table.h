// The address map as a table, for screen readers, tests and export.
#pragma once

#include "app/studio/address_view/address_canvas.h"

#include <QAbstractTableModel>

namespace remat::studio {

/// One row per rectangle, by first step. GUI thread only.
class AddressTable : public QAbstractTableModel
{
    Q_OBJECT
public:
    enum Column { Name, CategoryColumn, Offset, Bytes, FirstStep, LastStep, kColumns };
    /// The figure behind a cell's text, as qint64.
    static constexpr int kValueRole = Qt::UserRole;

    explicit AddressTable(AddressCanvas *canvas, QObject *parent = nullptr);
    /// The canvas has another scene.
    void take();
    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    AddressCanvas *m_canvas;
    std::shared_ptr<const AddressMap> m_map;
};

} // namespace remat::studio
