// SPDX-License-Identifier: Apache-2.0
// What the window knows of this view.
#include "app/studio/views/shared/view_spec.h"
#include "app/studio/views/source/source_view.h"
#include "app/studio/work/session/session.h"

#include <QTableView>

namespace remat::studio::view {

ViewSpec source()
{
    ViewSpec spec;
    spec.order = 145;
    spec.id = QStringLiteral("source");
    spec.title = ViewText::tr("Source");
    spec.icon = QStringLiteral("file-code");
    spec.side = ViewSide::Right;
    spec.command = QStringLiteral("show.source");
    spec.key = Qt::CTRL | Qt::ALT | Qt::Key_Y;
    spec.tooltip = ViewText::tr("Shows the calls of Python that the selection comes from, line by line");
    spec.features = {{ViewText::tr("Lines of Python"),
                      ViewText::tr("Right, Source"),
                      ViewText::tr("Every call that the selected op, storage or module comes from, with file, line and "
                                   "code."),
                      {}}};
    spec.make = [](const ViewHost &host) {
        auto *view = new SourceView(&host.session.document, host.session.pool);
        return MadeView{view, nullptr, view->table(), {}};
    };
    return spec;
}

} // namespace remat::studio::view
