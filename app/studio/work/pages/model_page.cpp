// SPDX-License-Identifier: Apache-2.0
#include "app/studio/work/pages/model_page.h"

#include <QFileInfo>
#include <QJsonDocument>

#include <algorithm>

namespace remat::studio {

void wakePage(ModelPage &page, OpenedModel opened)
{
    const SessionModel &file = opened.file;
    page.origin = {opened.modelPath, QString::fromStdString(file.modelTitle), opened.costs};
    page.fileTime = QFileInfo(opened.modelPath).lastModified();
    Document &document = page.document;
    document.setModel(opened.model);
    document.restorePlans(std::move(opened.plans), file.currentPlan);
    document.setBudget(file.budgetBytes);
    document.setPins(std::move(opened.pins));
    document.setCompared(file.compared);
    if (opened.selection.storage)
        document.selectStorage(opened.selection.storage);
    else if (opened.selection.op)
        document.selectOp(opened.selection.op);
    TimeWindow &time = document.time();
    time.setKind(file.axisInSteps ? AxisKind::Steps : AxisKind::Time);
    if (file.seen) time.show((*file.seen)[0], (*file.seen)[1]);
    if (file.range) time.setRange({(*file.range)[0], (*file.range)[1]});
    document.setCursor(file.cursorUs);
    page.views = QJsonDocument::fromJson(QByteArray::fromStdString(file.viewsText)).object();
    page.solver.restore(opened.solves);
    page.asleep = false;
    page.problem.clear();
    page.state = nullptr;
}

bool hasWork(const Document &document, const SolveRunner &solver)
{
    const auto &plans = document.plans();
    return !document.pins().empty() || !solver.jobs().empty() ||
           std::any_of(plans.begin(), plans.end(), [](const auto &plan) { return !plan->quick; });
}

} // namespace remat::studio
