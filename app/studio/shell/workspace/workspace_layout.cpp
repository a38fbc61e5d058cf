// SPDX-License-Identifier: Apache-2.0
// The workspace's docks: which are seen, how wide they are, what is remembered of that.
#include "app/studio/shell/workspace/dock_layout.h"
#include "app/studio/shell/workspace/left_panel.h"
#include "app/studio/shell/workspace/workspace.h"
#include "app/studio/views/plans/plans_table.h"

#include <QJsonArray>
#include <QSettings>

#include <array>

namespace remat::studio {

namespace {

constexpr int kStateVersion = 1;

/// Where settings keep a part of what a preset looks like.
QString leafKey(const Preset &preset, const char *part)
{
    return QStringLiteral("workspace/%1/%2").arg(preset.id, QLatin1String(part));
}

} // namespace

void Workspace::setShown(bool shown)
{
    if (m_shown == shown) return;
    const std::array docks = {m_left, m_bottom, m_right};
    if (!shown) {
        m_rail->hide();
        for (std::size_t i = 0; i < docks.size(); ++i)
            m_open[i] = !docks[i]->isHidden();
        m_shown = false;
        for (QDockWidget *dock : docks)
            dock->hide();
        return;
    }
    m_shown = true;
    if (m_restored) {
        for (std::size_t i = 0; i < docks.size(); ++i)
            docks[i]->setVisible(m_open[i]);
        placeColumns();
        showRail();
        return;
    }
    m_restored = true;
    restore();
    placeColumns();
    showRail();
}

void Workspace::restore()
{
    const QSettings settings;
    m_leftPanel->setTreeShown(m_preset.modules);
    const QByteArray state = settings.value(leafKey(m_preset, "state")).toByteArray();
    if (state.isEmpty() || !m_window->restoreState(state, kStateVersion)) {
        reset();
        return;
    }
    m_room.forget();
    m_room.fit(settings.value(leafKey(m_preset, "size")).toSize(), m_views->center()->minimumWidth());
    m_views->center()->show(settings.value(leafKey(m_preset, "center")).toString());
    m_views->bottom()->show(settings.value(leafKey(m_preset, "bottom")).toString());
    m_views->right()->show(settings.value(leafKey(m_preset, "right")).toString());
    windowResized();
}

void Workspace::usePreset(const Preset &preset)
{
    if (preset.id == m_preset.id) {
        m_preset = preset;
        return;
    }
    save();
    m_preset = preset;
    m_restored = m_shown; // one that is not shown is restored when it is
    if (m_shown) {
        restore();
        placeColumns();
        showRail();
    }
    Q_EMIT presetUsed();
}

void Workspace::showNamed()
{
    m_leftPanel->setTreeShown(m_preset.modules);
    for (const auto &[area, id] :
         {std::pair{m_views->center(), m_preset.centerView}, std::pair{m_views->bottom(), m_preset.bottomView},
          std::pair{m_views->right(), m_preset.rightView}})
        area->show(area->has(id) ? id : area->ids().value(0));
    m_room.open({.left = m_preset.left, .bottom = m_preset.bottom, .right = m_preset.right});
}

void Workspace::reset()
{
    for (QDockWidget *dock : {m_left, m_bottom, m_right})
        dock->setFloating(false);
    m_window->addDockWidget(Qt::LeftDockWidgetArea, m_left);
    m_window->addDockWidget(Qt::BottomDockWidgetArea, m_bottom);
    m_window->addDockWidget(Qt::RightDockWidgetArea, m_right);
    showNamed();
    m_room.applySizes();
}

void Workspace::placeColumns()
{
    m_views->setTwoColumns(m_room.wide() && m_preset.centerView == QLatin1String("graph"));
}

void Workspace::showRail()
{
    m_rail->setVisible(m_shown && m_room.narrow() && m_preset.left && m_left->isHidden());
}

void Workspace::openFromRail(IconRail::Part part)
{
    m_left->show();
    m_room.keep(m_left);
    if (part == IconRail::Part::Plans) {
        m_leftPanel->plans()->setFocus(Qt::OtherFocusReason);
        return;
    }
    m_leftPanel->setHierarchy(part == IconRail::Part::Modules ? Hierarchy::Modules : Hierarchy::Partition);
    m_leftPanel->tree()->setFocus(Qt::OtherFocusReason);
}

void Workspace::openByHand(QDockWidget *dock, bool on)
{
    if (m_shown) dock->setVisible(on);
    m_room.keep(dock);
}

void Workspace::save() const
{
    if (!m_shown) return;
    QSettings settings;
    settings.setValue(leafKey(m_preset, "state"), m_window->saveState(kStateVersion));
    settings.setValue(leafKey(m_preset, "size"), m_window->size());
    settings.setValue(leafKey(m_preset, "center"), m_views->center()->current());
    settings.setValue(leafKey(m_preset, "bottom"), m_views->bottom()->current());
    settings.setValue(leafKey(m_preset, "right"), m_views->right()->current());
}

QJsonObject Workspace::saveLayout() const
{
    QJsonObject layout = {{QStringLiteral("docks"), saveDocks(*m_window, {m_left, m_bottom, m_right})},
                          {QStringLiteral("window"), QJsonArray{m_window->width(), m_window->height()}}};
    m_room.save(layout);
    // A column that is not shown has no width of its own.
    if (!m_views->second()->isHidden()) {
        const QList<int> widths = m_views->columns()->sizes();
        layout[QStringLiteral("columns")] = QJsonArray{widths.value(0), widths.value(1)};
    }
    return layout;
}

void Workspace::restoreLayout(const QJsonObject &layout)
{
    if (!m_shown) return;
    restoreDocks(*m_window, {m_left, m_bottom, m_right}, layout[QStringLiteral("docks")].toObject());
    m_room.restore(layout);
    const QJsonArray arranged = layout[QStringLiteral("window")].toArray();
    m_room.fit(arranged.size() == 2 ? QSize(arranged[0].toInt(), arranged[1].toInt()) : QSize(),
               m_views->center()->minimumWidth());
    windowResized();
    const QJsonArray columns = layout[QStringLiteral("columns")].toArray();
    const int left = columns[0].toInt();
    const int right = columns[1].toInt();
    if (left > 0 && right > 0) m_views->columns()->setSizes({left, right});
}

void Workspace::windowResized(QSize before)
{
    ViewArea *center = m_views->center();
    center->setMinimumWidth(m_room.tight() ? 280 : 520);
    if (!m_shown) return;
    placeColumns();
    m_room.resized(before);
    m_room.fit(before, center->minimumWidth());
    showRail();
}

} // namespace remat::studio
