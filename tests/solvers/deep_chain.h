// SPDX-License-Identifier: Apache-2.0
// A chain so deep that at low budgets it is run forward many times over.
#pragma once

#include "tests/support/graphs.h"

#include <array>
#include <vector>

namespace remat::test {

/// A chain of 48 blocks of six ops. A backward op reads its forward op's input and the gradient from above; the loss
/// makes a single float.
inline Graph deepChain()
{
    constexpr std::int64_t kMebibyte = 1 << 20;
    constexpr std::array<int, 6> kMebibytes = {4, 8, 8, 4, 8, 1}, kUs = {40, 10, 10, 60, 10, 80};
    GraphBuilder builder;
    StorageId current = builder.resident(kMebibyte, StorageKind::Input, "x");
    struct Made {
        OpId op;
        StorageId input;
        std::int64_t inputBytes;
        int us;
    };
    std::vector<Made> made;
    std::int64_t bytes = kMebibyte;
    for (int block = 0; block < 48; ++block)
        for (std::size_t k = 0; k < kUs.size(); ++k) {
            const OpId op = builder.op({current}, {{kMebibytes[k] * kMebibyte}}, kUs[k]);
            made.push_back({op, current, bytes, kUs[k]});
            current = builder.output(op);
            bytes = kMebibytes[k] * kMebibyte;
        }
    const OpId loss = builder.op({current}, {{4, StorageKind::Activation, true, "loss"}}, 1, Phase::Loss);
    StorageId gradient = builder.output(loss);
    for (std::size_t i = made.size(); i-- > 0;) {
        const OpId op = builder.op({made[i].input, gradient}, {{made[i].inputBytes, StorageKind::Gradient, i == 0}},
                                   2 * made[i].us, Phase::Backward);
        builder.edit(op).forwardOp = made[i].op;
        gradient = builder.output(op);
    }
    return builder.finish();
}

} // namespace remat::test
