// SPDX-License-Identifier: Apache-2.0
// What the window knows of this view.
#include "app/studio/views/addresses/address_view.h"
#include "app/studio/views/shared/view_spec.h"
#include "app/studio/work/session/session.h"

namespace remat::studio::view {

ViewSpec addresses()
{
    ViewSpec spec;
    spec.order = 60;
    spec.id = QStringLiteral("addresses");
    spec.title = ViewText::tr("Address map");
    spec.icon = QStringLiteral("map");
    spec.side = ViewSide::Bottom;
    spec.command = QStringLiteral("show.addresses");
    spec.key = Qt::ALT | Qt::Key_0;
    spec.tooltip = ViewText::tr("Shows where every storage lies in device memory, and replays the plan");
    spec.takesKeyboard = true;
    spec.features = {{ViewText::tr("Address map"),
                      ViewText::tr("Bottom, tab Address map"),
                      ViewText::tr("Where each storage lies over time, with gaps, height and replay."),
                      {}}};
    spec.make = [](const ViewHost &host) {
        Session &session = host.session;
        auto *view = new AddressView(&session.document, &session.replay, session.pool);
        return MadeView{view, view->header(), view->canvas(), {}, {}};
    };
    return spec;
}

} // namespace remat::studio::view
