// SPDX-License-Identifier: Apache-2.0
#include "app/studio/views/graph/graph_overlays.h"

#include "app/studio/base/text/text.h"
#include "app/studio/views/graph/graph_text.h"

#include <algorithm>
#include <cmath>

namespace remat::studio {

namespace {

/// The first sample at or after a step; samples are the computations.
std::size_t sampleFrom(const MemoryTimeline &timeline, std::int32_t step)
{
    const auto found = std::lower_bound(timeline.step.begin(), timeline.step.end(), step);
    return static_cast<std::size_t>(found - timeline.step.begin());
}

/// First and one past the last sample of a range; equal when it holds no computation.
std::pair<std::size_t, std::size_t> samplesOf(const MemoryTimeline &timeline, const LiveRange &range)
{
    return {sampleFrom(timeline, range.firstStep), sampleFrom(timeline, range.lastStep + 1)};
}

/// Figures of single ops, brought to every node above: sums, or the largest.
Overlay spread(const GraphTree &tree, const Graph &graph, const std::vector<double> &ofOps, bool sum)
{
    Overlay overlay;
    for (auto &side : overlay)
        side.assign(tree.nodes.size(), 0);
    for (std::size_t i = 0; i < graph.ops.size(); ++i) {
        auto &side = overlay[graph.ops[i].phase == Phase::Backward ? 1 : 0];
        for (int node = tree.leafOf[i]; node >= 0; node = tree.node(node).parent) {
            double &value = side[static_cast<std::size_t>(node)];
            value = sum ? value + ofOps[i] : std::max(value, ofOps[i]);
        }
    }
    return overlay;
}

/// Per op, the most of what it makes.
std::vector<double> ofMakers(const Graph &graph, const std::vector<double> &ofStorages)
{
    std::vector<double> values(graph.ops.size(), 0);
    for (std::size_t i = 0; i < graph.ops.size(); ++i)
        for (const StorageId output : graph.ops[i].outputs)
            values[i] = std::max(values[i], ofStorages[output.index()]);
    return values;
}

/// Compares the times of all ops below a node, measured against predicted.
Overlay timeErrors(const GraphTree &tree, const CostedModel &model)
{
    const Graph &graph = model.graph();
    Overlay measured = spread(tree, graph, model.costs->timeUs, true);
    if (!model.roofline) return spread(tree, graph, std::vector<double>(graph.ops.size(), 0), true);
    const Overlay predicted = spread(tree, graph, model.roofline->timeUs, true);
    for (std::size_t side = 0; side < measured.size(); ++side)
        for (std::size_t node = 0; node < measured[side].size(); ++node) {
            const double expected = predicted[side][node];
            measured[side][node] = expected > 0 ? std::abs(measured[side][node] / expected - 1) : 0;
        }
    return measured;
}

} // namespace

const std::vector<ColourBy> &colourChoices()
{
    static const std::vector<ColourBy> choices = {ColourBy::PlanState, ColourBy::Bytes,      ColourBy::Time,
                                                  ColourBy::TimeError, ColourBy::Recomputes, ColourBy::Lifetime,
                                                  ColourBy::Wait};
    return choices;
}

QString colourName(ColourBy by)
{
    switch (by) {
    case ColourBy::PlanState:
        return GraphText::tr("Plan state");
    case ColourBy::Bytes:
        return GraphText::tr("Bytes");
    case ColourBy::Time:
        return GraphText::tr("Time");
    case ColourBy::Recomputes:
        return GraphText::tr("Recomputes");
    case ColourBy::Lifetime:
        return GraphText::tr("Lifetime");
    case ColourBy::Wait:
        return GraphText::tr("Idle time");
    case ColourBy::TimeError:
        return GraphText::tr("Time error");
    }
    return {};
}

bool overlayKnown(ColourBy by, const CostedModel &model)
{
    return by != ColourBy::TimeError || model.roofline;
}

QString overlayText(ColourBy by, double value)
{
    if (by == ColourBy::Bytes) return bytesText(static_cast<std::int64_t>(value));
    if (by == ColourBy::TimeError) return shareText(value);
    if (by == ColourBy::Recomputes) return countText(std::llround(value));
    return timeText(value);
}

std::vector<double> lifetimesUs(const Graph &graph, const MemoryTimeline &timeline)
{
    std::vector<double> lifetimes(graph.storages.size(), 0);
    for (const LiveRange &range : timeline.ranges) {
        const auto [from, to] = samplesOf(timeline, range);
        if (from >= to) continue;
        double &lifetime = lifetimes[range.storage.index()];
        lifetime = std::max(lifetime, timeline.endUs[to - 1] - timeline.startUs[from]);
    }
    return lifetimes;
}

std::vector<double> waitsUs(const Graph &graph, const MemoryTimeline &timeline)
{
    // Samples at which each storage is made or read, ascending.
    std::vector<std::vector<std::uint32_t>> uses(graph.storages.size());
    for (std::size_t sample = 0; sample < timeline.op.size(); ++sample) {
        const Op &op = graph.op(timeline.op[sample]);
        for (const auto *list : {&op.outputs, &op.inputs})
            for (const StorageId storage : *list)
                uses[storage.index()].push_back(static_cast<std::uint32_t>(sample));
    }
    std::vector<double> waits(graph.storages.size(), 0);
    for (const LiveRange &range : timeline.ranges) {
        const auto [from, to] = samplesOf(timeline, range);
        const auto &all = uses[range.storage.index()];
        double &wait = waits[range.storage.index()];
        auto use = std::lower_bound(all.begin(), all.end(), from);
        for (auto before = use; use != all.end() && *use < to; before = use++)
            if (use != before) wait = std::max(wait, timeline.startUs[*use] - timeline.endUs[*before]);
    }
    return waits;
}

Overlay overlayOf(ColourBy by, const GraphTree &tree, const CostedModel &model, const GraphFigures &figures,
                  const MemoryTimeline &timeline)
{
    const Graph &graph = model.graph();
    Overlay overlay;
    switch (by) {
    case ColourBy::PlanState:
        break;
    case ColourBy::Bytes:
    case ColourBy::Time:
        for (const Side column : {Side::Forward, Side::Backward})
            for (const NodeFigures &node : figures.nodes) {
                const SideFigures &side = node.side(column);
                const auto bytes = static_cast<double>(side.bytes + side.recomputedBytes + side.offloadedBytes);
                overlay[static_cast<std::size_t>(column)].push_back(by == ColourBy::Bytes ? bytes : side.timeUs);
            }
        break;
    case ColourBy::Recomputes:
        return spread(tree, graph, {figures.recomputations.begin(), figures.recomputations.end()}, true);
    case ColourBy::Lifetime:
        return spread(tree, graph, ofMakers(graph, lifetimesUs(graph, timeline)), false);
    case ColourBy::Wait:
        return spread(tree, graph, ofMakers(graph, waitsUs(graph, timeline)), false);
    case ColourBy::TimeError:
        return timeErrors(tree, model);
    }
    return overlay;
}

} // namespace remat::studio
