// SPDX-License-Identifier: Apache-2.0
// Chains of equal stages, and what schedules that hold inputs of stages cost on them.
#pragma once

#include "solvers/chain/chain_model.h"
#include "solvers/tools/translate.h"
#include "tests/solvers/solving.h"

#include <algorithm>
#include <set>
#include <vector>

namespace remat::test {

/// A uniform chain whose stages can be saved one at a time only: forward steps take 1, inputs of stages weigh 1.
inline chain::ChainModel uniformChain(int stages)
{
    chain::ChainModel model;
    chain::StageOption option;
    option.remakeUs = option.remakeNextUs = 1;
    option.keptBytes = 1000;
    chain::Stage stage;
    stage.advanceUs = 1;
    stage.options = {option};
    model.stages.assign(stages, stage);
    model.inputBytes.assign(stages, std::vector<std::int64_t>(stages, 1));
    for (int s = 0; s < stages; ++s)
        model.inputBytes[s][s] = 0;
    return model;
}

/// Forward steps beyond one per stage of a schedule that holds inputs only; −1 when more than `snapshots` are held.
inline long long extraSteps(const chain::ChainSchedule &schedule, int stages, int snapshots)
{
    std::vector<chain::StageHold> holds = schedule.holds;
    std::erase_if(holds, [](const chain::StageHold &hold) { return hold.option >= 0; });
    std::stable_sort(holds.begin(), holds.end(), [](const auto &a, const auto &b) { return a.at > b.at; });
    std::set<int> held{0};
    std::size_t next = 0;
    long long steps = 0;
    for (int t = stages - 1; t >= 0; --t) {
        const int from = t == stages - 1 ? 0 : *std::prev(held.upper_bound(t));
        steps += t - from + 1;
        for (; next < holds.size() && holds[next].at >= t; ++next)
            held.insert(holds[next].stage);
        held.insert(0);
        if (static_cast<int>(held.size()) > snapshots) return -1;
        held.erase(t);
    }
    return steps - stages;
}

/// A training chain whose forward ops make a tape for their backward op beside what they hand on.
inline Graph tapedChain(int stages)
{
    GraphBuilder builder;
    StorageId current = builder.resident(10, StorageKind::Input, "x");
    std::vector<StorageId> tapes;
    std::vector<OpId> forward;
    for (int i = 0; i < stages; ++i) {
        forward.push_back(builder.op({current}, {{10}, {1000}}, 1));
        current = builder.output(forward.back());
        tapes.push_back(builder.output(forward.back(), 1));
    }
    const OpId loss = builder.op({current}, {{1, StorageKind::Activation, true, "loss"}}, 1, Phase::Loss);
    StorageId gradient = builder.output(loss);
    for (int i = stages; i-- > 0;) {
        const OpId op = builder.op({gradient, tapes[static_cast<std::size_t>(i)]},
                                   {{10, StorageKind::Gradient, i == 0}}, 2, Phase::Backward);
        builder.edit(op).forwardOp = forward[static_cast<std::size_t>(i)];
        gradient = builder.output(op);
    }
    return builder.finish();
}

} // namespace remat::test
