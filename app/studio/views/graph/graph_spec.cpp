// SPDX-License-Identifier: Apache-2.0
// What the window knows of this view.
#include "app/studio/base/commands/commands.h"
#include "app/studio/views/graph/breadcrumb.h"
#include "app/studio/views/graph/graph_commands.h"
#include "app/studio/views/graph/graph_view.h"
#include "app/studio/views/shared/view_spec.h"
#include "app/studio/work/session/session.h"

namespace remat::studio::view {

ViewSpec graph()
{
    ViewSpec spec;
    spec.order = 10;
    spec.id = QStringLiteral("graph");
    spec.title = ViewText::tr("Graph");
    spec.icon = QStringLiteral("workflow");
    spec.command = QStringLiteral("showGraph");
    spec.key = Qt::ALT | Qt::Key_4;
    spec.tooltip = ViewText::tr("Shows the graph in the centre");
    spec.make = [](const ViewHost &host) {
        auto *view = new GraphView(&host.session.document);
        new GraphCommands(host, view);
        auto *breadcrumb = new Breadcrumb;
        breadcrumb->setObjectName(QStringLiteral("breadcrumb"));
        QObject::connect(view, &GraphView::pathChanged, breadcrumb, &Breadcrumb::setPath);
        QObject::connect(breadcrumb, &Breadcrumb::chosen, view, &GraphView::revealPath);
        breadcrumb->setPath(view->path());
        QObject::connect(view, &GraphView::openRequested, host.commands.action(command::kOpen), &QAction::trigger);
        QObject::connect(view, &GraphView::stateTouched, view, host.touch);
        return MadeView{
            view,
            breadcrumb,
            view->canvas(),
            {host.commands.action(command::kFit)},
            {[view] { return view->saveState(); }, [view](const QJsonObject &state) { view->restoreState(state); }}};
    };
    return spec;
}

} // namespace remat::studio::view
