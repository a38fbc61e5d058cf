// The graph view: which clusters are open, and which of equal ones stand for all.
#include "app/studio/views/graph/graph_view.h"

#include <algorithm>

namespace remat::studio {

void GraphView::setHierarchy(Hierarchy hierarchy)
{
    if (hierarchy == m_hierarchy) return;
    m_hierarchy = hierarchy;
    Q_EMIT hierarchyChanged(hierarchy);
    std::swap(m_expanded, m_expandedThere);
    if (!m_scene.model) return;
    const bool first = m_expanded.empty();
    m_selectedNode = -1;
    rebuildTree();
    if (first)
        for (const std::string &path : firstExpansion(m_scene.tree))
            m_expanded.insert(path);
    m_places.clear();
    takeSelection();
    relayout();
}

void GraphView::expand(const QString &path)
{
    if (!m_scene.model) return;
    const int node = m_scene.tree.find(path.toStdString());
    if (node <= 0 || !m_scene.tree.node(node).expandable()) return;
    if (m_expanded.insert(m_scene.tree.node(node).path).second) relayout();
}

void GraphView::collapse(const QString &path)
{
    if (!m_scene.model) return;
    const int node = m_scene.tree.find(path.toStdString());
    if (node > 0 && m_expanded.erase(m_scene.tree.node(node).path) > 0) relayout();
}

bool GraphView::isExpanded(const QString &path) const
{
    const int node = m_scene.tree.find(path.toStdString());
    return node > 0 && m_expanded.contains(m_scene.tree.node(node).path);
}

void GraphView::expandAll()
{
    if (!m_scene.model) return;
    for (const GraphNode &node : m_scene.tree.nodes)
        if (node.expandable() && node.parent >= 0) m_expanded.insert(node.path);
    relayout();
}

void GraphView::collapseAll()
{
    m_expanded.clear();
    relayout();
}

void GraphView::openAround(int node)
{
    for (const int around : m_scene.tree.lineage(node))
        if (around != node) m_expanded.insert(m_scene.tree.node(around).path);
}

void GraphView::chooseRun(int index, int member)
{
    const Run run = m_scene.tree.runs[static_cast<std::size_t>(index)];
    const std::string &old = run.paths[static_cast<std::size_t>(run.chosen)];
    const std::string &now = run.paths[static_cast<std::size_t>(member)];
    // What was open in the one block is open in the other, which has the same parts.
    std::set<std::string> expanded;
    for (const std::string &path : m_expanded) {
        const bool below =
            path.starts_with(old) && (path.size() == old.size() || path[old.size()] == '.' || path[old.size()] == '/');
        expanded.insert(below ? now + path.substr(old.size()) : path);
    }
    m_expanded = std::move(expanded);
    m_choices[run.key] = member;
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
    const std::vector<int> line = m_scene.tree.lineage(m_scene.tree.find(path));
    for (std::size_t i = 0; i + 1 < line.size(); ++i) {
        const GraphNode &stack = m_scene.tree.node(line[i]);
        if (stack.kind != NodeKind::Stack || m_expanded.contains(stack.path)) continue;
        const std::string &member = m_scene.tree.node(line[i + 1]).path;
        for (std::size_t run = 0; run < m_scene.tree.runs.size(); ++run) {
            const auto &paths = m_scene.tree.runs[run].paths;
            const auto found = std::find(paths.begin(), paths.end(), member);
            if (found == paths.end()) continue;
            chooseRun(static_cast<int>(run), static_cast<int>(found - paths.begin()));
            return true;
        }
    }
    return false;
}

} // namespace remat::studio
