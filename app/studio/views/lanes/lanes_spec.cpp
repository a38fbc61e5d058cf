// SPDX-License-Identifier: Apache-2.0
// What the window knows of this view.
#include "app/studio/views/lanes/lanes_view.h"
#include "app/studio/views/shared/view_spec.h"
#include "app/studio/work/session/session.h"

namespace remat::studio::view {

ViewSpec lanes()
{
    ViewSpec spec;
    spec.order = 50;
    spec.id = QStringLiteral("lanes");
    spec.title = ViewText::tr("Lanes");
    spec.icon = QStringLiteral("activity");
    spec.side = ViewSide::Bottom;
    spec.command = QStringLiteral("show.lanes");
    spec.key = Qt::ALT | Qt::Key_9;
    spec.tooltip = ViewText::tr("Shows what is computed, computed again and copied over time");
    spec.takesKeyboard = true;
    spec.features = {{ViewText::tr("Lanes of compute and copies"),
                      ViewText::tr("Bottom, tab Lanes"),
                      ViewText::tr("What runs when: compute, recompute, copies out and in, and what waits."),
                      {}}};
    spec.make = [](const ViewHost &host) {
        auto *view = new LanesView(&host.session.document);
        return MadeView{view, view->header(), view->canvas(), {}};
    };
    return spec;
}

} // namespace remat::studio::view
