#include "app/studio/shell/workspace/workspace.h"

#include "app/studio/base/text/text.h"
#include "app/studio/shell/workspace/dock_header.h"
#include "app/studio/shell/workspace/left_panel.h"
#include "app/studio/views/curve/curve_view.h"
#include "app/studio/views/graph/breadcrumb.h"
#include "app/studio/views/graph/graph_view.h"
#include "app/studio/views/memory/memory_view.h"
#include "app/studio/views/plan/planner_box.h"
#include "app/studio/views/plans/plans_table.h"

#include <QApplication>

namespace remat::studio {

namespace {

/// `NVIDIA GeForce RTX 3060 12 GB` without the maker and without what stands in brackets, which take up the room of
/// what tells devices apart.
QString shortTitle(const std::string &title)
{
    QString text = toQString(title);
    for (const QLatin1String maker : {QLatin1String("NVIDIA "), QLatin1String("GeForce ")})
        text.remove(maker);
    if (const qsizetype bracket = text.indexOf(QLatin1String(" (")); bracket > 0) text.truncate(bracket);
    return text;
}

} // namespace

Workspace::Workspace(QMainWindow *window, Session &session, const Commands &commands)
    : QObject(window),
      m_window(window),
      m_session(session),
      m_graph(new GraphView(&session.document)),
      m_curve(new CurveView(&session.document, &session.bound, &session.sweeps, session.pool)),
      m_memory(new MemoryView(&session.document)),
      m_leftPanel(new LeftPanel(&session.document)),
      m_planPanel(new PlanPanel(&session.document, &session.loader, &session.solver, &session.runner,
                                {commands.action(Command::Solve), commands.action(Command::Stop),
                                 commands.action(Command::Validate), commands.action(Command::SavePlan)})),
      m_center(new ViewArea(ViewArea::Heading::Tabs)),
      m_second(new ViewArea(ViewArea::Heading::Tabs)),
      m_bottomArea(new ViewArea(ViewArea::Heading::Tabs)),
      m_rightArea(new ViewArea(ViewArea::Heading::Title)),
      m_columns(new QSplitter(Qt::Horizontal)),
      m_railButtons(new IconRail)
{
    m_graph->setObjectName(QStringLiteral("graphView"));
    m_memory->setObjectName(QStringLiteral("memoryView"));
    m_center->setObjectName(QStringLiteral("centerArea"));
    m_bottomArea->setObjectName(QStringLiteral("bottomArea"));
    m_rightArea->setObjectName(QStringLiteral("rightArea"));
    addViews(commands);

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
    m_bottomArea->setMinimumHeight(220);
    m_rightArea->setMinimumWidth(300);
    m_rightArea->setMaximumWidth(440);

    bindToggle(commands.action(Command::LeftPanel), m_left);
    bindToggle(commands.action(Command::MemoryPanel), m_bottom);
    bindToggle(commands.action(Command::PlanPanel), m_right);
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

void Workspace::addViews(const Commands &commands)
{
    m_center->tabs()->setObjectName(QStringLiteral("centerTabs"));
    m_bottomArea->tabs()->setObjectName(QStringLiteral("bottomTabs"));
    m_center->setMinimumWidth(520);
    m_second->setObjectName(QStringLiteral("secondArea"));
    m_second->tabs()->setObjectName(QStringLiteral("secondTabs"));
    m_second->setMinimumWidth(520);
    m_second->hide();
    m_columns->setObjectName(QStringLiteral("centerColumns"));
    m_columns->addWidget(m_center);
    m_columns->addWidget(m_second);
    m_columns->setChildrenCollapsible(false);
    m_columns->setHandleWidth(1);
    auto *breadcrumb = new Breadcrumb;
    breadcrumb->setObjectName(QStringLiteral("breadcrumb"));
    connect(m_graph, &GraphView::pathChanged, breadcrumb, &Breadcrumb::setPath);
    connect(breadcrumb, &Breadcrumb::chosen, m_graph, &GraphView::revealPath);
    breadcrumb->setPath(m_graph->path());
    QAction *fit = commands.action(Command::Fit);
    addView(Area::Center, {QStringLiteral("graph"),
                           tr("Graph"),
                           QStringLiteral("workflow"),
                           m_graph,
                           breadcrumb,
                           m_graph->canvas(),
                           {fit}});
    addView(Area::Center, {QStringLiteral("curve"),
                           tr("Trade-off"),
                           QStringLiteral("chart-spline"),
                           m_curve,
                           nullptr,
                           m_curve->canvas(),
                           {}});
    addView(Area::Bottom, {QStringLiteral("memory"),
                           tr("Memory"),
                           QStringLiteral("chart-area"),
                           m_memory,
                           m_memory->takeHeader(),
                           m_memory->canvas(),
                           {}});
    addView(Area::Right, {QStringLiteral("plan"),
                          tr("Plan"),
                          QStringLiteral("sliders-horizontal"),
                          m_planPanel,
                          nullptr,
                          m_planPanel,
                          {}});
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

void Workspace::wireViews()
{
    Document *document = &m_session.document;
    std::vector<std::pair<QString, std::int64_t>> devices;
    for (const Device &device : m_session.loader.devices())
        if (device.name != "reference") devices.emplace_back(shortTitle(device.title), device.memoryBytes);
    m_curve->canvas()->setDevices(std::move(devices));
    connect(m_leftPanel, &LeftPanel::hierarchyChanged, m_graph, &GraphView::setHierarchy);
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
    PlannerBox *planner = m_planPanel->plannerBox();
    const QString plannerKey = QStringLiteral("planner");
    states.add(plannerKey, {[planner] { return planner->saveState(); },
                            [planner](const QJsonObject &state) { planner->restoreState(state); }});
    connect(planner, &PlannerBox::stateChanged, this,
            [&states, plannerKey](const QString &what) { states.touch(plannerKey, what); });
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

void Workspace::bindToggle(QAction *action, QDockWidget *dock)
{
    connect(action, &QAction::triggered, this, [this, dock](bool on) {
        if (m_shown) dock->setVisible(on);
        if (dock == m_left) m_leftClosedForRoom = false;
    });
    connect(dock, &QDockWidget::visibilityChanged, this, [this, action, dock] {
        if (m_shown) action->setChecked(!dock->isHidden());
    });
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
