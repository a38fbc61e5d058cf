// SPDX-License-Identifier: Apache-2.0
// What the window knows of this view.
#include "app/studio/views/shared/view_spec.h"
#include "app/studio/views/solves/jobs_view.h"
#include "app/studio/work/session/session.h"

namespace remat::studio::view {

ViewSpec solves()
{
    ViewSpec spec;
    spec.order = 150;
    spec.id = QStringLiteral("jobs");
    spec.title = ViewText::tr("Solves");
    spec.icon = QStringLiteral("activity");
    spec.side = ViewSide::Bottom;
    spec.command = QStringLiteral("showJobs");
    spec.key = Qt::CTRL | Qt::Key_J;
    spec.tooltip = ViewText::tr("Shows what is being solved and what waits");
    spec.features = {{ViewText::tr("Queue of solves"),
                      ViewText::tr("Bottom, tab Solves"),
                      ViewText::tr("What waits, what runs, and how each one ended."),
                      {}}};
    spec.make = [](const ViewHost &host) {
        auto *view = new JobsView(&host.session.document, &host.session.solver);
        return MadeView{view, nullptr, view->table(), {}};
    };
    return spec;
}

} // namespace remat::studio::view
