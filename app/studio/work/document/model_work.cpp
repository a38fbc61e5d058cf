// SPDX-License-Identifier: Apache-2.0
#include "app/studio/work/document/model_work.h"

#include <algorithm>

namespace remat::studio {

Selection selectionOf(const ModelWork &work, OpId op)
{
    if (!work.model || !op || op.index() >= work.model->graph().ops.size()) return {};
    const auto &outputs = work.model->graph().op(op).outputs;
    return {op, outputs.empty() ? StorageId() : outputs.front()};
}

Selection selectionOf(const ModelWork &work, StorageId storage)
{
    if (!work.model || !storage || storage.index() >= work.model->graph().storages.size()) return {};
    return {work.model->graph().storage(storage).producer, storage};
}

void setPlans(ModelWork &work, std::vector<std::shared_ptr<const PlanEntry>> plans, int currentId)
{
    work.plans = std::move(plans);
    work.current = nullptr;
    for (const auto &plan : work.plans) {
        work.nextPlanId = std::max(work.nextPlanId, plan->id + 1);
        if (plan->id == currentId && !work.current) work.current = plan;
    }
}

bool dropFromCompared(ModelWork &work)
{
    return std::erase_if(work.compared, [&work](int id) {
               return std::none_of(work.plans.begin(), work.plans.end(),
                                   [id](const auto &plan) { return plan->id == id; });
           }) > 0;
}

} // namespace remat::studio
