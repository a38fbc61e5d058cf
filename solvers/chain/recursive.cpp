// SPDX-License-Identifier: Apache-2.0
#include "solvers/chain/recursive.h"

#include "solvers/tools/translate.h"

#include <algorithm>

namespace remat::chain {

ChainSchedule recursiveSchedule(const ChainModel &model, int checkpoints)
{
    struct Segment {
        int first, last;
    };
    ChainSchedule schedule = inputsOnly(model);
    const int end = model.size() - 1;
    std::vector<Segment> open{{0, end}};
    while (!open.empty()) {
        const auto [first, last] = open.back();
        open.pop_back();
        const int length = last - first + 1;
        const int parts = std::min(checkpoints + 1, length);
        int begin = first;
        for (int part = 0; part < parts && length > 1; ++part) {
            const int next = first + static_cast<int>(static_cast<long long>(length) * (part + 1) / parts);
            // What is held of a segment is made on the way to its last stage; in the last one by the forward pass.
            if (part > 0) schedule.holds.push_back({last == end ? kForwardPass : last, begin, -1});
            open.push_back({begin, next - 1});
            begin = next;
        }
    }
    return schedule;
}

} // namespace remat::chain
