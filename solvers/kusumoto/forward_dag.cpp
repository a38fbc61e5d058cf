// SPDX-License-Identifier: Apache-2.0
#include "solvers/kusumoto/forward_dag.h"

#include "solvers/blocks/cut_points.h"

#include <algorithm>
#include <cmath>

namespace remat::kusumoto {

ForwardDag forwardDag(const FlatGraph &flat, int timeSteps)
{
    ForwardDag dag;
    dag.kept = chain::tinyStorages(flat);
    for (int s = 0; s < flat.storages(); ++s)
        if (flat.output[s] || (flat.producer[s] >= 0 && flat.once[flat.producer[s]])) dag.kept[s] = 1;
    std::vector<int> nodeOf(flat.ops, -1);
    double total = 0;
    bool whole = true;
    for (int i = 0; i < flat.forwardOps; ++i) {
        const std::vector<int> &made = flat.outputs[i];
        if (std::all_of(made.begin(), made.end(), [&](int s) { return dag.kept[s] != 0; })) continue;
        nodeOf[i] = dag.nodes();
        dag.ops.push_back(i);
        total += flat.timeUs[i];
        whole = whole && flat.timeUs[i] == std::floor(flat.timeUs[i]);
    }
    dag.reads.resize(dag.ops.size());
    dag.readers.resize(dag.ops.size());
    const double scale = (whole && total <= timeSteps) || total <= 0 ? 1 : timeSteps / total;
    for (int node = 0; node < dag.nodes(); ++node) {
        const int op = dag.ops[node];
        dag.bytes.push_back(0);
        for (const int s : flat.outputs[op])
            dag.bytes.back() += flat.bytes[s];
        dag.time.push_back(static_cast<int>(std::lround(flat.timeUs[op] * scale)));
        dag.totalTime += dag.time.back();
        std::vector<int> &reads = dag.reads[node];
        for (const int s : flat.inputs[op])
            if (!dag.kept[s] && nodeOf[flat.producer[s]] >= 0) reads.push_back(nodeOf[flat.producer[s]]);
        std::sort(reads.begin(), reads.end());
        reads.erase(std::unique(reads.begin(), reads.end()), reads.end());
        for (const int from : reads)
            dag.readers[from].push_back(node);
    }
    return dag;
}

} // namespace remat::kusumoto
