// SPDX-License-Identifier: Apache-2.0
// Plans from computation sequences and back.
#include "core/plan/plan.h"

#include <algorithm>
#include <utility>

namespace remat {

namespace {

std::vector<char> outputFlags(const Graph &graph)
{
    std::vector<char> flags(graph.storages.size(), 0);
    for (std::size_t s = 0; s < flags.size(); ++s)
        flags[s] = graph.keptToEnd(StorageId(s)) ? 1 : 0;
    return flags;
}

/// What the steps of a computation have around them where it is an update on the host; last step first.
void bringBack(const Graph &graph, const Op &op, std::vector<Step> &steps)
{
    for (const StorageId updated : op.updates) {
        if (!graph.planned(updated)) continue;
        steps.push_back(Step::prefetch(updated));
        steps.push_back(Step::free(updated));
    }
}
void sendOut(const Graph &graph, const Op &op, const std::vector<char> &changedOnDevice, std::vector<Step> &steps)
{
    for (const StorageId input : op.inputs) {
        const bool whole = !graph.storage(input).producer && !changedOnDevice[input.index()];
        if (graph.planned(input) && !whole) steps.push_back(Step::offload(input));
    }
}

/// Per storage 1 when an op on the device updates it.
std::vector<char> changedOnDevice(const Graph &graph)
{
    std::vector<char> changed(graph.storages.size(), 0);
    for (const Op &op : graph.ops)
        for (const StorageId updated : op.updates)
            if (!op.onHost) changed[updated.index()] = 1;
    return changed;
}

} // namespace

Plan keepAllPlan(const Graph &graph)
{
    std::vector<OpId> sequence;
    sequence.reserve(graph.ops.size());
    for (std::size_t op = 0; op < graph.ops.size(); ++op)
        sequence.emplace_back(op);
    Plan plan;
    plan.steps = withEarliestFrees(graph, sequence);
    plan.parametersPlanned = graph.parametersPlanned;
    plan.origin.solver = "keep-all";
    plan.origin.status = "optimal";
    return plan;
}

std::vector<Step> withEarliestFrees(const Graph &graph, const std::vector<OpId> &sequence)
{
    // Backwards, so that one flag per storage says whether the copy at hand is read later, before it is made again;
    // the steps come out last first.
    std::vector<char> readLater = outputFlags(graph);
    const std::vector<char> changed = changedOnDevice(graph);
    std::vector<Step> steps;
    steps.reserve(sequence.size() * 3);
    for (auto it = sequence.rbegin(); it != sequence.rend(); ++it) {
        const Op &op = graph.op(*it);
        if (op.onHost) bringBack(graph, op, steps);
        for (const StorageId output : op.outputs) {
            if (!readLater[output.index()]) steps.push_back(Step::free(output));
            readLater[output.index()] = 0;
        }
        for (const StorageId input : op.inputs) {
            if (!graph.planned(input)) continue;
            if (!readLater[input.index()]) steps.push_back(Step::free(input));
            readLater[input.index()] = 1;
        }
        steps.push_back(Step::compute(*it));
        if (op.onHost) sendOut(graph, op, changed, steps);
    }
    std::reverse(steps.begin(), steps.end());
    return steps;
}

std::vector<OpId> dropUselessRecomputes(const Graph &graph, std::vector<OpId> sequence)
{
    std::vector<char> seen(graph.ops.size(), 0);
    std::vector<char> isFirst(sequence.size(), 0);
    for (std::size_t i = 0; i < sequence.size(); ++i)
        isFirst[i] = std::exchange(seen[sequence[i].index()], 1) ? 0 : 1;

    std::vector<char> readLater = outputFlags(graph);
    std::size_t kept = sequence.size(); // what stays moves to the end of the vector, in place
    for (std::size_t i = sequence.size(); i-- > 0;) {
        const Op &op = graph.op(sequence[i]);
        const bool wanted = (op.into && readLater[op.into.index()]) ||
                            std::any_of(op.outputs.begin(), op.outputs.end(),
                                        [&](StorageId output) { return readLater[output.index()] != 0; });
        if (!wanted && !isFirst[i]) continue;
        for (const StorageId output : op.outputs)
            readLater[output.index()] = 0;
        for (const StorageId input : op.inputs)
            readLater[input.index()] = 1;
        sequence[--kept] = sequence[i];
    }
    sequence.erase(sequence.begin(), sequence.begin() + static_cast<std::ptrdiff_t>(kept));
    return sequence;
}

std::vector<char> beginsOnHost(const Graph &graph, const std::vector<Step> &steps)
{
    std::vector<char> onHost(graph.storages.size(), 0);
    if (!graph.parametersPlanned) return onHost;
    std::vector<char> met(graph.storages.size(), 0);
    const auto meet = [&](StorageId id, bool prefetched) {
        if (!id || id.index() >= met.size() || std::exchange(met[id.index()], 1)) return;
        onHost[id.index()] = prefetched && graph.storage(id).plannedParameter ? 1 : 0;
    };
    for (const Step &step : steps) {
        if (step.kind != StepKind::Compute) {
            meet(step.storage, step.kind == StepKind::Prefetch);
        } else if (step.op && step.op.index() < graph.ops.size() && !graph.op(step.op).onHost) {
            for (const StorageId input : graph.op(step.op).inputs)
                meet(input, false);
        }
    }
    return onHost;
}

std::vector<char> wholeOnHost(const Graph &graph, const std::vector<Step> &steps)
{
    std::vector<char> whole(graph.storages.size(), 0);
    for (std::size_t s = 0; s < whole.size(); ++s)
        whole[s] = graph.storages[s].plannedParameter ? 1 : 0;
    for (const Op &op : graph.ops)
        for (const StorageId updated : op.updates)
            whole[updated.index()] = 0;
    for (const Step &step : steps) {
        if (step.kind == StepKind::Offload && step.storage && step.storage.index() < whole.size()) {
            whole[step.storage.index()] = graph.storage(step.storage).plannedParameter ? 1 : 0;
        } else if (step.kind == StepKind::Compute && step.op && step.op.index() < graph.ops.size()) {
            const Op &op = graph.op(step.op);
            for (const StorageId updated : op.updates)
                whole[updated.index()] = op.onHost && graph.storage(updated).plannedParameter ? 1 : 0;
        }
    }
    return whole;
}

std::string stepTitle(const Graph &graph, const Step &step)
{
    switch (step.kind) {
    case StepKind::Compute:
        return "compute " + graph.op(step.op).name;
    case StepKind::Free:
        return "free " + graph.storage(step.storage).name;
    case StepKind::Offload:
        return "offload " + graph.storage(step.storage).name;
    case StepKind::Prefetch:
        break;
    }
    return "prefetch " + graph.storage(step.storage).name;
}

std::vector<OpId> computeSequence(const Plan &plan)
{
    std::vector<OpId> sequence;
    for (const Step &step : plan.steps)
        if (step.kind == StepKind::Compute) sequence.push_back(step.op);
    return sequence;
}

} // namespace remat
