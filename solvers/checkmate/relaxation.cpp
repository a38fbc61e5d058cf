// SPDX-License-Identifier: Apache-2.0
#include "solvers/checkmate/relaxation.h"

#include "solvers/checkmate/path_cuts.h"

#include <algorithm>

namespace remat::checkmate {

namespace {

/// The graph as if the ops left out read nothing, so that no row asks for what only they read.
FlatGraph withoutReadsOf(FlatGraph flat, const std::vector<char> &leftOut)
{
    for (std::size_t i = 0; i < leftOut.size(); ++i) {
        if (!leftOut[i]) continue;
        for (const int storage : flat.inputs[i]) {
            const auto s = static_cast<std::size_t>(storage);
            std::vector<int> &readers = flat.readers[s];
            readers.erase(std::remove(readers.begin(), readers.end(), static_cast<int>(i)), readers.end());
            if (!flat.output[s]) flat.lastUse[s] = readers.empty() ? flat.producer[s] : readers.back();
        }
        flat.inputs[i].clear();
    }
    return flat;
}

} // namespace

RelaxationBound relaxationBound(const FlatGraph &whole, std::int64_t budgetBytes, const std::vector<char> &leftOut,
                                const ilp::Limits &limits)
{
    const FlatGraph flat = withoutReadsOf(whole, leftOut);
    ModelSettings settings;
    settings.budgetBytes = budgetBytes;
    settings.leftOut = leftOut;
    SlotProgram slots = buildSlotProgram(flat, settings);
    const ilp::Relaxation relaxation = tightenByPathCuts(flat, slots, limits);
    RelaxationBound bound;
    bound.infeasible = relaxation.status == ilp::Status::Infeasible;
    bound.finished = bound.infeasible || relaxation.status == ilp::Status::Optimal;
    if (!bound.infeasible) bound.extraUs = std::max(0.0, relaxation.bound * slots.unitUs);
    return bound;
}

} // namespace remat::checkmate
