// SPDX-License-Identifier: Apache-2.0
// What the tests of real runs share.
#pragma once

#include "core/plan/plan.h"
#include "gpu/runtime.h"
#include "tests/support/graphs.h"
#include "tests/support/random.h"

#include <set>
#include <vector>

namespace remat::test {

/// A run on two threads whose random numbers are known.
inline RunContext fixedContext(MemoryMode memory = MemoryMode::Allocator)
{
    RunContext context;
    context.threads = 2;
    context.seed = 7;
    context.memory = memory;
    return context;
}

/// Costs that know nothing but the graph: no time, no workspace.
inline CostTable bareCosts(const Graph &graph)
{
    CostTable costs;
    costs.timeUs.assign(graph.ops.size(), 1);
    costs.workspaceBytes.assign(graph.ops.size(), 0);
    costs.source = {"graph", ""};
    return costs;
}

/// The costs a profile measured.
inline CostTable measuredCosts(const Profile &profile)
{
    CostTable costs;
    for (const OpMeasurement &op : profile.ops) {
        costs.timeUs.push_back(op.timeUs);
        costs.workspaceBytes.push_back(op.workspaceBytes);
    }
    costs.source = {"profile", profile.device};
    return costs;
}

/// Makes everything that `op` reads and that is not in `held` again, and puts it into the sequence before the op.
inline void recomputeInputs(const Graph &graph, OpId op, std::set<StorageId> &held, std::vector<OpId> &sequence)
{
    for (const StorageId input : graph.op(op).inputs) {
        if (!graph.planned(input) || held.contains(input)) continue;
        const OpId producer = graph.storage(input).producer;
        recomputeInputs(graph, producer, held, sequence);
        sequence.push_back(producer);
        for (const StorageId made : graph.op(producer).outputs)
            held.insert(made);
    }
}

/// A valid plan that forgets a random share of what the forward pass made before the backward pass begins, and makes it
/// again when it is read. `percent` of the storages are forgotten; those of ops that may run only once stay.
inline Plan forgetfulPlan(const Graph &graph, std::uint64_t seed, int percent)
{
    Random random(seed);
    std::set<StorageId> held;
    std::vector<OpId> sequence;
    bool backward = false;
    for (std::size_t index = 0; index < graph.ops.size(); ++index) {
        const Op &op = graph.ops[index];
        if (!backward && op.phase == Phase::Backward) {
            backward = true;
            std::erase_if(held, [&](StorageId id) {
                return !graph.op(graph.storage(id).producer).computeOnce && random.percent(percent);
            });
        }
        recomputeInputs(graph, OpId(index), held, sequence);
        sequence.push_back(OpId(index));
        for (const StorageId made : op.outputs)
            held.insert(made);
    }
    Plan plan;
    plan.steps = withEarliestFrees(graph, sequence);
    return plan;
}

} // namespace remat::test
