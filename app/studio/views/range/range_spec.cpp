// SPDX-License-Identifier: Apache-2.0
// What the window knows of this view.
#include "app/studio/views/range/range_view.h"
#include "app/studio/views/shared/view_spec.h"
#include "app/studio/work/session/session.h"

#include <QTableView>

namespace remat::studio::view {

ViewSpec range()
{
    ViewSpec spec;
    spec.order = 140;
    spec.id = QStringLiteral("range");
    spec.title = ViewText::tr("Range");
    spec.icon = QStringLiteral("ruler");
    spec.side = ViewSide::Right;
    spec.command = QStringLiteral("show.range");
    spec.key = Qt::CTRL | Qt::ALT | Qt::Key_G;
    spec.tooltip = ViewText::tr("Sums of the chosen stretch of time: what came, what went, what took how long");
    spec.features = {{ViewText::tr("Sums of a stretch of time"),
                      ViewText::tr("Right, Range; Shift+drag in Memory or Lanes"),
                      ViewText::tr("Bytes that came and went, time and recomputation by block, module, op, type or "
                                   "category, and each storage that came or went."),
                      {}}};
    spec.make = [](const ViewHost &host) {
        auto *view = new RangeView(&host.session.document);
        return MadeView{view, nullptr, view->table(), {}};
    };
    return spec;
}

} // namespace remat::studio::view
