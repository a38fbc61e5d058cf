#include "app/studio/shell/features/solve_jobs.h"

#include "app/studio/base/commands/commands.h"
#include "app/studio/shell/workspace/workspace.h"
#include "app/studio/views/shared/need_model.h"
#include "app/studio/views/solves/jobs_view.h"

#include <QMainWindow>

namespace remat::studio {

SolveJobs::SolveJobs(const FeatureHost &host) : QObject(host.window)
{
    auto *view = new JobsView(&host.session.document, &host.session.solver);
    host.workspace.addView(
        Workspace::Area::Bottom,
        {QStringLiteral("jobs"), tr("Solves"), QStringLiteral("activity"), view, nullptr, view->table(), {}});
    QAction *action = host.commands.add({QStringLiteral("showJobs"),
                                         Section::View,
                                         tr("Solves"),
                                         QStringLiteral("activity"),
                                         {Qt::CTRL | Qt::Key_J},
                                         tr("Shows what is being solved and what waits")});
    Workspace *workspace = &host.workspace;
    connect(action, &QAction::triggered, this, [workspace] { workspace->showView(QStringLiteral("jobs")); });
    needModel(host.session.document, {action});
}

} // namespace remat::studio
