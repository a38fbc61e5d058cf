#include "core/clusters/pairing.h"

#include <unordered_map>

namespace remat {

std::vector<OpId> forwardTwins(const Graph &graph)
{
    std::unordered_map<std::int64_t, OpId> bySequence;
    for (std::size_t i = 0; i < graph.ops.size(); ++i) {
        const Op &op = graph.ops[i];
        if (op.phase != Phase::Backward && op.sequence >= 0) bySequence[op.sequence] = OpId(i);
    }
    std::vector<OpId> twins(graph.ops.size());
    for (std::size_t i = 0; i < graph.ops.size(); ++i) {
        const Op &op = graph.ops[i];
        if (op.phase != Phase::Backward) continue;
        twins[i] = op.forwardOp;
        if (twins[i]) continue;
        const auto found = bySequence.find(op.sequence);
        if (found != bySequence.end()) twins[i] = found->second;
    }
    return twins;
}

} // namespace remat
