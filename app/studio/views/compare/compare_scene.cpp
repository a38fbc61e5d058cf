// SPDX-License-Identifier: Apache-2.0
#include "app/studio/views/compare/compare_scene.h"

#include <algorithm>

namespace remat::studio {

namespace {

constexpr double kRoomAbove = 1.08;

std::shared_ptr<const PlanEntry> planOf(const Document &document, int id)
{
    for (const auto &plan : document.plans())
        if (plan->id == id) return plan;
    return nullptr;
}

} // namespace

double CompareScene::topBytes() const
{
    std::int64_t top = model ? model->keepAllPeakBytes : 1;
    for (const ComparedPlan &plan : plans)
        top = std::max(top, plan.timeline().peakBytes);
    return std::max(1.0, kRoomAbove * static_cast<double>(top));
}

std::int64_t CompareScene::heldAt(std::size_t plan, double position) const
{
    const std::vector<double> &edges = plans[plan].edges;
    if (edges.size() < 2 || position < edges.front() || position > edges.back()) return 0;
    const auto next = std::upper_bound(edges.begin(), edges.end() - 1, position);
    const auto sample = std::max<std::ptrdiff_t>(next - edges.begin() - 1, 0);
    const std::vector<std::int64_t> &bytes = plans[plan].timeline().totalBytes;
    return bytes[std::min(static_cast<std::size_t>(sample), bytes.size() - 1)];
}

std::vector<Span> CompareScene::spansOf(std::size_t plan, StorageId storage) const
{
    std::vector<Span> spans;
    const MemoryTimeline &line = plans[plan].timeline();
    const std::vector<double> &edges = plans[plan].edges;
    for (const LiveRange &range : line.ranges) {
        if (range.storage != storage || range.category == Category::Offloaded) continue;
        const auto first = std::lower_bound(line.step.begin(), line.step.end(), range.firstStep);
        const auto last = std::upper_bound(line.step.begin(), line.step.end(), range.lastStep);
        if (first >= last) continue;
        const Span span{edges[static_cast<std::size_t>(first - line.step.begin())],
                        edges[static_cast<std::size_t>(last - line.step.begin())]};
        if (!spans.empty() && span.from <= spans.back().to)
            spans.back().to = std::max(spans.back().to, span.to);
        else
            spans.push_back(span);
    }
    return spans;
}

CompareScene makeCompareScene(const Document &document, CompareAxis kind, std::size_t other)
{
    CompareScene scene;
    scene.model = document.model();
    scene.kind = kind;
    scene.cursorUs = document.cursorUs();
    scene.selection = document.selection();
    if (!scene.model) return scene;
    for (const int id : document.compared())
        if (auto plan = planOf(document, id); plan && !plan->timeline->op.empty())
            scene.plans.push_back({std::move(plan), {}});
    if (!scene.ready()) return scene;
    scene.other = std::clamp<std::size_t>(other, 1, scene.plans.size() - 1);

    const MemoryTimeline &first = scene.plans.front().timeline();
    const AxisKind own = kind == CompareAxis::Time ? AxisKind::Time : AxisKind::Steps;
    scene.axis = SampleAxis(first, own);
    for (std::size_t i = 0; i < scene.plans.size(); ++i) {
        ComparedPlan &plan = scene.plans[i];
        plan.edges = kind == CompareAxis::Aligned && i > 0 ? alignedEdges(plan.timeline(), first, scene.axis.edges())
                                                           : SampleAxis(plan.timeline(), own).edges();
    }
    const MemoryTimeline &keepAll = *scene.model->keepAll;
    scene.keepAllEdges =
        own == AxisKind::Time ? SampleAxis(keepAll, own).edges() : alignedEdges(keepAll, first, scene.axis.edges());
    const ComparedPlan &second = scene.plans[scene.other];
    scene.difference =
        differenceOf(scene.plans.front().edges, first.totalBytes, second.edges, second.timeline().totalBytes);
    const Graph &graph = scene.model->graph();
    const auto backward =
        std::find_if(first.op.begin(), first.op.end(), [&](OpId op) { return graph.op(op).phase == Phase::Backward; });
    scene.backwardFrom = scene.axis.edges()[static_cast<std::size_t>(backward - first.op.begin())];
    return scene;
}

} // namespace remat::studio
