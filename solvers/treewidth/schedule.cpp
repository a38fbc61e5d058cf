// SPDX-License-Identifier: Apache-2.0
#include "solvers/treewidth/schedule.h"

#include "solvers/blocks/cut_points.h"
#include "solvers/tools/translate.h"

#include <algorithm>
#include <utility>

namespace remat::separators {

namespace {

/// Per region the ops in it and in the regions inside it, ascending.
std::vector<std::vector<int>> opsOfRegions(const Dissection &dissection)
{
    std::vector<std::vector<int>> ops(dissection.regions.size());
    for (std::size_t op = 0; op < dissection.regionOfNode.size(); ++op)
        for (int region = dissection.regionOfNode[op]; region >= 0; region = dissection.regions[region].parent)
            ops[region].push_back(static_cast<int>(op));
    return ops;
}

} // namespace

OpGraph opGraph(const FlatGraph &flat, bool keepTiny)
{
    OpGraph graph;
    graph.kept = keepTiny ? chain::tinyStorages(flat) : std::vector<char>(flat.storages(), 0);
    graph.neighbours.resize(flat.ops);
    graph.bytes.assign(flat.ops, 0);
    for (int s = 0; s < flat.storages(); ++s) {
        const int made = flat.producer[s];
        if (made < 0) continue;
        if (flat.output[s] || flat.once[made]) graph.kept[s] = 1;
        if (graph.kept[s]) continue;
        graph.bytes[made] += flat.bytes[s];
        for (const int reader : flat.readers[s]) {
            graph.neighbours[made].push_back(reader);
            graph.neighbours[reader].push_back(made);
        }
    }
    for (std::vector<int> &list : graph.neighbours) {
        std::sort(list.begin(), list.end());
        list.erase(std::unique(list.begin(), list.end()), list.end());
    }
    return graph;
}

std::vector<Recompute> schedule(const FlatGraph &flat, const std::vector<char> &kept, const Dissection &dissection,
                                int patience, const SolveContext &context)
{
    const std::size_t most = mostRecomputes(flat, context);
    const std::vector<std::vector<int>> opsOf = opsOfRegions(dissection);
    const auto comesSoon = [&](const std::vector<int> &ops, int z) {
        const auto next = std::upper_bound(ops.begin(), ops.end(), z);
        return next != ops.end() && *next <= z + patience;
    };
    std::vector<Recompute> recomputes;
    std::vector<char> there(flat.storages(), 0);
    std::vector<int> work;
    for (int z = 0; z < flat.ops; ++z) {
        if (context.shouldStop()) throw TimeUp{};
        checkLength(recomputes.size(), most);
        for (const int s : flat.inputs[z])
            if (!there[s]) work.push_back(s);
        while (!work.empty()) {
            const int s = work.back();
            work.pop_back();
            if (there[s]) continue;
            const int op = flat.producer[s];
            for (const int made : flat.outputs[op])
                there[made] = 1;
            recomputes.push_back({z, op});
            work.insert(work.end(), flat.inputs[op].begin(), flat.inputs[op].end());
        }
        for (const int s : flat.outputs[z])
            there[s] = 1;
        for (int s = 0; s < flat.storages(); ++s) {
            if (!there[s] || kept[s]) continue;
            const int home = dissection.regionOfNode[flat.producer[s]];
            if (dissection.apart(home, dissection.regionOfNode[z]) && !comesSoon(opsOf[home], z) &&
                !comesSoon(flat.readers[s], z))
                there[s] = 0;
        }
    }
    tidyRecomputes(flat, recomputes);
    return recomputes;
}

std::vector<int> dearestMissing(const FlatGraph &flat, const std::vector<Recompute> &recomputes)
{
    std::vector<std::pair<double, int>> dear;
    for (std::size_t from = 0, to = 0; from < recomputes.size(); from = to) {
        double us = 0;
        for (; to < recomputes.size() && recomputes[to].slot == recomputes[from].slot; ++to)
            us += flat.timeUs[recomputes[to].op];
        const std::vector<int> &reads = flat.inputs[recomputes[from].slot];
        for (std::size_t r = from; r < to; ++r)
            for (const int s : flat.outputs[recomputes[r].op])
                if (std::find(reads.begin(), reads.end(), s) != reads.end()) dear.emplace_back(-us, s);
    }
    std::sort(dear.begin(), dear.end());
    std::vector<int> storages;
    std::vector<char> seen(flat.storages(), 0);
    for (const auto &[us, s] : dear) {
        if (!seen[s]) storages.push_back(s);
        seen[s] = 1;
    }
    return storages;
}

} // namespace remat::separators
