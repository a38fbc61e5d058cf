#include "core/bounds/bounds.h"

#include "core/bounds/needs.h"

namespace remat {

// Why it holds for every plan: each needed op is computed at least once, and while it is computed what it reads, what
// it makes and its workspace are in device memory together. At the end all outputs of the graph are. More cannot be
// asked for: an output made early may be freed and computed again, or, where it may be computed only once, wait in host
// memory. With offloads the bound is reached: all that the next op does not touch goes to the host.
PeakBound workingSetBound(const Graph &graph, const CostTable &costs)
{
    const std::vector<char> needed = needsOf(graph).op;
    PeakBound bound;
    std::int64_t outputBytes = 0;
    for (std::size_t i = 0; i < graph.ops.size(); ++i) {
        if (!needed[i]) continue;
        const Op &op = graph.ops[i];
        std::int64_t bytes = costs.workspace(OpId(i));
        for (const StorageId input : op.inputs)
            bytes += graph.planned(input) ? graph.storage(input).bytes : 0;
        for (const StorageId output : op.outputs) {
            bytes += graph.storage(output).bytes;
            outputBytes += graph.storage(output).isOutput ? graph.storage(output).bytes : 0;
        }
        if (bytes > bound.bytes || !bound.op) bound = {bytes, OpId(i)};
    }
    if (outputBytes > bound.bytes) bound = {outputBytes, {}};
    return bound;
}

} // namespace remat
