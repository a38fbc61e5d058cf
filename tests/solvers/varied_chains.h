// SPDX-License-Identifier: Apache-2.0
// Training chains of unlike stages.
#pragma once

#include "solvers/blocks/cut_points.h"
#include "solvers/chain/stage_chain.h"
#include "tests/solvers/solving.h"
#include "tests/support/random.h"

namespace remat::test {

/// A training chain with one or two forward ops a stage, a tape now and then, and backward ops that read some of it.
inline Graph variedChain(int stages, std::uint64_t seed)
{
    Random random(seed);
    GraphBuilder builder;
    StorageId current = builder.resident(10, StorageKind::Input, "x");
    struct Made {
        OpId op;
        std::vector<StorageId> read;
    };
    std::vector<Made> made;
    for (int i = 0; i < stages; ++i) {
        Made stage;
        if (random.percent(80)) stage.read.push_back(current);
        std::vector<GraphBuilder::Output> outputs{{random.between(3, 20)}};
        if (random.percent(40)) outputs.push_back({random.between(3, 30)});
        stage.op = builder.op({current}, outputs, random.between(1, 5));
        current = builder.output(stage.op);
        if (outputs.size() > 1) stage.read.push_back(builder.output(stage.op, 1));
        if (stage.read.empty() || random.percent(30)) stage.read.push_back(current);
        made.push_back(stage);
    }
    const OpId loss = builder.op({current}, {{1, StorageKind::Activation, true, "loss"}}, 1, Phase::Loss);
    StorageId gradient = builder.output(loss);
    for (int i = stages; i-- > 0;) {
        std::vector<StorageId> read = made[static_cast<std::size_t>(i)].read;
        read.push_back(gradient);
        const OpId op = builder.op(read, {{random.between(2, 12), StorageKind::Gradient, i == 0}}, 2, Phase::Backward);
        builder.edit(op).forwardOp = made[static_cast<std::size_t>(i)].op;
        gradient = builder.output(op);
    }
    return builder.finish();
}

/// The chain of a graph cut at all its articulation points.
inline chain::StageChain finestChain(const Case &of, const FlatGraph &flat)
{
    return chain::makeStageChain(flat, chain::stagesOf(flat, chain::articulationPoints(flat)), of.keepAllPeakBytes,
                                 chain::plainSource());
}

} // namespace remat::test
