// What the graph view remembers of itself.

#include "app/studio/base/text/text.h"
#include "app/studio/views/graph/graph_view.h"

#include <QJsonArray>

namespace remat::studio {

namespace {

const QString kHierarchy = QStringLiteral("hierarchy");
const QString kOpen = QStringLiteral("open");
const QString kOpenThere = QStringLiteral("openInTheOther");
const QString kChosen = QStringLiteral("chosen");
const QString kColourBy = QStringLiteral("colourBy");
const QString kScale = QStringLiteral("scale");
const QString kAt = QStringLiteral("at");

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

QJsonObject GraphView::saveState() const
{
    QJsonObject state, chosen;
    state[kHierarchy] = m_hierarchy == Hierarchy::Modules ? QStringLiteral("modules") : QStringLiteral("partition");
    state[kOpen] = listOf(m_expanded);
    state[kOpenThere] = listOf(m_expandedThere);
    for (const auto &[run, member] : m_choices)
        chosen[toQString(run)] = member;
    state[kChosen] = chosen;
    state[kColourBy] = static_cast<int>(m_scene.colourBy);
    state[kScale] = m_canvas->scale();
    state[kAt] = QJsonArray{m_canvas->origin().x(), m_canvas->origin().y()};
    return state;
}

void GraphView::restoreState(const QJsonObject &state)
{
    if (!m_scene.model) return;
    if (state.contains(kHierarchy))
        setHierarchy(state[kHierarchy].toString() == QLatin1String("partition") ? Hierarchy::Partition
                                                                                : Hierarchy::Modules);
    if (state.contains(kOpenThere)) m_expandedThere = setOf(state[kOpenThere]);
    if (state.contains(kChosen)) {
        RunChoices choices;
        const QJsonObject chosen = state[kChosen].toObject();
        for (auto entry = chosen.begin(); entry != chosen.end(); ++entry)
            choices[entry.key().toStdString()] = entry.value().toInt();
        if (choices != m_choices) {
            m_choices = std::move(choices);
            m_selectedNode = -1;
            rebuildTree();
        }
    }
    if (state.contains(kOpen)) {
        m_expanded.clear();
        for (const std::string &path : setOf(state[kOpen]))
            if (const int node = m_scene.tree.find(path); node > 0 && m_scene.tree.node(node).expandable())
                m_expanded.insert(m_scene.tree.node(node).path);
    }
    const int colour = state[kColourBy].toInt(-1);
    for (const ColourBy by : colourChoices())
        if (static_cast<int>(by) == colour) setColourBy(by);
    const QJsonArray at = state[kAt].toArray();
    if (at.size() == 2 && state[kScale].toDouble() > 0)
        m_sightAfter = {state[kScale].toDouble(), QPointF(at[0].toDouble(), at[1].toDouble())};
    takeSelection();
    relayout();
}

} // namespace remat::studio
