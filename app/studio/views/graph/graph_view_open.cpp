// SPDX-License-Identifier: Apache-2.0
// The graph view: which clusters are open, and which of equal ones stand for all.
#include "app/studio/base/text/text.h"
#include "app/studio/views/graph/graph_view.h"

#include <algorithm>

namespace remat::studio {

void GraphView::setHierarchy(Hierarchy hierarchy)
{
    if (hierarchy == m_hierarchy) return;
    m_hierarchy = hierarchy;
    Q_EMIT hierarchyChanged(hierarchy);
    m_expansion.swapHierarchy();
    if (!m_scene.model) return;
    const bool first = m_expansion.empty();
    m_selectedNode = -1;
    rebuildTree();
    if (first) m_expansion.openFirst(m_scene.tree);
    m_motion.forget();
    takeSelection();
    relayout();
}

void GraphView::expand(const QString &path)
{
    if (!m_scene.model) return;
    const int node = m_scene.tree.find(path.toStdString());
    if (node <= 0 || !m_scene.tree.node(node).expandable()) return;
    if (m_expansion.open(m_scene.tree.node(node).path)) relayout();
}

void GraphView::collapse(const QString &path)
{
    if (!m_scene.model) return;
    const int node = m_scene.tree.find(path.toStdString());
    if (node > 0 && m_expansion.close(m_scene.tree.node(node).path)) relayout();
}

bool GraphView::isExpanded(const QString &path) const
{
    const int node = m_scene.tree.find(path.toStdString());
    return node > 0 && m_expansion.isOpen(m_scene.tree.node(node).path);
}

void GraphView::expandAll()
{
    if (!m_scene.model) return;
    m_expansion.openAll(m_scene.tree);
    relayout();
}

void GraphView::collapseAll()
{
    m_expansion.closeAll();
    relayout();
}

void GraphView::setBranchesBeside(bool on)
{
    if (on == m_branches.on()) return;
    m_branches.setOn(on);
    Q_EMIT branchesBesideChanged(on);
    relayout();
}

void GraphView::switchBranches(const QString &path)
{
    const int node = m_scene.model ? m_scene.tree.find(path.toStdString()) : -1;
    if (node < 0) return;
    m_branches.toggle(m_scene.tree.node(node).path);
    m_motion.keepSteady(
        m_scene, m_scene.picture.itemOf[static_cast<std::size_t>(m_selectedSide)][static_cast<std::size_t>(node)]);
    relayout();
    Q_EMIT stateTouched(tr("Branches of %1").arg(path));
}

void GraphView::switchBranchesHere()
{
    if (!m_scene.model) return;
    int node = m_selectedNode > 0 ? m_selectedNode : 0;
    const auto branches = [this](int at) {
        const GraphNode &content = m_scene.tree.node(at);
        const bool open = content.expandable() && (at == 0 || m_expansion.isOpen(content.path));
        return open && m_layouts.hasBranches(at);
    };
    while (node > 0 && !branches(node))
        node = m_scene.tree.node(node).parent;
    if (branches(node)) switchBranches(toQString(m_scene.tree.node(node).path));
}

void GraphView::chooseRun(int index, int member)
{
    m_expansion.choose(m_scene.tree.runs[static_cast<std::size_t>(index)], member);
    rebuildTree();
}

void GraphView::stepRun(const QString &path, int by)
{
    if (!m_scene.model) return;
    const int node = m_scene.tree.find(path.toStdString());
    const int run = node < 0 ? -1 : m_scene.tree.node(node).run;
    if (run < 0) return;
    const Run &members = m_scene.tree.runs[static_cast<std::size_t>(run)];
    const int next = std::clamp(members.chosen + by, 0, static_cast<int>(members.paths.size()) - 1);
    if (next == members.chosen) return;
    const std::string now = members.paths[static_cast<std::size_t>(next)];
    const bool follow = m_selectedNode == node;
    const Side side = m_selectedSide;
    chooseRun(run, next);
    m_selectedNode = -1;
    if (follow)
        select(m_scene.tree.find(now), side, true);
    else
        takeSelection();
    relayout();
}

bool GraphView::unstack(const std::string &path)
{
    const auto hidden = m_expansion.hiddenInStack(m_scene.tree, path);
    if (hidden) chooseRun(hidden->first, hidden->second);
    return hidden.has_value();
}

} // namespace remat::studio
