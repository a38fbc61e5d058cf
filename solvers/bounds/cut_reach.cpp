#include "solvers/bounds/cut_reach.h"

namespace remat {

CutReach reachOfCut(const Graph &graph, const Needs &needs, OpId t, std::int64_t tinyBytes,
                    const std::vector<char> &alsoUseful)
{
    CutReach reach;
    reach.cut = t;
    const std::size_t storages = graph.storages.size();
    reach.has.assign(storages, 0);
    reach.demanded.assign(storages, 0);
    reach.there.assign(storages, 0);
    for (const auto *touched : {&graph.op(t).inputs, &graph.op(t).outputs})
        for (const StorageId storage : *touched)
            reach.there[storage.index()] = 1;
    const auto counts = [&](StorageId id) {
        const Storage &storage = graph.storage(id);
        return storage.producer && storage.producer < t && storage.bytes > tinyBytes && !reach.there[id.index()];
    };
    for (std::size_t s = 0; s < storages; ++s) {
        if (!counts(StorageId(s))) continue;
        reach.demanded[s] = needs.last[s] > t.value ? 1 : 0;
        reach.has[s] = reach.demanded[s] || (!alsoUseful.empty() && alsoUseful[s]) ? 1 : 0;
    }
    for (std::size_t i = t.index(); i-- > 0;) { // what an op reads was made before it
        const Op &op = graph.ops[i];
        bool ofUse = false;
        for (const StorageId output : op.outputs)
            ofUse = ofUse || reach.has[output.index()];
        if (!ofUse || op.computeOnce) continue;
        for (const StorageId input : op.inputs)
            if (counts(input)) reach.has[input.index()] = 1;
    }
    for (std::size_t s = 0; s < storages; ++s)
        if (reach.has[s]) reach.storages.emplace_back(s);
    return reach;
}

} // namespace remat
