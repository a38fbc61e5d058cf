// SPDX-License-Identifier: Apache-2.0
#include "solvers/solve/steer/repair.h"

#include <algorithm>

namespace remat::steer {

std::vector<OpId> repaired(const Graph &graph, const Pins &pins, std::vector<OpId> sequence)
{
    const std::size_t backward = firstBackwardOp(graph);
    const auto lastForward =
        backward == 0 ? sequence.end() : std::find(sequence.begin(), sequence.end(), OpId(backward - 1));
    if (lastForward == sequence.end()) return sequence;
    const std::ptrdiff_t after = lastForward - sequence.begin() + 1;

    bool inserted = false;
    // From the last op to the first, since a computation put in reads what earlier ones make.
    for (auto pin = pins.recompute.rbegin(); pin != pins.recompute.rend(); ++pin) {
        const auto reads = [&](OpId id) {
            const std::vector<StorageId> &inputs = graph.op(id).inputs;
            return std::any_of(inputs.begin(), inputs.end(), [&](StorageId input) {
                return graph.storage(input).producer == *pin && !graph.storage(input).isOutput;
            });
        };
        const auto at =
            std::find_if(sequence.begin() + after, sequence.end(), [&](OpId id) { return id == *pin || reads(id); });
        if (at == sequence.end() || *at == *pin) continue;
        sequence.insert(at, *pin);
        inserted = true;
    }
    return inserted ? dropUselessRecomputes(graph, std::move(sequence)) : sequence;
}

} // namespace remat::steer
