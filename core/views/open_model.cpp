#include "core/views/open_model.h"

namespace remat {

Expected<std::shared_ptr<const OpenModel>> openModel(const std::filesystem::path &path, const Device &device)
{
    auto model = readModel(path);
    if (!model) return tl::unexpected(model.error());
    if (model->graph.ops.empty()) return fail(path.filename().string() + " holds a graph without ops. Open another.");
    auto open = std::make_shared<OpenModel>();
    const auto shared = std::make_shared<const Model>(std::move(*model));
    open->model = shared;
    open->modules = moduleTree(shared->graph);
    open->partition = blockPartition(shared->graph, rooflineCosts(*shared, device).timeUs, PartitionSizes{});
    open->readers = readersOf(shared->graph);
    return open;
}

Expected<std::shared_ptr<const CostedModel>> costModel(std::shared_ptr<const OpenModel> open, const CostChoice &choice)
{
    auto result = std::make_shared<CostedModel>();
    const Graph &graph = open->model->graph;
    if (choice.profile) {
        auto costs = profileCosts(graph, *choice.profile, choice.device);
        if (!costs) return tl::unexpected(costs.error());
        result->costs = std::make_shared<const CostTable>(std::move(*costs));
        result->costTitle = choice.profileTitle;
        result->roofline = std::make_shared<const CostTable>(rooflineCosts(*open->model, choice.device));
    } else {
        result->costs = std::make_shared<const CostTable>(rooflineCosts(*open->model, choice.device));
        result->costTitle = choice.device.title;
        result->deviceMemoryBytes = choice.device.memoryBytes;
    }
    auto keepAll = buildTimeline(graph, *result->costs, keepAllPlan(graph).steps);
    if (!keepAll) return tl::unexpected(keepAll.error());
    result->keepAll = std::make_shared<const MemoryTimeline>(std::move(*keepAll));
    result->floor = workingSetBound(graph, *result->costs);
    result->keepAllTimeUs = keepAllTimeUs(*result->costs);
    result->open = std::move(open);
    return result;
}

} // namespace remat
