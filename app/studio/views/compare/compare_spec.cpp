// SPDX-License-Identifier: Apache-2.0
// What the window knows of this view.
#include "app/studio/base/commands/commands.h"
#include "app/studio/views/compare/compare_view.h"
#include "app/studio/views/compare/comparing.h"
#include "app/studio/views/shared/view_spec.h"
#include "app/studio/work/session/session.h"

namespace remat::studio::view {

ViewSpec compare()
{
    ViewSpec spec;
    spec.order = 90;
    spec.id = QStringLiteral("compare");
    spec.title = ViewText::tr("Compare");
    spec.icon = QStringLiteral("git-compare");
    spec.command = QStringLiteral("showCompare");
    spec.key = Qt::ALT | Qt::Key_7;
    spec.tooltip = ViewText::tr("Lays plans over each other in the centre");
    spec.with = {QStringLiteral("summary")};
    spec.features = {{ViewText::tr("Compare plans"),
                      ViewText::tr("Centre, tab Compare"),
                      ViewText::tr("Two to four plans over each other, with every difference in a table."),
                      {}}};
    spec.make = [](const ViewHost &host) {
        auto *view = new CompareView(&host.session.document);
        new Comparing(host, view);
        QObject::connect(view, &CompareView::touched, view, host.touch);
        return MadeView{
            view,
            view->header(),
            view->canvas(),
            {},
            {[view] { return view->saveState(); }, [view](const QJsonObject &state) { view->restoreState(state); }}};
    };
    return spec;
}

} // namespace remat::studio::view
