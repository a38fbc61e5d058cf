// SPDX-License-Identifier: Apache-2.0
#include "app/studio/views/graph/graph_scene.h"

#include <algorithm>

namespace remat::studio {

int matchesIn(const GraphScene &scene, const GraphItem &item)
{
    const auto count = [&](Side side) {
        const auto &counts = scene.matches.counts[static_cast<std::size_t>(side)];
        const auto node = static_cast<std::size_t>(item.node);
        return node < counts.size() ? counts[node] : 0;
    };
    return item.shape == ItemShape::LossCard ? count(Side::Forward) + count(Side::Backward) : count(item.side);
}

void countMatches(GraphScene &scene)
{
    for (auto &counts : scene.matches.counts)
        counts.assign(scene.tree.nodes.size(), 0);
    if (!scene.model) return;
    for (const OpId op : scene.matches.ops) {
        const bool backward = scene.model->graph().op(op).phase == Phase::Backward;
        auto &counts = scene.matches.counts[static_cast<std::size_t>(backward ? Side::Backward : Side::Forward)];
        for (int node = scene.tree.leafOf[op.index()]; node >= 0; node = scene.tree.node(node).parent)
            ++counts[static_cast<std::size_t>(node)];
    }
}

std::vector<PinState> pinStates(const GraphTree &tree, const Graph &graph, const Pins &pins)
{
    if (pins.empty()) return {};
    std::vector<PinState> states(tree.nodes.size(), PinState::None);
    const auto mark = [&](OpId op, PinState state) {
        for (int node = op ? tree.leafOf[op.index()] : -1; node >= 0; node = tree.node(node).parent) {
            PinState &known = states[static_cast<std::size_t>(node)];
            known = known == PinState::None || known == state ? state : PinState::Several;
        }
    };
    for (const StorageId storage : pins.keep)
        mark(graph.storage(storage).producer, PinState::Kept);
    for (const OpId op : pins.recompute)
        mark(op, PinState::Recomputed);
    for (const OpId op : pins.never)
        mark(op, PinState::Locked);
    return states;
}

double rampValue(const GraphScene &scene, const GraphItem &item)
{
    const auto &values = scene.overlay[static_cast<std::size_t>(item.side)];
    const auto node = static_cast<std::size_t>(item.node);
    return node < values.size() ? values[node] : 0;
}

double rampTop(const GraphScene &scene)
{
    double top = 0;
    for (const GraphItem &item : scene.picture.items)
        if (item.shape != ItemShape::Frame) top = std::max(top, rampValue(scene, item));
    return top;
}

} // namespace remat::studio
