// SPDX-License-Identifier: Apache-2.0
#include "core/model/open_model.h"

#include "core/chunk/chunk_clusters.h"
#include "core/chunk/rewrite.h"
#include "core/costs/update_costs.h"

#include <utility>

namespace remat {

namespace {

/// Adds the updates of the graph that is open; a profile is of the model as it was read.
CostTable withUpdateCosts(const OpenModel &open, CostTable costs, const Device &device)
{
    return open.traced ? costsWithMore(open.traced->graph, costs, open.model->graph, device) : std::move(costs);
}

} // namespace

Expected<std::shared_ptr<const OpenModel>> openModel(const std::filesystem::path &path, const Device &device,
                                                     const Updates &updates)
{
    auto model = readModel(path);
    if (!model) return tl::unexpected(model.error());
    return openModel(std::move(*model), path.filename().string(), device, updates);
}

Expected<std::shared_ptr<const OpenModel>> openModel(Model model, const std::string &name, const Device &device,
                                                     const Updates &updates)
{
    if (model.graph.ops.empty()) return fail(name + " holds a graph without ops. Open another.");
    auto open = std::make_shared<OpenModel>();
    auto shared = std::make_shared<const Model>(std::move(model));
    const CostTable costs = rooflineCosts(*shared, device);
    if (updates.given()) {
        Expected<Graph> updated = withUpdates(*shared, updates);
        if (!updated) return tl::unexpected(updated.error());
        open->updates = updates;
        open->traced = std::exchange(
            shared, std::make_shared<const Model>(Model{shared->path, std::move(*updated), std::nullopt}));
    }
    open->model = shared;
    open->modules = moduleTree(shared->graph);
    open->partition = blockPartition(shared->graph, withUpdateCosts(*open, costs, device).timeUs, PartitionSizes{});
    open->readers = readersOf(shared->graph);
    return open;
}

Expected<std::shared_ptr<const OpenModel>> openInChunks(const std::shared_ptr<const OpenModel> &whole,
                                                        const Chunking &chunking, const Device &device)
{
    auto chunked = chunkedModel(whole->asRead(), chunking);
    if (!chunked) return tl::unexpected(chunked.error());
    chunked->eager = whole->asRead().eager; // pieces compute what their graph computes
    auto opened = openModel(std::move(*chunked), whole->model->graph.name, device, whole->updates);
    if (!opened) return tl::unexpected(opened.error());
    auto result = std::make_shared<OpenModel>(**opened);
    result->from = {chunking, whole->model->graph.fingerprint};
    result->whole = whole;
    result->modules = chunkClusters(result->modules, result->model->graph, chunking);
    return result;
}

Expected<std::shared_ptr<const CostedModel>> costModel(std::shared_ptr<const OpenModel> open, const CostChoice &choice)
{
    auto result = std::make_shared<CostedModel>();
    const Graph &graph = open->model->graph;
    const auto roofline = [&] {
        return withUpdateCosts(*open, rooflineCosts(open->asRead(), choice.device), choice.device);
    };
    if (choice.profile) {
        auto costs = profileCosts(open->asRead().graph, *choice.profile, choice.device);
        if (!costs) return tl::unexpected(costs.error());
        result->costs = std::make_shared<const CostTable>(withUpdateCosts(*open, std::move(*costs), choice.device));
        result->costTitle = choice.profileTitle;
        result->roofline = std::make_shared<const CostTable>(roofline());
    } else {
        result->costs = std::make_shared<const CostTable>(roofline());
        result->costTitle = choice.device.title;
        result->deviceMemoryBytes = choice.device.memoryBytes;
    }
    result->choice = choice;
    auto keepAll = buildTimeline(graph, *result->costs, keepAllPlan(graph).steps);
    if (!keepAll) return tl::unexpected(keepAll.error());
    result->keepAll = std::make_shared<const MemoryTimeline>(std::move(*keepAll));
    result->floor = workingSetBound(graph, *result->costs);
    result->keepAllPeakBytes = result->keepAll->peakBytes;
    result->keepAllTimeUs = keepAllTimeUs(*result->costs);
    if (open->whole) {
        CostChoice ofDevice{choice.device, nullptr, {}}; // a profile of pieces knows nothing of whole ops
        const auto whole = costModel(open->whole, ofDevice);
        if (!whole) return tl::unexpected(whole.error());
        result->keepAllPeakBytes = (*whole)->keepAllPeakBytes;
        if (!choice.profile) result->keepAllTimeUs = (*whole)->keepAllTimeUs;
    }
    result->open = std::move(open);
    return result;
}

} // namespace remat
