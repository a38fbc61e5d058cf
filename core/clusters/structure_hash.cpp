// SPDX-License-Identifier: Apache-2.0
#include "core/clusters/structure_hash.h"

#include <map>
#include <unordered_map>
#include <utility>

namespace remat {

void addOp(StructureHash &hash, const Graph &graph, const Op &op, RelativeNumbers &numbers)
{
    hash.add(op.kind);
    hash.add(static_cast<std::uint64_t>(op.phase));
    hash.add(static_cast<std::uint64_t>(op.random) * 2 + static_cast<std::uint64_t>(op.computeOnce));
    hash.add(op.workspaceBytes);
    hash.add(static_cast<std::uint64_t>(op.inputs.size()));
    bool isNew = false;
    for (const StorageId input : op.inputs) {
        hash.add(numbers(input, isNew));
        if (!isNew) continue;
        hash.add(graph.storage(input).bytes);
        hash.add(static_cast<std::uint64_t>(graph.planned(input)));
    }
    if (op.into) hash.add(numbers(op.into, isNew));
    hash.add(static_cast<std::uint64_t>(op.outputs.size()));
    for (const StorageId output : op.outputs) {
        hash.add(numbers(output, isNew));
        hash.add(graph.storage(output).bytes);
    }
}

void linkCopies(ClusterTree &tree)
{
    std::unordered_map<std::uint64_t, ClusterId> first;
    std::map<std::pair<ClusterId, std::uint64_t>, int> copies;
    for (std::size_t c = 0; c < tree.clusters.size(); ++c) {
        Cluster &cluster = tree.clusters[c];
        cluster.representative = first.try_emplace(cluster.structure, ClusterId(c)).first->second;
        ++copies[{cluster.parent, cluster.structure}];
    }
    for (Cluster &cluster : tree.clusters)
        cluster.copies = copies[{cluster.parent, cluster.structure}];
}

} // namespace remat
