// SPDX-License-Identifier: Apache-2.0
#include "app/studio/shell/workspace/workspace.h"

#include "app/studio/base/text/text.h"
#include "app/studio/shell/workspace/dock_header.h"
#include "app/studio/shell/workspace/left_panel.h"
#include "app/studio/views/curve/curve_view.h"
#include "app/studio/views/graph/graph_view.h"
#include "app/studio/views/memory/memory_view.h"
#include "app/studio/views/plan/plan_panel.h"
#include "app/studio/views/plans/plans_table.h"

#include <QApplication>

namespace remat::studio {

Workspace::Workspace(QMainWindow *window, Session &session, Commands &commands, std::function<void(const Notice &)> say)
    : QObject(window),
      m_window(window),
      m_session(session),
      m_views(new ViewDeck(session, commands, say, this)),
      m_leftPanel(new LeftPanel(&session.document)),
      m_railButtons(new IconRail),
      m_rail(addDock(QStringLiteral("railDock"), tr("Modules and plans"), m_railButtons, Qt::LeftDockWidgetArea)),
      m_left(addDock(QStringLiteral("leftDock"), tr("Modules and plans"), m_leftPanel, Qt::LeftDockWidgetArea)),
      m_bottom(addDock(QStringLiteral("memoryDock"), tr("Memory"), m_views->bottom(), Qt::BottomDockWidgetArea)),
      m_right(addDock(QStringLiteral("planDock"), tr("Plan"), m_views->right(), Qt::RightDockWidgetArea)),
      m_room(window, m_left, m_bottom, m_right)
{
    window->setCorner(Qt::BottomLeftCorner, Qt::BottomDockWidgetArea);
    window->setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    window->setDockOptions(QMainWindow::AnimatedDocks);
    m_rail->setFeatures(QDockWidget::NoDockWidgetFeatures);
    m_leftPanel->setMinimumWidth(200);
    m_leftPanel->setMaximumWidth(400);

    bindToggle(commands.action(command::kLeftPanel), m_left, [this](bool on) { openByHand(m_left, on); });
    bindToggle(commands.action(command::kMemoryPanel), m_bottom, [this](bool on) { openByHand(m_bottom, on); });
    bindToggle(commands.action(command::kPlanPanel), m_right, [this](bool) {
        if (m_right->isHidden() || m_views->right()->view(m_views->right()->current()) != planPanel())
            showPlanPanel();
        else
            m_right->hide();
    });
    wireLeftPanel();
    keepHierarchy();
    connect(m_views, &ViewDeck::called, this, &Workspace::showCalled);
    connect(m_railButtons, &IconRail::chosen, this, &Workspace::openFromRail);
    connect(m_left, &QDockWidget::visibilityChanged, this, &Workspace::showRail);
    for (QDockWidget *dock : {m_rail, m_left, m_bottom, m_right})
        dock->hide();
}

GraphView *Workspace::graph() const
{
    return view<GraphView>();
}

CurveView *Workspace::curve() const
{
    return view<CurveView>();
}

MemoryView *Workspace::memory() const
{
    return view<MemoryView>();
}

PlanPanel *Workspace::planPanel() const
{
    return view<PlanPanel>();
}

QDockWidget *Workspace::addDock(const QString &name, const QString &title, QWidget *content, Qt::DockWidgetArea area)
{
    auto *dock = new QDockWidget(title, m_window);
    dock->setObjectName(name);
    dock->setTitleBarWidget(new QWidget); // areas and panels bring a header of their own
    dock->setFeatures(QDockWidget::DockWidgetClosable | QDockWidget::DockWidgetMovable |
                      QDockWidget::DockWidgetFloatable);
    dock->setWidget(content);
    m_window->addDockWidget(area, dock);
    return dock;
}

void Workspace::showCalled(const ViewSpec &spec, QWidget *focus)
{
    // On the right the key goes there and back.
    if (spec.side == ViewSide::Right && !m_right->isHidden() && m_views->right()->current() == spec.id) {
        showPlanPanel();
        return;
    }
    for (const QString &beside : spec.with)
        showView(beside);
    showView(spec.id);
    if (spec.takesKeyboard) focus->setFocus(Qt::ShortcutFocusReason);
}

ViewArea *Workspace::area(Area area) const
{
    switch (area) {
    case Area::Center:
        return m_views->center();
    case Area::Second:
        return m_views->second();
    case Area::Bottom:
        return m_views->bottom();
    case Area::Right:
        break;
    }
    return m_views->right();
}

void Workspace::showView(const QString &id)
{
    m_views->center()->show(id);
    m_views->second()->show(id);
    for (const auto &[area, dock] : {std::pair{m_views->bottom(), m_bottom}, std::pair{m_views->right(), m_right}}) {
        if (!area->has(id)) continue;
        area->show(id);
        if (m_shown) dock->show();
    }
}

void Workspace::showFirst()
{
    const Preset first;
    if (m_preset.rightView == QLatin1String("explain")) return;
    m_views->center()->show(first.centerView);
    m_views->bottom()->show(first.bottomView);
    m_views->right()->show(first.rightView);
}

void Workspace::showPlanPanel()
{
    showView(QStringLiteral("plan"));
}

void Workspace::wireLeftPanel()
{
    Document *document = &m_session.document;
    GraphView *graph = this->graph();
    connect(m_leftPanel, &LeftPanel::hierarchyChanged, graph, &GraphView::setHierarchy);
    connect(graph, &GraphView::hierarchyChanged, m_leftPanel, &LeftPanel::setHierarchy);
    connect(m_leftPanel, &LeftPanel::hierarchyChanged, this, [this](Hierarchy hierarchy) {
        m_session.viewStates.touch(QStringLiteral("graph"),
                                   hierarchy == Hierarchy::Modules ? tr("Show modules") : tr("Show the partition"));
    });
    connect(m_leftPanel->plans(), &PlansTable::compareWanted, this,
            [this] { showView(QStringLiteral("summary")), showView(QStringLiteral("compare")); });
    connect(m_leftPanel, &LeftPanel::clusterChosen, this, [this, document, graph](ClusterId cluster) {
        const auto model = document->model();
        if (!model || !cluster) return;
        const bool modules = m_leftPanel->hierarchy() == Hierarchy::Modules;
        const ClusterTree &tree = modules ? model->open->modules : model->open->partition;
        graph->revealPath(toQString(tree.cluster(cluster).path));
    });
}

void Workspace::keepHierarchy()
{
    // The graph keeps its hierarchy itself; the tree beside it follows.
    m_session.viewStates.add(
        QStringLiteral("left"),
        {[this] {
             return QJsonObject{{QStringLiteral("hierarchy"), static_cast<int>(m_leftPanel->hierarchy())}};
         },
         [this](const QJsonObject &state) {
             m_leftPanel->setHierarchy(state[QStringLiteral("hierarchy")].toInt() == 0 ? Hierarchy::Modules
                                                                                       : Hierarchy::Partition);
         }});
}

void Workspace::bindToggle(QAction *action, QDockWidget *dock, const std::function<void(bool)> &toggled)
{
    const auto show = [this, action, dock] {
        if (m_shown) action->setChecked(!dock->isHidden());
    };
    connect(action, &QAction::triggered, this, [toggled, show](bool on) {
        toggled(on);
        show();
    });
    connect(dock, &QDockWidget::visibilityChanged, this, show);
}

void Workspace::focusNext(int by)
{
    struct Place {
        QWidget *area;
        QWidget *first;
    };
    std::vector<Place> places;
    const auto add = [&places](QWidget *area, QWidget *first) {
        if (area->isVisible()) places.push_back({area, first});
    };
    add(m_leftPanel, m_leftPanel->tree());
    add(m_railButtons, m_railButtons->button(IconRail::Part::Modules));
    for (ViewArea *area : {m_views->center(), m_views->second(), m_views->bottom(), m_views->right()})
        add(area, area->focusTarget());
    if (places.empty()) return;
    const QWidget *focused = QApplication::focusWidget();
    int current = by > 0 ? -1 : static_cast<int>(places.size());
    for (std::size_t i = 0; i < places.size(); ++i)
        if (focused && places[i].area->isAncestorOf(focused)) current = static_cast<int>(i);
    const int count = static_cast<int>(places.size());
    const Place &next = places[static_cast<std::size_t>(((current + by) % count + count) % count)];
    if (next.area == m_views->right() && m_views->right()->view(m_views->right()->current()) == planPanel())
        planPanel()->focusBudget();
    else
        next.first->setFocus(Qt::ShortcutFocusReason);
}

} // namespace remat::studio
