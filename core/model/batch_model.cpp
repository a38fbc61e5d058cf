// SPDX-License-Identifier: Apache-2.0
#include "core/model/batch_model.h"

#include "core/costs/batch_costs.h"
#include "core/plan/plan.h"

namespace remat {

Expected<OtherBatch> readOtherBatch(const CostedModel &model, const std::filesystem::path &path)
{
    if (model.open->whole) return fail("The model runs in chunks: choose the batch with its ops whole.");
    auto open = openModel(path, model.choice.device, model.open->updates);
    if (!open) return tl::unexpected(open.error());
    auto line = batchLine(model.graph(), (*open)->model->graph);
    if (!line) return tl::unexpected(line.error());
    OtherBatch other{std::move(*line), nullptr};
    if (model.choice.profile) return other;
    const auto costed = costModel(std::move(*open), model.choice);
    if (!costed) return tl::unexpected(costed.error());
    other.costs = (*costed)->costs;
    return other;
}

Expected<std::shared_ptr<const CostedModel>> modelOfBatch(const CostedModel &model, const OtherBatch &other,
                                                          std::int64_t batch)
{
    auto graph = graphOfBatch(model.graph(), other.line, batch);
    if (!graph) return tl::unexpected(graph.error());
    auto sized = std::make_shared<Model>();
    sized->path = model.open->model->path;
    sized->graph = std::move(*graph);
    auto open = std::make_shared<OpenModel>(*model.open);
    open->model = std::move(sized);
    open->traced = nullptr;

    auto result = std::make_shared<CostedModel>(model);
    result->open = std::move(open);
    result->roofline = nullptr;
    if (other.costs)
        result->costs = std::make_shared<const CostTable>(costsOfBatch(*model.costs, *other.costs, other.line, batch));
    auto keepAll = buildTimeline(result->graph(), *result->costs, keepAllPlan(result->graph()).steps);
    if (!keepAll) return tl::unexpected(keepAll.error());
    result->keepAll = std::make_shared<const MemoryTimeline>(std::move(*keepAll));
    result->floor = workingSetBound(result->graph(), *result->costs);
    result->keepAllPeakBytes = result->keepAll->peakBytes;
    result->keepAllTimeUs = keepAllTimeUs(*result->costs);
    return result;
}

} // namespace remat
