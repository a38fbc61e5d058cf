// SPDX-License-Identifier: Apache-2.0
// The table twin of the graph: every card and frame that is open, for screen readers, tests and export.
#pragma once

#include "app/studio/base/widgets/row_table.h"
#include "app/studio/views/graph/graph_scene.h"

namespace remat::studio {

class GraphTable : public RowTable
{
    Q_OBJECT
public:
    enum { Name, Pass, Kind, State, Bytes, Time, Recomputed, Path };

    /// `scene` outlives the model.
    explicit GraphTable(const GraphScene &scene, QObject *parent = nullptr);

    /// The items changed, or only their figures.
    void resetItems();
    void figuresChanged();

private:
    int rows() const override;
    QVariant cell(int row, int column, int role) const override;

    const GraphScene &m_scene;
    int m_items = 0;
};

} // namespace remat::studio
