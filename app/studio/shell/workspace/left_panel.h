// SPDX-License-Identifier: Apache-2.0
// The left dock: the tree of modules or blocks above, the plans below.
#pragma once

#include "app/studio/views/modules/cluster_tree_view.h"

#include <QSplitter>
#include <QWidget>

namespace remat::studio {

class HeaderTabs;
class PlansTable;

class LeftPanel : public QWidget
{
    Q_OBJECT
public:
    explicit LeftPanel(Document *document, QWidget *parent = nullptr);
    ClusterTreeView *tree() const { return m_tree; }
    PlansTable *plans() const { return m_plans; }
    Hierarchy hierarchy() const { return m_tree->hierarchy(); }
    void setHierarchy(Hierarchy hierarchy);
    /// Without the tree the plans have all the room.
    void setTreeShown(bool shown) { m_splitter->widget(0)->setVisible(shown); }

Q_SIGNALS:
    void hierarchyChanged(remat::studio::Hierarchy hierarchy);
    void clusterChosen(remat::ClusterId cluster);

private:
    HeaderTabs *m_tabs;
    ClusterTreeView *m_tree;
    PlansTable *m_plans;
    QSplitter *m_splitter;
};

} // namespace remat::studio
