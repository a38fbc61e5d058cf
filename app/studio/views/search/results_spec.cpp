// SPDX-License-Identifier: Apache-2.0
// What the window knows of this view.
#include "app/studio/views/search/results_view.h"
#include "app/studio/views/shared/view_spec.h"
#include "app/studio/work/session/session.h"

#include <QTableView>

namespace remat::studio::view {

ViewSpec results()
{
    ViewSpec spec;
    spec.order = 110;
    spec.id = QStringLiteral("results");
    spec.title = ViewText::tr("Results");
    spec.icon = QStringLiteral("list-filter");
    spec.side = ViewSide::Bottom;
    spec.make = [](const ViewHost &host) {
        Document &document = host.session.document;
        auto *search = new SearchSession(document);
        auto *view = new ResultsView(*search, document);
        search->setParent(view);
        return MadeView{view, view->header(), view->table(), {}};
    };
    return spec;
}

} // namespace remat::studio::view
