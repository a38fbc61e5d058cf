// SPDX-License-Identifier: Apache-2.0
// What the window knows of this view.
#include "app/studio/views/fits/fits_view.h"
#include "app/studio/views/shared/view_spec.h"
#include "app/studio/work/session/session.h"

namespace remat::studio::view {

ViewSpec fits()
{
    ViewSpec spec;
    spec.order = 160;
    spec.id = QStringLiteral("fits");
    spec.title = ViewText::tr("Fits");
    spec.icon = QStringLiteral("gpu");
    spec.command = QStringLiteral("show.fits");
    spec.key = Qt::CTRL | Qt::SHIFT | Qt::Key_G;
    spec.tooltip = ViewText::tr("Will it fit? What training takes with an optimizer, and on which devices");
    spec.takesKeyboard = true;
    spec.features = {
        {ViewText::tr("Will it fit?"),
         ViewText::tr("Centre, tab Fits"),
         ViewText::tr("On which devices training fits, as it is or with a plan, and why not on others; with a "
                      "second trace also the largest batch."),
         {}}};
    spec.make = [](const ViewHost &host) {
        auto *view = new FitsView(host.session);
        return MadeView{view, nullptr, view->table(), {}};
    };
    return spec;
}

} // namespace remat::studio::view
