// SPDX-License-Identifier: Apache-2.0
// What the window knows of this view.
#include "app/studio/base/commands/commands.h"
#include "app/studio/views/compare/compare_view.h"
#include "app/studio/views/compare/summary_view.h"
#include "app/studio/views/shared/view_spec.h"
#include "app/studio/work/session/session.h"

namespace remat::studio::view {

ViewSpec summary()
{
    ViewSpec spec;
    spec.order = 100;
    spec.id = QStringLiteral("summary");
    spec.title = ViewText::tr("Summary");
    spec.icon = QStringLiteral("git-compare");
    spec.side = ViewSide::Right;
    spec.command = QStringLiteral("showSummary");
    spec.key = Qt::CTRL | Qt::SHIFT | Qt::Key_I;
    spec.tooltip = ViewText::tr("Says which of two plans is better, and by how much");
    spec.make = [](const ViewHost &host) {
        auto *compare = static_cast<CompareView *>(host.view(QStringLiteral("compare")));
        auto *view = new SummaryView(&host.session.document, compare);
        // Features that come later may bring a report.
        QMetaObject::invokeMethod(
            view,
            [view, &commands = host.commands] {
                if (QAction *report = commands.find(QStringLiteral("report"))) view->addAction(report);
            },
            Qt::QueuedConnection);
        return MadeView{view, nullptr, view, {}};
    };
    return spec;
}

} // namespace remat::studio::view
