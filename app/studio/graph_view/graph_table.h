// The table twin of the graph: every card and frame that is open, for screen readers, tests and export.
#pragma once

#include "app/studio/graph_view/graph_scene.h"

#include <QAbstractTableModel>

namespace remat::studio {

class GraphTable : public QAbstractTableModel
{
    Q_OBJECT
public:
    enum Column { Name, Pass, Kind, State, Bytes, Time, Recomputed, Path, ColumnCount };

    /// `scene` outlives the model.
    explicit GraphTable(const GraphScene &scene, QObject *parent = nullptr);

    /// The items changed, or only their figures.
    void resetItems();
    void figuresChanged();

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    const GraphScene &m_scene;
    int m_rows = 0;
};

} // namespace remat::studio
