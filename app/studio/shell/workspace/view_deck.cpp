// SPDX-License-Identifier: Apache-2.0
#include "app/studio/shell/workspace/view_deck.h"

#include "app/studio/base/commands/commands.h"
#include "app/studio/shell/workspace/dock_header.h"
#include "app/studio/views/shared/plan_view.h"
#include "app/studio/work/session/session.h"

#include <QAction>

namespace remat::studio {

ViewDeck::ViewDeck(Session &session, Commands &commands, const std::function<void(const Notice &)> &say,
                   QObject *parent)
    : QObject(parent),
      m_columns(new QSplitter(Qt::Horizontal)),
      m_center(new ViewArea),
      m_second(new ViewArea),
      m_bottom(new ViewArea),
      m_right(new ViewArea)
{
    placeAreas();
    for (const ViewSpec &spec : viewSpecs()) {
        const ViewHost host = {
            session, commands, say, [this](const QString &id) { return m_views.at(id); },
            [&states = session.viewStates, id = spec.id](const QString &what) { states.touch(id, what); }};
        const MadeView made = spec.make(host);
        if (made.view->objectName().isEmpty()) made.view->setObjectName(spec.id + QStringLiteral("View"));
        m_views.emplace(spec.id, made.view);
        ViewArea *side = spec.side == ViewSide::Center ? m_center : spec.side == ViewSide::Bottom ? m_bottom : m_right;
        side->add({spec.id, spec.title, spec.icon, made.view, made.header, made.focus, made.tools});
        bind(spec, made, session, commands);
    }
    keepFronts(session.viewStates);
}

void ViewDeck::placeAreas()
{
    for (const auto &[area, name] : {std::pair{m_center, "center"}, std::pair{m_second, "second"},
                                     std::pair{m_bottom, "bottom"}, std::pair{m_right, "right"}}) {
        area->setObjectName(QLatin1String(name) + QStringLiteral("Area"));
        area->tabs()->setObjectName(QLatin1String(name) + QStringLiteral("Tabs"));
    }
    m_center->setMinimumWidth(520);
    m_second->setMinimumWidth(520);
    m_second->hide();
    m_bottom->setMinimumSize(280, 220);
    m_right->setMinimumWidth(300);
    m_right->setMaximumWidth(440);
    m_columns->setObjectName(QStringLiteral("centerColumns"));
    m_columns->addWidget(m_center);
    m_columns->addWidget(m_second);
    m_columns->setChildrenCollapsible(false);
    m_columns->setHandleWidth(1);
}

void ViewDeck::bind(const ViewSpec &spec, const MadeView &made, Session &session, const Commands &commands)
{
    if (made.keeper.save) session.viewStates.add(spec.id, made.keeper);
    if (auto *plan = qobject_cast<PlanView *>(made.view)) {
        connect(plan, &PlanView::openRequested, commands.action(command::kOpen), &QAction::trigger);
        connect(plan, &PlanView::solveRequested, commands.action(command::kSolve), &QAction::trigger);
    }
    if (spec.command.isEmpty()) return;
    QAction *show = commands.find(spec.command);
    m_actions << show;
    connect(show, &QAction::triggered, this, [this, &spec, focus = made.focus] { Q_EMIT called(spec, focus); });
}

void ViewDeck::keepFronts(ViewStates &states)
{
    for (ViewArea *area : {m_center, m_bottom, m_right}) {
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

void ViewDeck::setTwoColumns(bool two)
{
    const QString curve = QStringLiteral("curve");
    if (two == m_second->has(curve)) return;
    ViewArea *from = two ? m_center : m_second;
    ViewArea *to = two ? m_second : m_center;
    if (!from->has(curve)) return;
    to->add(from->take(curve));
    m_second->setVisible(two);
    if (two) m_columns->setSizes({60, 40});
}

} // namespace remat::studio
