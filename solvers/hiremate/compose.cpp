// SPDX-License-Identifier: Apache-2.0
#include "solvers/hiremate/compose.h"

#include <algorithm>

namespace remat::hiremate {

std::vector<Recompute> compose(const FlatGraph &flat, const Chain &chain, const std::vector<BlockChoices> &choices,
                               const TopChoice &choice)
{
    std::vector<Recompute> recomputes;
    for (std::size_t k = 0; k < chain.blocks.size(); ++k) {
        const Block &block = chain.blocks[k];
        for (const ProgramStep &step : (*choices[k].options)[choice.option[k]].program)
            if (step.recompute()) recomputes.push_back({block.globalOp(step.before), block.globalOp(step.op)});
    }
    for (const TopChoice::Again &again : choice.again) {
        const int slot = chain.parts[again.part].slot;
        if (slot >= flat.ops) continue;
        const BlockChoices &of = choices[again.block];
        const Rebuild &ops = again.lite < 0 ? of.fastForward : of.lites[again.lite].rebuild;
        for (const int op : ops.ops)
            recomputes.push_back({slot, chain.blocks[again.block].globalOp(op)});
    }
    tidyRecomputes(flat, recomputes);
    return recomputes;
}

SequenceCost replay(const FlatGraph &flat, SequenceEvaluator &evaluator, const std::vector<Recompute> &recomputes)
{
    return evaluator(toSequence(flat, recomputes));
}

} // namespace remat::hiremate
