#include "core/bounds/needed_ops.h"

#include <algorithm>

namespace remat {

std::vector<char> neededOps(const Graph &graph)
{
    std::vector<char> needed(graph.ops.size(), 0);
    std::vector<char> wanted(graph.storages.size(), 0);
    for (std::size_t s = 0; s < wanted.size(); ++s)
        wanted[s] = graph.storages[s].isOutput ? 1 : 0;
    for (std::size_t i = graph.ops.size(); i-- > 0;) {
        const Op &op = graph.ops[i];
        if (!op.computeOnce && std::none_of(op.outputs.begin(), op.outputs.end(),
                                            [&](StorageId output) { return wanted[output.index()] != 0; }))
            continue;
        needed[i] = 1;
        for (const StorageId input : op.inputs)
            wanted[input.index()] = 1;
    }
    return needed;
}

} // namespace remat
