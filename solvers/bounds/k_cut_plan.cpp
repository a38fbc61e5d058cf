// SPDX-License-Identifier: Apache-2.0
#include "solvers/bounds/k_cut_plan.h"

#include "core/bounds/needs.h"

#include <algorithm>

namespace remat {

std::vector<Recompute> recomputesOf(const FlatGraph &flat, const KCutProgram &program, const std::vector<double> &x)
{
    std::vector<Recompute> recomputes;
    for (std::size_t k = 0; k < program.cuts(); ++k) {
        const int cut = program.reach[k].cut.value;
        const int end = static_cast<int>(program.endOf(k, static_cast<std::size_t>(flat.ops)));
        std::vector<int> slots(cut, -1); // per op: where it is computed again between this cut and the next
        for (int op = cut; op-- > 0;) {
            const int column = program.again[k][op];
            if (column < 0 || x[column] < 0.5) continue;
            int &slot = slots[op];
            slot = std::min(end, flat.ops - 1);
            for (const int output : flat.outputs[op])
                for (const int reader : flat.readers[output])
                    if (reader > cut)
                        slot = std::min(slot, reader);
                    else if (reader < cut && slots[reader] >= 0)
                        slot = std::min(slot, slots[reader]);
            recomputes.push_back({slot, op});
        }
    }
    tidyRecomputes(flat, recomputes);
    return recomputes;
}

std::vector<OpId> missingCuts(const FlatGraph &flat, const KCutProgram &program, std::int64_t budgetBytes,
                              const std::vector<Recompute> &recomputes, std::size_t most)
{
    SequenceEvaluator evaluator(*flat.graph, *flat.costs);
    const std::vector<std::int64_t> held = heldBySlot(flat, evaluator, recomputes);
    const Needs needs = needsOf(*flat.graph);
    std::vector<char> taken(flat.ops, 0);
    for (const CutReach &reach : program.reach)
        taken[reach.cut.index()] = 1;
    std::vector<int> crowded;
    for (int slot = 0; slot < flat.ops; ++slot)
        if (held[slot] > budgetBytes) crowded.push_back(slot);
    std::stable_sort(crowded.begin(), crowded.end(), [&](int a, int b) { return held[a] > held[b]; });
    std::vector<OpId> missing;
    for (const int slot : crowded) {
        const int place = taken[slot] == 0 ? slot : slot - 1;
        if (missing.size() == most || place < 0 || taken[place] != 0 || !needs.op[place]) continue;
        taken[place] = 1;
        missing.emplace_back(place);
    }
    return missing;
}

} // namespace remat
