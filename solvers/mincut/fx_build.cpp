// SPDX-License-Identifier: Apache-2.0
#include "solvers/mincut/fx_build.h"

#include <algorithm>

namespace remat::mincut {

namespace {

/// Leaves out what nobody reads, again and again.
void removeDeadCode(FxGraph &graph, Ends &ends)
{
    const int count = static_cast<int>(graph.nodes.size());
    std::vector<int> readers(count, 0);
    for (int i = 0; i < count; ++i)
        readers[i] = static_cast<int>(graph.nodes[i].users.size());
    std::vector<int> place(count, 0);
    for (int i = count; i-- > 0;) {
        const FxNode &node = graph.nodes[i];
        const bool stays =
            readers[i] > 0 || node.sideEffects || node.kind == FxKind::Placeholder || node.kind == FxKind::Output;
        place[i] = stays ? 0 : -1;
        if (stays) continue;
        for (const int argument : node.arguments)
            --readers[argument];
    }
    int kept = 0;
    for (int i = 0; i < count; ++i)
        if (place[i] == 0) place[i] = kept++;
    const auto renumber = [&](std::vector<int> &list) {
        std::erase_if(list, [&](int i) { return place[i] < 0; });
        for (int &i : list)
            i = place[i];
    };
    for (int i = 0; i < count; ++i) {
        if (place[i] < 0) continue;
        FxNode node = std::move(graph.nodes[i]);
        renumber(node.arguments);
        renumber(node.positional);
        renumber(node.users);
        graph.nodes[place[i]] = std::move(node);
    }
    graph.nodes.resize(kept);
    renumber(graph.primals);
    renumber(ends.forward);
    renumber(ends.backward);
}

void markBackward(FxGraph &graph, const Ends &ends)
{
    for (FxNode &node : graph.nodes) {
        if (node.mustBeInBackward) node.gradientClosure = true;
        if (!node.gradientClosure) continue;
        for (const int user : node.users)
            graph.nodes[user].gradientClosure = true;
    }
    for (FxNode &node : graph.nodes)
        node.requiredBackward = node.gradientClosure;
    for (const int end : ends.backward)
        graph.nodes[end].requiredBackward = true;
}

/// What can be computed from the primals alone and is read on the way to the forward outputs.
void markForward(FxGraph &graph, const Ends &ends)
{
    const int count = static_cast<int>(graph.nodes.size());
    std::vector<char> possible(count, 0), wanted(count, 0);
    for (int i = 0; i < count; ++i) {
        const FxNode &node = graph.nodes[i];
        if (node.kind == FxKind::Output || node.mustBeInBackward) continue;
        possible[i] = node.kind == FxKind::Placeholder
                          ? node.primal
                          : std::all_of(node.arguments.begin(), node.arguments.end(),
                                        [&](int argument) { return possible[argument] != 0; });
    }
    for (const int end : ends.forward)
        wanted[end] = 1;
    for (int i = count; i-- > 0;) {
        FxNode &node = graph.nodes[i];
        if (!possible[i] || (!wanted[i] && !node.sideEffects && !node.primal)) continue;
        node.requiredForward = true;
        for (const int argument : node.arguments)
            wanted[argument] = 1;
    }
    int order = 0;
    for (FxNode &node : graph.nodes)
        if (node.requiredForward) node.forwardOrder = order++;
    for (int i = count; i-- > 0;) {
        FxNode &node = graph.nodes[i];
        node.distance = node.kind == FxKind::Output || node.requiredForward ? kFarFromBackward : 0;
        if (!node.requiredForward) continue;
        for (const int user : node.users)
            node.distance = std::min(node.distance, graph.nodes[user].distance + 1);
    }
}

} // namespace

void connect(FxGraph &graph, int from, int to)
{
    std::vector<int> &arguments = graph.nodes[to].arguments;
    if (std::find(arguments.begin(), arguments.end(), from) != arguments.end()) return;
    arguments.push_back(from);
    graph.nodes[from].users.push_back(to);
}

int addNode(FxGraph &graph, FxNode node)
{
    graph.nodes.push_back(std::move(node));
    return static_cast<int>(graph.nodes.size()) - 1;
}

FxGraph finish(FxGraph graph, Ends ends)
{
    FxNode output;
    output.kind = FxKind::Output;
    const int end = addNode(graph, output);
    for (const int i : ends.forward)
        connect(graph, i, end);
    for (const int i : ends.backward)
        connect(graph, i, end);
    removeDeadCode(graph, ends);
    markBackward(graph, ends);
    markForward(graph, ends);
    return graph;
}

} // namespace remat::mincut
