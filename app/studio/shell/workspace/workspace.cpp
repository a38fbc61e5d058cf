#include "app/studio/shell/workspace/workspace.h"

#include "app/studio/base/text/text.h"
#include "app/studio/shell/workspace/dock_header.h"
#include "app/studio/shell/workspace/left_panel.h"
#include "app/studio/views/curve/curve_view.h"
#include "app/studio/views/graph/graph_view.h"
#include "app/studio/views/memory/memory_view.h"
#include "app/studio/views/plan/plan_panel.h"
#include "app/studio/views/plans/plans_table.h"
#include "app/studio/views/shared/plan_view.h"

#include <QApplication>

namespace remat::studio {

Workspace::Workspace(QMainWindow *window, Session &session, Commands &commands, std::function<void(const Notice &)> say)
    : QObject(window),
      m_window(window),
      m_session(session),
      m_leftPanel(new LeftPanel(&session.document)),
      m_center(new ViewArea),
      m_second(new ViewArea),
      m_bottomArea(new ViewArea),
      m_rightArea(new ViewArea),
      m_columns(new QSplitter(Qt::Horizontal)),
      m_railButtons(new IconRail)
{
    placeAreas();
    addViews(commands, say);

    window->setCorner(Qt::BottomLeftCorner, Qt::BottomDockWidgetArea);
    window->setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    window->setDockOptions(QMainWindow::AnimatedDocks);
    m_rail = addDock(QStringLiteral("railDock"), tr("Modules and plans"), m_railButtons, Qt::LeftDockWidgetArea);
    m_rail->setFeatures(QDockWidget::NoDockWidgetFeatures);
    m_left = addDock(QStringLiteral("leftDock"), tr("Modules and plans"), m_leftPanel, Qt::LeftDockWidgetArea);
    m_bottom = addDock(QStringLiteral("memoryDock"), tr("Memory"), m_bottomArea, Qt::BottomDockWidgetArea);
    m_right = addDock(QStringLiteral("planDock"), tr("Plan"), m_rightArea, Qt::RightDockWidgetArea);
    m_leftPanel->setMinimumWidth(200);
    m_leftPanel->setMaximumWidth(400);
    m_bottomArea->setMinimumSize(280, 220);
    m_rightArea->setMinimumWidth(300);
    m_rightArea->setMaximumWidth(440);

    bindToggle(commands.action(command::kLeftPanel), m_left, [this](bool on) { openByHand(m_left, on); });
    bindToggle(commands.action(command::kMemoryPanel), m_bottom, [this](bool on) { openByHand(m_bottom, on); });
    bindToggle(commands.action(command::kPlanPanel), m_right, [this](bool) {
        if (m_right->isHidden() || m_rightArea->view(m_rightArea->current()) != m_planPanel)
            showPlanPanel();
        else
            m_right->hide();
    });
    wireViews();
    keepStates();
    connect(m_railButtons, &IconRail::chosen, this, &Workspace::openFromRail);
    connect(m_left, &QDockWidget::visibilityChanged, this, &Workspace::showRail);
    for (QDockWidget *dock : {m_rail, m_left, m_bottom, m_right})
        dock->hide();
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

void Workspace::placeAreas()
{
    m_center->setObjectName(QStringLiteral("centerArea"));
    m_center->tabs()->setObjectName(QStringLiteral("centerTabs"));
    m_center->setMinimumWidth(520);
    m_second->setObjectName(QStringLiteral("secondArea"));
    m_second->tabs()->setObjectName(QStringLiteral("secondTabs"));
    m_second->setMinimumWidth(520);
    m_second->hide();
    m_bottomArea->setObjectName(QStringLiteral("bottomArea"));
    m_bottomArea->tabs()->setObjectName(QStringLiteral("bottomTabs"));
    m_rightArea->setObjectName(QStringLiteral("rightArea"));
    m_rightArea->tabs()->setObjectName(QStringLiteral("rightTabs"));
    m_columns->setObjectName(QStringLiteral("centerColumns"));
    m_columns->addWidget(m_center);
    m_columns->addWidget(m_second);
    m_columns->setChildrenCollapsible(false);
    m_columns->setHandleWidth(1);
}

void Workspace::addViews(Commands &commands, const std::function<void(const Notice &)> &say)
{
    for (const ViewSpec &spec : viewSpecs()) {
        const ViewHost host = {
            m_session, commands, say, [this](const QString &id) { return m_views.at(id); },
            [&states = m_session.viewStates, id = spec.id](const QString &what) { states.touch(id, what); }};
        const MadeView made = spec.make(host);
        if (made.view->objectName().isEmpty()) made.view->setObjectName(spec.id + QStringLiteral("View"));
        m_views.emplace(spec.id, made.view);
        ViewArea *side = spec.side == ViewSide::Center   ? m_center
                         : spec.side == ViewSide::Bottom ? m_bottomArea
                                                         : m_rightArea;
        side->add({spec.id, spec.title, spec.icon, made.view, made.header, made.focus, made.tools});
        bindView(spec, made, commands);
    }
    m_graph = view<GraphView>();
    m_curve = view<CurveView>();
    m_memory = view<MemoryView>();
    m_planPanel = view<PlanPanel>();
}

void Workspace::bindView(const ViewSpec &spec, const MadeView &made, const Commands &commands)
{
    if (made.keeper.save) m_session.viewStates.add(spec.id, made.keeper);
    if (auto *plan = qobject_cast<PlanView *>(made.view)) {
        connect(plan, &PlanView::openRequested, commands.action(command::kOpen), &QAction::trigger);
        connect(plan, &PlanView::solveRequested, commands.action(command::kSolve), &QAction::trigger);
    }
    if (spec.command.isEmpty()) return;
    QAction *show = commands.find(spec.command);
    m_viewActions << show;
    connect(show, &QAction::triggered, this, [this, &spec, focus = made.focus] {
        // On the right the key goes there and back.
        if (spec.side == ViewSide::Right && !m_right->isHidden() && m_rightArea->current() == spec.id)
            return showPlanPanel();
        for (const QString &beside : spec.with)
            showView(beside);
        showView(spec.id);
        if (spec.takesKeyboard) focus->setFocus(Qt::ShortcutFocusReason);
    });
}

ViewArea *Workspace::area(Area area) const
{
    switch (area) {
    case Area::Center:
        return m_center;
    case Area::Second:
        return m_second;
    case Area::Bottom:
        return m_bottomArea;
    case Area::Right:
        break;
    }
    return m_rightArea;
}

void Workspace::showView(const QString &id)
{
    m_center->show(id);
    m_second->show(id);
    for (const auto &[area, dock] : {std::pair{m_bottomArea, m_bottom}, std::pair{m_rightArea, m_right}}) {
        if (!area->has(id)) continue;
        area->show(id);
        if (m_shown) dock->show();
    }
}

void Workspace::showPlanPanel()
{
    showView(QStringLiteral("plan"));
}

void Workspace::wireViews()
{
    Document *document = &m_session.document;
    connect(m_leftPanel, &LeftPanel::hierarchyChanged, m_graph, &GraphView::setHierarchy);
    connect(m_graph, &GraphView::hierarchyChanged, m_leftPanel, &LeftPanel::setHierarchy);
    connect(m_leftPanel, &LeftPanel::hierarchyChanged, this, [this](Hierarchy hierarchy) {
        m_session.viewStates.touch(QStringLiteral("graph"),
                                   hierarchy == Hierarchy::Modules ? tr("Show modules") : tr("Show the partition"));
    });
    connect(m_leftPanel->plans(), &PlansTable::compareWanted, this,
            [this] { showView(QStringLiteral("summary")), showView(QStringLiteral("compare")); });
    connect(m_leftPanel, &LeftPanel::clusterChosen, this, [this, document](ClusterId cluster) {
        const auto model = document->model();
        if (!model || !cluster) return;
        const bool modules = m_leftPanel->hierarchy() == Hierarchy::Modules;
        const ClusterTree &tree = modules ? model->open->modules : model->open->partition;
        m_graph->revealPath(toQString(tree.cluster(cluster).path));
    });
}

void Workspace::keepStates()
{
    ViewStates &states = m_session.viewStates;
    // The graph keeps its hierarchy itself; the tree beside it follows.
    states.add(QStringLiteral("left"),
               {[this] {
                    return QJsonObject{{QStringLiteral("hierarchy"), static_cast<int>(m_leftPanel->hierarchy())}};
                },
                [this](const QJsonObject &state) {
                    m_leftPanel->setHierarchy(state[QStringLiteral("hierarchy")].toInt() == 0 ? Hierarchy::Modules
                                                                                              : Hierarchy::Partition);
                }});
    // Which view of a place is in front.
    for (ViewArea *area : {m_center, m_bottomArea, m_rightArea}) {
        const QString key = QStringLiteral("tabs.") + area->objectName();
        states.add(key, {[area] {
                             return QJsonObject{{QStringLiteral("view"), area->current()}};
                         },
                         [area](const QJsonObject &state) {
                             const QString id = state[QStringLiteral("view")].toString();
                             if (area->has(id)) area->show(id);
                         }});
        connect(area, &ViewArea::currentChanged, this,
                [&states, area, key](const QString &id) { states.touch(key, tr("Show %1").arg(area->title(id))); });
    }
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
    for (ViewArea *area : {m_center, m_second, m_bottomArea, m_rightArea})
        add(area, area->focusTarget());
    if (places.empty()) return;
    const QWidget *focused = QApplication::focusWidget();
    int current = by > 0 ? -1 : static_cast<int>(places.size());
    for (std::size_t i = 0; i < places.size(); ++i)
        if (focused && places[i].area->isAncestorOf(focused)) current = static_cast<int>(i);
    const int count = static_cast<int>(places.size());
    const Place &next = places[static_cast<std::size_t>(((current + by) % count + count) % count)];
    if (next.area == m_rightArea && m_rightArea->view(m_rightArea->current()) == m_planPanel)
        m_planPanel->focusBudget();
    else
        next.first->setFocus(Qt::ShortcutFocusReason);
}

} // namespace remat::studio
