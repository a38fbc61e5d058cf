// SPDX-License-Identifier: Apache-2.0
#include "app/studio/views/graph/graph_marks.h"

#include "core/views/sort_distinct.h"

#include <algorithm>
#include <cmath>

namespace remat::studio {

namespace {

constexpr std::size_t kMostArcs = 6; // the nearest ones; more would hide what they point at

bool isCard(const GraphScene &scene, int item)
{
    return item >= 0 && scene.picture.item(item).shape != ItemShape::Frame;
}

std::vector<int> readersOf(const GraphScene &scene, StorageId storage, int selectedItem)
{
    std::vector<int> items;
    if (!storage) return items;
    for (const OpId reader : scene.model->open->readers[storage.index()]) {
        const int item = itemOf(scene, reader);
        if (isCard(scene, item) && item != selectedItem) items.push_back(item);
    }
    sortDistinct(items);
    return items;
}

/// Cards of the other column that the ops of a node lead to, or come from.
std::vector<int> othersOf(const GraphScene &scene, const GraphNode &node, Side side)
{
    const Graph &graph = scene.model->graph();
    const bool forward = side == Side::Forward;
    std::vector<int> others;
    const auto add = [&](OpId op) {
        const int item = scene.picture.nearestItem(scene.tree, scene.tree.leafOf[op.index()],
                                                   forward ? Side::Backward : Side::Forward);
        if (isCard(scene, item) && scene.picture.item(item).side != side) others.push_back(item);
    };
    for (const OpId op : node.ops(side)) {
        if (forward) {
            for (const StorageId output : graph.op(op).outputs)
                for (const OpId reader : scene.model->open->readers[output.index()])
                    if (graph.op(reader).phase == Phase::Backward) add(reader);
        } else {
            for (const StorageId input : graph.op(op).inputs) {
                const OpId maker = graph.storage(input).producer;
                if (maker && graph.op(maker).phase != Phase::Backward) add(maker);
            }
        }
    }
    sortDistinct(others);
    return others;
}

std::vector<std::pair<int, int>> arcsOf(const GraphScene &scene, int selectedNode, int selectedItem)
{
    // Marks an op, or the closed card that holds it, whatever is really marked.
    const GraphItem &selected = scene.picture.item(selectedItem);
    const bool exact = selected.node == selectedNode || scene.tree.node(selectedNode).parent != selected.node;
    std::vector<int> others = othersOf(scene, scene.tree.node(exact ? selectedNode : selected.node), selected.side);
    const auto distance = [&](int item) {
        return std::abs(scene.picture.item(item).rect.center().y() - selected.rect.center().y());
    };
    std::stable_sort(others.begin(), others.end(), [&](int a, int b) { return distance(a) < distance(b); });
    if (others.size() > kMostArcs) others.resize(kMostArcs);
    const bool forward = selected.side == Side::Forward;
    std::vector<std::pair<int, int>> arcs;
    arcs.reserve(others.size());
    for (const int other : others)
        arcs.emplace_back(forward ? selectedItem : other, forward ? other : selectedItem);
    return arcs;
}

} // namespace

Side sideOf(const Graph &graph, OpId op)
{
    return graph.op(op).phase == Phase::Backward ? Side::Backward : Side::Forward;
}

int itemOf(const GraphScene &scene, OpId op)
{
    return scene.picture.nearestItem(scene.tree, scene.tree.leafOf[op.index()], sideOf(scene.model->graph(), op));
}

void markSelection(GraphMarks &marks, const GraphScene &scene, int node, Side side, StorageId storage)
{
    marks.selected = scene.picture.nearestItem(scene.tree, node, side);
    if (marks.selected < 0) return;
    marks.readers = readersOf(scene, storage, marks.selected);
    marks.arcs = arcsOf(scene, node, marks.selected);
}

void markCursor(GraphMarks &marks, const GraphScene &scene, const MemoryTimeline &timeline, double cursorUs)
{
    const auto after = std::upper_bound(timeline.startUs.begin(), timeline.startUs.end(), cursorUs);
    if (after == timeline.startUs.begin()) return;
    const auto sample = static_cast<std::size_t>(after - timeline.startUs.begin()) - 1;
    marks.running = itemOf(scene, timeline.op[sample]);
    const std::int32_t step = timeline.step[sample];
    for (const LiveRange &range : timeline.ranges) {
        if (range.firstStep > step) break; // they stand by first step
        if (range.lastStep < step) continue;
        const OpId producer = scene.model->graph().storage(range.storage).producer;
        const int item = producer ? itemOf(scene, producer) : -1;
        if (isCard(scene, item)) marks.live.push_back(item);
    }
    sortDistinct(marks.live);
}

} // namespace remat::studio
