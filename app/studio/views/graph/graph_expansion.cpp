// SPDX-License-Identifier: Apache-2.0
#include "app/studio/views/graph/graph_expansion.h"

#include "app/studio/base/text/text.h"

#include <QJsonArray>

#include <algorithm>

namespace remat::studio {

namespace {

const QString kOpen = QStringLiteral("open");
const QString kOpenThere = QStringLiteral("openInTheOther");
const QString kChosen = QStringLiteral("chosen");

QJsonArray listOf(const std::set<std::string> &paths)
{
    QJsonArray list;
    for (const std::string &path : paths)
        list.append(toQString(path));
    return list;
}

std::set<std::string> setOf(const QJsonValue &list)
{
    std::set<std::string> paths;
    for (const QJsonValue &path : list.toArray())
        paths.insert(path.toString().toStdString());
    return paths;
}

} // namespace

void GraphExpansion::openAll(const GraphTree &tree)
{
    for (const GraphNode &node : tree.nodes)
        if (node.expandable() && node.parent >= 0) m_open.insert(node.path);
}

void GraphExpansion::openFirst(const GraphTree &tree)
{
    for (const std::string &path : firstExpansion(tree))
        m_open.insert(path);
}

void GraphExpansion::openAround(const GraphTree &tree, int node)
{
    for (const int around : tree.lineage(node))
        if (around != node) m_open.insert(tree.node(around).path);
}

void GraphExpansion::setOpenBelow(const GraphTree &tree, int top, bool open)
{
    std::vector<int> todo = {top};
    while (!todo.empty()) {
        const GraphNode &node = tree.node(todo.back());
        todo.pop_back();
        if (!node.expandable()) continue;
        if (open)
            m_open.insert(node.path);
        else
            m_open.erase(node.path);
        todo.insert(todo.end(), node.children.begin(), node.children.end());
    }
}

void GraphExpansion::choose(const Run &run, int member)
{
    const std::string &old = run.paths[static_cast<std::size_t>(run.chosen)];
    const std::string &now = run.paths[static_cast<std::size_t>(member)];
    std::set<std::string> open;
    for (const std::string &path : m_open) {
        const bool below =
            path.starts_with(old) && (path.size() == old.size() || path[old.size()] == '.' || path[old.size()] == '/');
        open.insert(below ? now + path.substr(old.size()) : path);
    }
    m_open = std::move(open);
    m_choices[run.key] = member;
}

std::optional<std::pair<int, int>> GraphExpansion::hiddenInStack(const GraphTree &tree, const std::string &path) const
{
    const std::vector<int> line = tree.lineage(tree.find(path));
    for (std::size_t i = 0; i + 1 < line.size(); ++i) {
        const GraphNode &stack = tree.node(line[i]);
        if (stack.kind != NodeKind::Stack || isOpen(stack.path)) continue;
        const std::string &member = tree.node(line[i + 1]).path;
        for (std::size_t run = 0; run < tree.runs.size(); ++run) {
            const auto &paths = tree.runs[run].paths;
            const auto found = std::find(paths.begin(), paths.end(), member);
            if (found != paths.end()) return {{static_cast<int>(run), static_cast<int>(found - paths.begin())}};
        }
    }
    return std::nullopt;
}

void GraphExpansion::save(QJsonObject &state) const
{
    QJsonObject chosen;
    for (const auto &[run, member] : m_choices)
        chosen[toQString(run)] = member;
    state[kOpen] = listOf(m_open);
    state[kOpenThere] = listOf(m_openThere);
    state[kChosen] = chosen;
}

bool GraphExpansion::restoreChoices(const QJsonObject &state)
{
    if (state.contains(kOpenThere)) m_openThere = setOf(state[kOpenThere]);
    if (!state.contains(kChosen)) return false;
    RunChoices choices;
    const QJsonObject chosen = state[kChosen].toObject();
    for (auto entry = chosen.begin(); entry != chosen.end(); ++entry)
        choices[entry.key().toStdString()] = entry.value().toInt();
    std::swap(choices, m_choices);
    return choices != m_choices;
}

void GraphExpansion::restoreOpen(const QJsonObject &state, const GraphTree &tree)
{
    if (!state.contains(kOpen)) return;
    m_open.clear();
    for (const std::string &path : setOf(state[kOpen]))
        if (const int node = tree.find(path); node > 0 && tree.node(node).expandable())
            m_open.insert(tree.node(node).path);
}

} // namespace remat::studio
