// SPDX-License-Identifier: Apache-2.0
#include "solvers/bounds/cut_reach.h"

#include <algorithm>

namespace remat {

namespace {

/// Share of the budget, for all of them together.
constexpr double kTinyShare = 5e-4;

} // namespace

std::int64_t tinyBytes(const Graph &graph, std::int64_t budgetBytes)
{
    std::vector<std::int64_t> bytes;
    for (const Storage &storage : graph.storages)
        if (storage.producer) bytes.push_back(storage.bytes);
    std::sort(bytes.begin(), bytes.end());
    double room = kTinyShare * static_cast<double>(budgetBytes);
    std::int64_t tiny = 0;
    for (const std::int64_t size : bytes) {
        room -= static_cast<double>(size);
        if (room < 0) return size > tiny ? tiny : tiny - 1;
        tiny = size;
    }
    return tiny;
}

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
