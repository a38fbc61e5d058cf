// SPDX-License-Identifier: Apache-2.0
// What the window knows of this view.
#include "app/studio/views/decisions/decisions_box.h"
#include "app/studio/views/shared/view_spec.h"
#include "app/studio/work/session/session.h"

namespace remat::studio::view {

ViewSpec decisions()
{
    ViewSpec spec;
    spec.order = 130;
    spec.id = QStringLiteral("decisions");
    spec.title = ViewText::tr("Decisions");
    spec.icon = QStringLiteral("pin");
    spec.side = ViewSide::Right;
    spec.command = QStringLiteral("showDecisions");
    spec.key = Qt::CTRL | Qt::SHIFT | Qt::Key_D;
    spec.tooltip = ViewText::tr("Lists what you decided by hand, to look at it or to take it back");
    spec.make = [](const ViewHost &host) {
        auto *view = new DecisionsBox(&host.session.document);
        return MadeView{view, nullptr, view->table(), {}};
    };
    return spec;
}

} // namespace remat::studio::view
