// SPDX-License-Identifier: Apache-2.0
#include "core/clusters/block_cut.h"

#include "core/clusters/structure_hash.h"

#include <algorithm>
#include <numeric>

namespace remat {

namespace {

constexpr double kTrivialByteShare = 1e-6; ///< share of the bytes of all storages
constexpr double kTrivialTimeShare = 2e-4; ///< share of the time of all ops
/// From here on the distance to what an op reads says nothing about its place in a layer (a mask made at the start).
constexpr std::int64_t kFar = 32;

} // namespace

ForwardOrder forwardOrder(const Graph &graph, const std::vector<double> &timeUs)
{
    ForwardOrder order;
    double totalBytes = 0;
    for (std::size_t s = 0; s < graph.storages.size(); ++s)
        totalBytes += graph.planned(StorageId(s)) ? static_cast<double>(graph.storages[s].bytes) : 0;
    const double totalUs = std::accumulate(timeUs.begin(), timeUs.end(), 0.0);

    std::vector<std::int64_t> position(graph.ops.size(), -1);
    for (std::size_t i = 0; i < graph.ops.size(); ++i) {
        const Op &op = graph.ops[i];
        if (op.phase == Phase::Backward) continue;
        position[i] = static_cast<std::int64_t>(order.ops.size());
        order.ops.emplace_back(i);
        const bool large = std::any_of(op.outputs.begin(), op.outputs.end(), [&](StorageId output) {
            return static_cast<double>(graph.storage(output).bytes) > kTrivialByteShare * totalBytes;
        });
        order.counts.push_back(large || timeUs[i] > kTrivialTimeShare * totalUs ? 1 : 0);
    }

    // What crosses: from the op that makes it up to its last reader in the forward pass.
    std::vector<std::int64_t> lastRead(graph.storages.size(), -1);
    for (const OpId op : order.ops)
        for (const StorageId input : graph.op(op).inputs)
            lastRead[input.index()] = position[op.index()];
    std::vector<std::int64_t> change(order.ops.size() + 1, 0);
    for (std::size_t s = 0; s < graph.storages.size(); ++s) {
        const OpId producer = graph.storages[s].producer;
        if (!producer || position[producer.index()] < 0 || lastRead[s] < 0) continue;
        change[static_cast<std::size_t>(position[producer.index()] + 1)] += graph.storages[s].bytes;
        change[static_cast<std::size_t>(lastRead[s] + 1)] -= graph.storages[s].bytes;
    }
    order.crossingBytes.resize(change.size());
    std::partial_sum(change.begin(), change.end(), order.crossingBytes.begin());

    for (const OpId id : order.ops) {
        const Op &op = graph.op(id);
        StructureHash look;
        look.add(op.kind);
        for (const StorageId input : op.inputs) {
            const OpId producer = graph.storage(input).producer;
            const std::int64_t distance = producer ? position[id.index()] - position[producer.index()] : -1;
            look.add(std::min(distance, kFar));
            look.add(graph.storage(input).bytes);
        }
        for (const StorageId output : op.outputs)
            look.add(graph.storage(output).bytes);
        order.looks.push_back(look.value());
    }
    return order;
}

} // namespace remat
