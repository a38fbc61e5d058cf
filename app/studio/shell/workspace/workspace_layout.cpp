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

constexpr int kNarrow = 1400; ///< below, the left dock makes room for the graph
constexpr int kWide = 2200;
constexpr int kLow = 600;   ///< below, the bottom dock does
constexpr int kTight = 900; ///< below, the graph makes room for the panels
constexpr int kStateVersion = 1;

struct DockSizes {
    int left, bottom, right;
};

DockSizes sizesFor(QSize window)
{
    DockSizes sizes{240, 334, 328};
    if (window.width() >= kWide) sizes = {280, 460, 368};
    if (window.width() < kNarrow) sizes = {240, 280, 312};
    sizes.bottom = std::min(sizes.bottom, std::max(220, window.height() * 35 / 100));
    if (window.width() < kTight) sizes.right = 300;
    return sizes;
}

/// Where settings keep a part of what a preset looks like.
QString leafKey(const Preset &preset, const char *part)
{
    return QStringLiteral("workspace/%1/%2").arg(preset.id, QLatin1String(part));
}

} // namespace

bool Workspace::narrow() const
{
    return m_window->width() < kNarrow;
}

bool Workspace::low() const
{
    return m_window->height() < kLow;
}

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
    m_leftClosedForRoom = m_bottomClosedForRoom = m_shrunkForRoom = false;
    fitDocks(settings.value(leafKey(m_preset, "size")).toSize());
    m_center->show(settings.value(leafKey(m_preset, "center")).toString());
    m_bottomArea->show(settings.value(leafKey(m_preset, "bottom")).toString());
    m_rightArea->show(settings.value(leafKey(m_preset, "right")).toString());
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
         {std::pair{m_center, m_preset.centerView}, std::pair{m_bottomArea, m_preset.bottomView},
          std::pair{m_rightArea, m_preset.rightView}})
        area->show(area->has(id) ? id : area->ids().value(0));
    m_leftClosedForRoom = m_preset.left && narrow();
    m_left->setVisible(m_preset.left && !narrow());
    m_bottomClosedForRoom = m_preset.bottom && low();
    m_bottom->setVisible(m_preset.bottom && !low());
    m_right->setVisible(m_preset.right);
}

void Workspace::reset()
{
    for (QDockWidget *dock : {m_left, m_bottom, m_right})
        dock->setFloating(false);
    m_window->addDockWidget(Qt::LeftDockWidgetArea, m_left);
    m_window->addDockWidget(Qt::BottomDockWidgetArea, m_bottom);
    m_window->addDockWidget(Qt::RightDockWidgetArea, m_right);
    showNamed();
    applySizes();
}

void Workspace::placeColumns()
{
    const bool two = m_window->width() >= kWide && m_preset.centerView == QLatin1String("graph");
    const QString curve = QStringLiteral("curve");
    if (two == m_second->has(curve)) return;
    ViewArea *from = two ? m_center : m_second;
    ViewArea *to = two ? m_second : m_center;
    if (!from->has(curve)) return;
    to->add(from->take(curve));
    m_second->setVisible(two);
    if (two) m_columns->setSizes({60, 40});
}

void Workspace::showRail()
{
    m_rail->setVisible(m_shown && narrow() && m_preset.left && m_left->isHidden());
}

void Workspace::openFromRail(IconRail::Part part)
{
    m_leftClosedForRoom = false; // asked for, so it stays
    m_left->show();
    if (part == IconRail::Part::Plans) {
        m_leftPanel->plans()->setFocus(Qt::OtherFocusReason);
        return;
    }
    m_leftPanel->setHierarchy(part == IconRail::Part::Modules ? Hierarchy::Modules : Hierarchy::Partition);
    m_leftPanel->tree()->setFocus(Qt::OtherFocusReason);
}

void Workspace::applySizes()
{
    const DockSizes sizes = sizesFor(m_window->size());
    m_window->resizeDocks({m_left, m_right}, {sizes.left, sizes.right}, Qt::Horizontal);
    m_window->resizeDocks({m_bottom}, {sizes.bottom}, Qt::Vertical);
}

void Workspace::fitDocks(QSize arrangedIn)
{
    const QSize room = m_window->size();
    if (!arrangedIn.isValid() || (arrangedIn.width() <= room.width() && arrangedIn.height() <= room.height())) return;
    const DockSizes sizes = sizesFor(room);
    const bool across = m_left->width() + m_right->width() > room.width() - m_center->minimumWidth();
    if (m_bottom->height() <= sizes.bottom && m_right->width() <= sizes.right && !across) return;
    m_shrunkForRoom = true;
    applySizes();
}

void Workspace::makeRoom(QDockWidget *dock, bool &closed, bool tight)
{
    if (tight && !dock->isHidden() && !dock->isFloating()) {
        closed = true;
        dock->hide();
    } else if (!tight && closed) {
        closed = false;
        dock->show();
        applySizes();
    }
}

void Workspace::openByHand(QDockWidget *dock, bool on)
{
    if (m_shown) dock->setVisible(on);
    (dock == m_left ? m_leftClosedForRoom : m_bottomClosedForRoom) = false;
}

void Workspace::save() const
{
    if (!m_shown) return;
    QSettings settings;
    settings.setValue(leafKey(m_preset, "state"), m_window->saveState(kStateVersion));
    settings.setValue(leafKey(m_preset, "size"), m_window->size());
    settings.setValue(leafKey(m_preset, "center"), m_center->current());
    settings.setValue(leafKey(m_preset, "bottom"), m_bottomArea->current());
    settings.setValue(leafKey(m_preset, "right"), m_rightArea->current());
}

QJsonObject Workspace::saveLayout() const
{
    QJsonObject layout = {{QStringLiteral("docks"), saveDocks(*m_window, {m_left, m_bottom, m_right})},
                          {QStringLiteral("window"), QJsonArray{m_window->width(), m_window->height()}},
                          {QStringLiteral("left_closed_for_room"), m_leftClosedForRoom},
                          {QStringLiteral("bottom_closed_for_room"), m_bottomClosedForRoom}};
    // A column that is not shown has no width of its own.
    if (!m_second->isHidden()) {
        const QList<int> widths = m_columns->sizes();
        layout[QStringLiteral("columns")] = QJsonArray{widths.value(0), widths.value(1)};
    }
    return layout;
}

void Workspace::restoreLayout(const QJsonObject &layout)
{
    if (!m_shown) return;
    restoreDocks(*m_window, {m_left, m_bottom, m_right}, layout[QStringLiteral("docks")].toObject());
    m_leftClosedForRoom = layout[QStringLiteral("left_closed_for_room")].toBool();
    m_bottomClosedForRoom = layout[QStringLiteral("bottom_closed_for_room")].toBool();
    const QJsonArray arranged = layout[QStringLiteral("window")].toArray();
    fitDocks(arranged.size() == 2 ? QSize(arranged[0].toInt(), arranged[1].toInt()) : QSize());
    windowResized();
    const QJsonArray columns = layout[QStringLiteral("columns")].toArray();
    const int left = columns[0].toInt();
    const int right = columns[1].toInt();
    if (left > 0 && right > 0) m_columns->setSizes({left, right});
}

void Workspace::windowResized(QSize before)
{
    m_center->setMinimumWidth(m_window->width() < kTight ? 280 : 520);
    if (!m_shown) return;
    placeColumns();
    makeRoom(m_left, m_leftClosedForRoom, narrow());
    makeRoom(m_bottom, m_bottomClosedForRoom, low());
    if (m_shrunkForRoom && before.isValid() && m_window->height() > before.height() &&
        m_window->width() > before.width()) {
        m_shrunkForRoom = m_window->width() < kNarrow;
        applySizes();
    }
    fitDocks(before);
    showRail();
}

} // namespace remat::studio
