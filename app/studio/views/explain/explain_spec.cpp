// SPDX-License-Identifier: Apache-2.0
// What the window knows of this view.
#include "app/studio/views/explain/explain_view.h"
#include "app/studio/views/shared/view_spec.h"
#include "app/studio/work/session/session.h"

namespace remat::studio::view {

ViewSpec explain()
{
    ViewSpec spec;
    spec.order = 120;
    spec.id = QStringLiteral("explain");
    spec.title = ViewText::tr("Explain");
    spec.icon = QStringLiteral("lightbulb");
    spec.side = ViewSide::Right;
    spec.command = QStringLiteral("showExplain");
    spec.key = Qt::CTRL | Qt::Key_I;
    spec.tooltip = ViewText::tr(
        "Says what makes the peak, why the plan is not faster, and why the selection is kept or computed again");
    spec.features = {{ViewText::tr("Why it is so"),
                      ViewText::tr("Right, Explain"),
                      ViewText::tr("What makes the peak, why the plan is not faster, what more memory buys; why an op "
                                   "is computed again, kept or offloaded, and what becomes of a cluster."),
                      {}}};
    spec.make = [](const ViewHost &host) {
        Session &session = host.session;
        auto *explainer = new Explainer(session.document, session.pool);
        auto *view = new ExplainView(&session.document, explainer);
        explainer->setParent(view);
        const auto tellFloor = [explainer, &session] { explainer->setLeastInChunks(session.chunks.leastBytes()); };
        QObject::connect(&session.chunks, &ChunkOutlook::changed, explainer, tellFloor);
        tellFloor();
        return MadeView{view, nullptr, view->holders(), {}};
    };
    return spec;
}

} // namespace remat::studio::view
