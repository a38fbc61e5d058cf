// SPDX-License-Identifier: Apache-2.0
// What the window knows of this view.
#include "app/studio/base/commands/commands.h"
#include "app/studio/views/matrix/matrix_view.h"
#include "app/studio/views/shared/view_spec.h"
#include "app/studio/work/session/session.h"

namespace remat::studio::view {

ViewSpec matrix()
{
    ViewSpec spec;
    spec.order = 70;
    spec.id = QStringLiteral("matrix");
    spec.title = ViewText::tr("R/S matrix");
    spec.icon = QStringLiteral("grid-3x3");
    spec.command = QStringLiteral("show.matrix");
    spec.key = Qt::ALT | Qt::Key_6;
    spec.tooltip = ViewText::tr("Shows in the centre what is computed and kept from op to op");
    spec.takesKeyboard = true;
    spec.features = {{ViewText::tr("R/S matrix"),
                      ViewText::tr("Centre, tab R/S matrix"),
                      ViewText::tr("What is computed and what is kept at each step, as papers draw it."),
                      {}}};
    spec.make = [](const ViewHost &host) {
        auto *view = new MatrixView(&host.session.document);
        QObject::connect(view, &MatrixView::columnsChanged, view, [touch = host.touch, view] {
            touch(view->canvas()->forwardOnly() ? ViewText::tr("Matrix of forward ops")
                                                : ViewText::tr("Matrix of all ops"));
        });
        const QString forward = QStringLiteral("forwardOnly");
        return MadeView{view,
                        view->header(),
                        view->canvas(),
                        {host.commands.action(command::kFit)},
                        {[view, forward] {
                             return QJsonObject{{forward, view->canvas()->forwardOnly()}};
                         },
                         [view, forward](const QJsonObject &state) {
                             view->columnsChoice()->setCurrent(state[forward].toBool() ? 1 : 0);
                         }}};
    };
    return spec;
}

} // namespace remat::studio::view
