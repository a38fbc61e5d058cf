// SPDX-License-Identifier: Apache-2.0
#include "app/studio/work/pages/model_page.h"

#include "app/studio/work/document/lasting_plans.h"

#include <QFileInfo>
#include <QJsonDocument>

#include <algorithm>

namespace remat::studio {

void wakePage(ModelPage &page, OpenedModel opened, SolveRunner &solver)
{
    const SessionModel &file = opened.file;
    page.origin = {opened.modelPath, QString::fromStdString(file.modelTitle), opened.costs};
    page.fileTime = QFileInfo(opened.modelPath).lastModified();
    ModelWork &work = *page.work;
    work.model = opened.model;
    setPlans(work, std::move(opened.plans), file.currentPlan);
    work.budgetBytes = std::max<std::int64_t>(file.budgetBytes, 1);
    work.pins = std::move(opened.pins);
    work.compared = file.compared;
    dropFromCompared(work);
    work.selection =
        opened.selection.storage ? selectionOf(work, opened.selection.storage) : selectionOf(work, opened.selection.op);
    work.cursorUs = file.cursorUs;
    TimeAxis &time = work.time;
    time.kind = file.axisInSteps ? AxisKind::Steps : AxisKind::Time;
    fitAxis(time, work.model.get(), work.current.get(), 0, true);
    if (file.seen) time.view.show((*file.seen)[0], (*file.seen)[1]);
    if (file.range) time.range = rangeWithin(time, {(*file.range)[0], (*file.range)[1]});
    page.views = QJsonDocument::fromJson(QByteArray::fromStdString(file.viewsText)).object();
    solver.restore(page.solves, opened.solves);
    page.asleep = false;
    page.problem.clear();
    page.state = nullptr;
}

bool hasWork(const ModelPage &page)
{
    return !page.work->pins.empty() || !page.solves->jobs.empty() || countLasting(page.work->plans) > 0;
}

} // namespace remat::studio
