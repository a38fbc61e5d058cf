// SPDX-License-Identifier: Apache-2.0
#include "core/plan/simulator.h"

#include <algorithm>
#include <fmt/core.h>
#include <utility>

namespace remat {

namespace {

/// What the replay knows of one storage.
struct StorageState {
    bool held = false;
    bool stale = false;          ///< the device copy: an op on the host has changed the other
    std::int64_t freedAt = -1;   ///< step of the last free
    std::int64_t updatedAt = -1; ///< step of the last update
    int version = 0;             ///< how many ops have updated it, or added to it in this life of it
    double readyUs = 0;          ///< when the device copy can be read
    double busyUntilUs = 0;      ///< end of the last copy from or to the device copy
    double hostReadyUs = -1;     ///< when the host copy is complete; negative: there is none, or none that is whole
    double hostBusyUntilUs = 0;  ///< end of the last update that reads the host copy
};

/// Per op, beside each of its inputs, how many updates of it stand before the op in the graph; empty when there is
/// none.
std::vector<std::vector<int>> versionsRead(const Graph &graph)
{
    std::vector<std::vector<int>> versions(graph.ops.size());
    std::vector<int> now(graph.storages.size(), 0);
    std::vector<char> updated(graph.storages.size(), 0);
    for (const Op &op : graph.ops)
        for (const StorageId id : op.updates)
            updated[id.index()] = 1;
    for (const Op &op : graph.ops)
        if (op.into) updated[op.into.index()] = 1;
    for (std::size_t i = 0; i < versions.size(); ++i) {
        const Op &op = graph.ops[i];
        if (std::any_of(op.inputs.begin(), op.inputs.end(), [&](StorageId id) { return updated[id.index()] != 0; }))
            for (const StorageId input : op.inputs)
                versions[i].push_back(now[input.index()]);
        for (const StorageId id : op.updates)
            ++now[id.index()];
        if (op.into) ++now[op.into.index()];
    }
    return versions;
}

class Replay
{
public:
    Replay(const Graph &graph, const CostTable &costs)
        : m_graph(graph),
          m_costs(costs),
          m_versions(versionsRead(graph)),
          m_storages(graph.storages.size()),
          m_computed(graph.ops.size(), 0)
    {
    }

    Expected<Simulation> run(const std::vector<Step> &steps)
    {
        m_onHost = beginsOnHost(m_graph, steps);
        const std::vector<char> whole = wholeOnHost(m_graph, steps);
        for (std::size_t s = 0; s < m_storages.size(); ++s) {
            if (!m_graph.storages[s].plannedParameter) continue;
            if (m_onHost[s] || whole[s]) m_storages[s].hostReadyUs = 0;
            m_storages[s].held = !m_onHost[s];
            m_heldBytes += m_onHost[s] ? 0 : m_graph.storages[s].bytes;
        }
        m_result.peakBytes = m_heldBytes;
        m_result.steps.reserve(steps.size());
        for (m_step = 0; m_step < steps.size(); ++m_step) {
            const Expected<StepMemory> memory = replay(steps[m_step]);
            if (!memory) return tl::unexpected<Error>(memory.error());
            if (memory->heldBytes > m_result.peakBytes) {
                m_result.peakBytes = memory->heldBytes;
                m_result.peakStep = m_step;
            }
            m_result.steps.push_back(*memory);
        }
        if (Expected<void> ended = checkEnd(); !ended) return tl::unexpected<Error>(ended.error());
        m_result.timeUs = std::max({m_nowUs, m_toHostFreeUs, m_toDeviceFreeUs, m_hostFreeUs});
        return std::move(m_result);
    }

private:
    std::string prefix(const char *verb) const { return fmt::format("Step {} {} ", m_step, verb); }

    Expected<StepMemory> replay(const Step &step)
    {
        if (step.kind == StepKind::Compute) {
            if (!step.op || step.op.index() >= m_graph.ops.size())
                return fail(prefix("computes") + "an op that the graph does not have.");
            return compute(step.op);
        }
        const char *verb = step.kind == StepKind::Free      ? "frees"
                           : step.kind == StepKind::Offload ? "offloads"
                                                            : "prefetches";
        if (!step.storage || step.storage.index() >= m_graph.storages.size())
            return fail(prefix(verb) + "a storage that the graph does not have.");
        const Storage &storage = m_graph.storage(step.storage);
        if (!m_graph.planned(step.storage))
            return fail("{}{}, which is always there and not planned.", prefix(verb), storage.name);
        StorageState &state = m_storages[step.storage.index()];
        if (step.kind == StepKind::Prefetch) return prefetch(storage, state);
        if (!state.held) return fail(prefix(verb) + storage.name + whyMissing(state));
        if (step.kind == StepKind::Free) return release(storage, state);
        if (state.stale) return fail(prefix(verb) + storage.name + whyStale(state));
        return offload(storage, state);
    }

    static std::string whyMissing(const StorageState &state)
    {
        if (state.freedAt < 0) return ", which was never made.";
        return fmt::format(", which was freed at step {}.", state.freedAt);
    }

    static std::string whyStale(const StorageState &state)
    {
        return fmt::format(", of which the copy on the device is stale: step {} has changed the one in host memory. "
                           "Free it and prefetch it.",
                           state.updatedAt);
    }

    /// That everything an op reads is there, in the state that the graph asks for. Gives the time when it can begin.
    Expected<double> readable(OpId id) const
    {
        const Op &op = m_graph.op(id);
        const std::vector<int> &versions = m_versions[id.index()];
        double startUs = op.onHost ? std::max(m_nowUs, m_hostFreeUs) : m_nowUs;
        for (std::size_t i = 0; i < op.inputs.size(); ++i) {
            const StorageId input = op.inputs[i];
            const StorageState &state = m_storages[input.index()];
            const std::string &name = m_graph.storage(input).name;
            if (!versions.empty() && state.version != versions[i])
                return fail("{}{}, which reads {}{}", prefix("computes"), op.name, name,
                            state.version > versions[i]
                                ? fmt::format(" as it was before step {} updated it.", state.updatedAt)
                                : " after an update that the plan has not computed yet.");
            if (!m_graph.planned(input)) {
                startUs = std::max(startUs, state.readyUs);
            } else if (op.onHost) {
                if (state.hostReadyUs < 0)
                    return fail("{}{} in host memory, where no whole copy of it is; offload it.", prefix("reads"),
                                name);
                startUs = std::max(startUs, state.hostReadyUs);
                // A copy to the device may still be reading what is to be written.
                if (state.held && mayWrite(op, input)) startUs = std::max(startUs, state.readyUs);
            } else {
                if (!state.held) return fail(prefix("reads") + name + whyMissing(state));
                if (state.stale) return fail(prefix("reads") + name + whyStale(state));
                startUs = std::max(startUs, state.readyUs);
                if ((op.into || !op.updates.empty()) && mayWrite(op, input))
                    startUs = std::max(startUs, state.busyUntilUs);
            }
        }
        return startUs;
    }

    /// The copy that an op wrote to is the only whole one.
    void update(const Op &op, double endUs)
    {
        for (const StorageId id : op.updates) {
            StorageState &state = m_storages[id.index()];
            ++state.version;
            state.updatedAt = static_cast<std::int64_t>(m_step);
            if (!m_graph.planned(id)) state.readyUs = endUs;
            state.hostReadyUs = op.onHost ? endUs : -1;
            state.stale = op.onHost && state.held;
        }
        if (!op.into) return;
        StorageState &sum = m_storages[op.into.index()];
        ++sum.version;
        sum.updatedAt = static_cast<std::int64_t>(m_step);
        sum.hostReadyUs = -1;
    }

    StepMemory computeOnHost(OpId id, double startUs)
    {
        const Op &op = m_graph.op(id);
        m_hostFreeUs = startUs + m_costs.time(id);
        for (const StorageId input : op.inputs)
            m_storages[input.index()].hostBusyUntilUs = m_hostFreeUs;
        update(op, m_hostFreeUs);
        return {m_heldBytes, startUs, m_hostFreeUs};
    }

    Expected<StepMemory> compute(OpId id)
    {
        const Op &op = m_graph.op(id);
        if (op.computeOnce && m_computed[id.index()] > 0)
            return fail(
                fmt::format("{}{} again, which writes to its inputs or is a collective and may be computed only once.",
                            prefix("computes"), op.name));
        const Expected<double> begin = readable(id);
        if (!begin) return tl::unexpected<Error>(begin.error());
        const double startUs = *begin, timeUs = m_costs.time(id);
        if (const int before = m_computed[id.index()]++; before > 0) {
            m_result.recomputedOps += before == 1 ? 1 : 0;
            ++m_result.recomputations;
            m_result.recomputeUs += timeUs;
        }
        if (op.onHost) return computeOnHost(id, startUs);
        m_nowUs = startUs + timeUs;
        update(op, m_nowUs);

        std::int64_t droppedBytes = 0;
        for (const StorageId output : op.outputs) {
            const std::int64_t bytes = m_graph.storage(output).bytes;
            m_heldBytes += bytes;
            StorageState &state = m_storages[output.index()];
            if (state.held) {
                droppedBytes += bytes;
                continue;
            }
            state.held = true;
            state.readyUs = m_nowUs;
            state.busyUntilUs = m_nowUs;
            // A sum begins anew, and what host memory has of the old one is another value.
            if (std::exchange(state.version, 0) != 0) state.hostReadyUs = -1;
        }
        const StepMemory memory{m_heldBytes + m_costs.workspace(id), startUs, m_nowUs};
        m_heldBytes -= droppedBytes;
        return memory;
    }

    Expected<StepMemory> release(const Storage &storage, StorageState &state)
    {
        if (storage.plannedParameter && state.hostReadyUs < 0)
            return fail("{}{}, of which this is the only whole copy{}; offload it first.", prefix("frees"),
                        storage.name,
                        state.updatedAt < 0 ? "" : fmt::format(" since step {} updated it", state.updatedAt));
        const double startUs = m_nowUs;
        m_nowUs = std::max(m_nowUs, state.busyUntilUs);
        state.held = false;
        state.stale = false;
        state.freedAt = static_cast<std::int64_t>(m_step);
        m_heldBytes -= storage.bytes;
        return StepMemory{m_heldBytes, startUs, m_nowUs};
    }

    double copyUs(const Storage &storage) const
    {
        return m_costs.linkLatencyUs + static_cast<double>(storage.bytes) / m_costs.linkBytesPerSecond * 1e6;
    }

    StepMemory offload(const Storage &storage, StorageState &state)
    {
        const double startUs = std::max({m_nowUs, m_toHostFreeUs, state.readyUs, state.hostBusyUntilUs});
        m_toHostFreeUs = startUs + copyUs(storage);
        state.hostReadyUs = m_toHostFreeUs;
        state.busyUntilUs = std::max(state.busyUntilUs, m_toHostFreeUs);
        return {m_heldBytes, startUs, m_toHostFreeUs};
    }

    Expected<StepMemory> prefetch(const Storage &storage, StorageState &state)
    {
        if (state.held) return fail("{}{}, which is still in device memory.", prefix("prefetches"), storage.name);
        if (state.hostReadyUs < 0) return fail("{}{}, which was never offloaded.", prefix("prefetches"), storage.name);
        const double startUs = std::max({m_nowUs, m_toDeviceFreeUs, state.hostReadyUs});
        m_toDeviceFreeUs = startUs + copyUs(storage);
        state.held = true;
        state.readyUs = m_toDeviceFreeUs;
        state.busyUntilUs = m_toDeviceFreeUs;
        m_heldBytes += storage.bytes;
        return StepMemory{m_heldBytes, startUs, m_toDeviceFreeUs};
    }

    Expected<void> checkEnd() const
    {
        for (std::size_t s = 0; s < m_storages.size(); ++s) {
            const Storage &storage = m_graph.storages[s];
            if (storage.plannedParameter && m_storages[s].held == static_cast<bool>(m_onHost[s]))
                return fail("The plan begins with {}{}", storage.name,
                            m_onHost[s] ? " in host memory and ends with it on the device; free it."
                                        : " on the device and ends without it; prefetch it.");
            if (m_storages[s].stale)
                return fail("The plan ends with a stale copy of {} on the device: an op on the host has "
                            "changed it. Free it and prefetch it.",
                            storage.name);
            if (storage.isOutput && m_graph.planned(StorageId(s)) && !m_storages[s].held)
                return fail("The plan ends without {}, an output of the graph.", storage.name);
        }
        if (Expected<void> complete = checkSums(); !complete) return complete;
        for (std::size_t op = 0; op < m_computed.size(); ++op)
            if (m_graph.ops[op].computeOnce && m_computed[op] == 0)
                return fail("The plan never computes {}, which writes to its inputs or is a collective and "
                            "must be computed once.",
                            m_graph.ops[op].name);
        return {};
    }

    /// An output that ops add to has all that they add.
    Expected<void> checkSums() const
    {
        std::vector<int> sums(m_storages.size(), 0);
        for (const Op &op : m_graph.ops)
            if (op.into && m_graph.storage(op.into).isOutput &&
                m_storages[op.into.index()].version <= sums[op.into.index()]++)
                return fail("The plan ends with {}, to which {} has not added yet.", m_graph.storage(op.into).name,
                            op.name);
        return {};
    }

    const Graph &m_graph;
    const CostTable &m_costs;
    const std::vector<std::vector<int>> m_versions;
    std::vector<StorageState> m_storages;
    std::vector<char> m_onHost;  ///< per storage: a planned parameter that begins, and so ends, in host memory only
    std::vector<int> m_computed; ///< how often, per op
    std::size_t m_step = 0;
    double m_nowUs = 0, m_toHostFreeUs = 0, m_toDeviceFreeUs = 0, m_hostFreeUs = 0;
    std::int64_t m_heldBytes = 0;
    Simulation m_result;
};

} // namespace

Expected<Simulation> simulate(const Graph &graph, const CostTable &costs, const std::vector<Step> &steps)
{
    return Replay(graph, costs).run(steps);
}

Expected<Simulation> simulatePlan(const Graph &graph, const CostTable &costs, const Plan &plan)
{
    if (plan.parametersPlanned == graph.parametersPlanned) return simulate(graph, costs, plan.steps);
    if (!plan.parametersPlanned) return fail("The plan keeps parameters resident; the graph at hand plans them.");
    return simulate(withPlannedParameters(graph), costs, plan.steps);
}

} // namespace remat
