// SPDX-License-Identifier: Apache-2.0
// What the graph view remembers of itself.

#include "app/studio/base/text/text.h"
#include "app/studio/views/graph/graph_view.h"

#include <QJsonArray>

namespace remat::studio {

namespace {

const QString kHierarchy = QStringLiteral("hierarchy");
const QString kColourBy = QStringLiteral("colourBy");
const QString kScale = QStringLiteral("scale");
const QString kAt = QStringLiteral("at");

} // namespace

QJsonObject GraphView::saveState() const
{
    QJsonObject state;
    state[kHierarchy] = m_hierarchy == Hierarchy::Modules ? QStringLiteral("modules") : QStringLiteral("partition");
    m_expansion.save(state);
    m_branches.save(state);
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
    if (m_expansion.restoreChoices(state)) {
        m_selectedNode = -1;
        rebuildTree();
    }
    m_expansion.restoreOpen(state, m_scene.tree);
    const bool beside = m_branches.on();
    m_branches.restore(state);
    if (m_branches.on() != beside) Q_EMIT branchesBesideChanged(m_branches.on());
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
