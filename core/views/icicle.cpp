// SPDX-License-Identifier: Apache-2.0
#include "core/views/icicle.h"

#include <algorithm>

namespace remat {

namespace {

struct Open {
    ClusterId cluster;
    int level;
    std::int64_t fromBytes;
};

} // namespace

std::vector<IcicleCell> icicle(const Graph &graph, const MemoryTimeline &timeline, const ClusterTree &tree,
                               std::size_t sample)
{
    if (sample >= timeline.op.size() || tree.clusters.empty()) return {};
    std::vector<std::int64_t> bytes(tree.clusters.size(), 0);
    for (const LiveRange &range : aliveAt(graph, timeline, sample)) {
        const Storage &storage = graph.storage(range.storage);
        if (!storage.producer) continue;
        for (ClusterId id = tree.clusterOf[storage.producer.index()]; id; id = tree.cluster(id).parent)
            bytes[id.index()] += storage.bytes;
    }
    std::vector<IcicleCell> cells;
    std::vector<Open> open = {{tree.root(), 0, 0}};
    while (!open.empty()) {
        const Open at = open.back();
        open.pop_back();
        const std::int64_t held = bytes[at.cluster.index()];
        if (held == 0) continue;
        const std::vector<ClusterId> &parts = tree.cluster(at.cluster).children;
        const auto all =
            std::find_if(parts.begin(), parts.end(), [&](ClusterId part) { return bytes[part.index()] == held; });
        if (at.level > 0 && all != parts.end()) {
            open.push_back({*all, at.level, at.fromBytes});
            continue;
        }
        cells.push_back({at.cluster, at.level, at.fromBytes, held});
        std::int64_t from = at.fromBytes;
        std::vector<Open> children;
        for (const ClusterId child : parts) {
            children.push_back({child, at.level + 1, from});
            from += bytes[child.index()];
        }
        open.insert(open.end(), children.rbegin(), children.rend());
    }
    return cells;
}

} // namespace remat
