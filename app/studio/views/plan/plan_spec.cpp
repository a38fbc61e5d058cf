// SPDX-License-Identifier: Apache-2.0
// What the window knows of this view.
#include "app/studio/base/commands/commands.h"
#include "app/studio/views/plan/plan_panel.h"
#include "app/studio/views/plan/planner_box.h"
#include "app/studio/views/shared/view_spec.h"
#include "app/studio/work/session/session.h"

namespace remat::studio::view {

ViewSpec plan()
{
    ViewSpec spec;
    spec.order = 40;
    spec.id = QStringLiteral("plan");
    spec.title = ViewText::tr("Plan");
    spec.icon = QStringLiteral("sliders-horizontal");
    spec.side = ViewSide::Right;
    spec.make = [](const ViewHost &host) {
        Session &session = host.session;
        const Commands &commands = host.commands;
        auto *view = new PlanPanel(session, {commands.action(command::kSolve), commands.action(command::kStop),
                                             commands.action(command::kValidate), commands.action(command::kSavePlan),
                                             commands.action(command::kTrain)});
        // Only the planner is kept: the rest of the panel is the document's.
        PlannerBox *planner = view->plannerBox();
        const QString key = QStringLiteral("planner");
        session.viewStates.add(key, {[planner] { return planner->saveState(); },
                                     [planner](const QJsonObject &state) { planner->restoreState(state); },
                                     ViewStates::Part::Setting});
        QObject::connect(planner, &PlannerBox::stateChanged, view,
                         [&states = session.viewStates, key](const QString &what) { states.touch(key, what); });
        return MadeView{view, nullptr, view, {}};
    };
    return spec;
}

} // namespace remat::studio::view
