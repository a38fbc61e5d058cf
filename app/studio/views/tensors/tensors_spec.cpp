// SPDX-License-Identifier: Apache-2.0
// What the window knows of this view.
#include "app/studio/views/shared/view_spec.h"
#include "app/studio/views/tensors/tensors_view.h"
#include "app/studio/work/session/session.h"

#include <QTableView>

namespace remat::studio::view {

ViewSpec tensors()
{
    ViewSpec spec;
    spec.order = 80;
    spec.id = QStringLiteral("tensors");
    spec.title = ViewText::tr("Tensors");
    spec.icon = QStringLiteral("list-filter");
    spec.side = ViewSide::Bottom;
    spec.command = QStringLiteral("show.tensors");
    spec.key = Qt::CTRL | Qt::ALT | Qt::Key_B;
    spec.tooltip = ViewText::tr("Lists what is saved for the backward pass, and why");
    spec.takesKeyboard = true;
    spec.features = {{ViewText::tr("Everything that is saved for the backward pass"),
                      ViewText::tr("Bottom, tab Tensors"),
                      ViewText::tr("Each tensor with its shape, bytes, lifetime, readers and source line; summed by "
                                   "module, block, op or type, and by module at the peak or at the cursor."),
                      {}}};
    spec.make = [](const ViewHost &host) {
        auto *view = new TensorsView(&host.session.document);
        return MadeView{view, nullptr, view->table(), {}};
    };
    return spec;
}

} // namespace remat::studio::view
