#include "app/studio/solve_jobs/solve_jobs.h"

#include "app/studio/solve_jobs/jobs_view.h"
#include "app/studio/window/commands.h"
#include "app/studio/window/workspace.h"

#include <QMainWindow>

namespace remat::studio {

SolveJobs::SolveJobs(const FeatureHost &host) : QObject(host.window)
{
    auto *view = new JobsView(&host.session.document, &host.session.solver);
    ViewPlace place;
    place.id = QStringLiteral("jobs");
    place.title = tr("Solves");
    place.icon = QStringLiteral("activity");
    place.view = view;
    place.focus = view->table();
    host.workspace.addView(Workspace::Area::Bottom, place);

    CommandSpec spec;
    spec.id = QStringLiteral("showJobs");
    spec.section = Section::View;
    spec.text = tr("Solves");
    spec.icon = QStringLiteral("activity");
    spec.keys = {QKeySequence(Qt::CTRL | Qt::Key_J)};
    spec.tooltip = tr("Shows what is being solved and what waits");
    QAction *action = host.commands.add(spec);
    Workspace *workspace = &host.workspace;
    connect(action, &QAction::triggered, this, [workspace] { workspace->showView(QStringLiteral("jobs")); });
    Document *document = &host.session.document;
    const auto enable = [action, document] { action->setEnabled(document->model() != nullptr); };
    connect(document, &Document::modelChanged, this, enable);
    enable();
}

} // namespace remat::studio
