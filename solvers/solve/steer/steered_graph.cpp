// SPDX-License-Identifier: Apache-2.0
#include "solvers/solve/steer/steered_graph.h"

#include "core/clusters/pairing.h"
#include "solvers/solve/steer/repair.h"

#include <algorithm>
#include <string>
#include <unordered_set>
#include <utility>

namespace remat::steer {

namespace {

class Builder
{
public:
    Builder(const Graph &graph, const CostTable &costs, const Pins &pins, Strictness strictness)
        : m_graph(graph),
          m_costs(costs),
          m_pins(pins),
          m_strict(strictness == Strictness::Strict),
          m_backward(firstBackwardOp(graph)),
          m_readers(readersOf(graph)),
          m_pairs(forwardTwins(graph)),
          m_place(graph.ops.size(), graph.ops.size()),
          m_newId(graph.ops.size()),
          m_copy(graph.storages.size())
    {
        for (const Op &op : graph.ops)
            m_opNames.insert(op.name);
        for (const Storage &storage : graph.storages)
            m_storageNames.insert(storage.name);
    }

    Expected<SteeredGraph> build()
    {
        Graph &graph = m_steered.graph;
        graph.name = m_graph.name;
        graph.storages = m_graph.storages;
        graph.parametersPlanned = m_graph.parametersPlanned;
        for (std::size_t s = 0; s < m_graph.storages.size(); ++s)
            m_steered.storageOf.emplace_back(s);
        m_steered.costs = m_costs;
        m_steered.costs.timeUs.clear();
        m_steered.costs.workspaceBytes.clear();
        placeTwins();
        for (std::size_t i = 0; i < m_graph.ops.size(); ++i) {
            for (; m_nextTwin < m_twins.size() && m_place[m_twins[m_nextTwin].index()] == i; ++m_nextTwin)
                putTwin(m_twins[m_nextTwin]);
            putOp(OpId(i));
        }
        if (!m_graph.parametersPlanned) limitComputations();
        Expected<Graph> finished = finishGraph(std::move(graph));
        if (!finished) return tl::unexpected(finished.error());
        m_steered.graph = std::move(*finished);
        m_steered.hasTwins = !m_twins.empty();
        return std::move(m_steered);
    }

private:
    /// From the last pinned op to the first, so that a twin's own reads count for the twins it reads.
    void placeTwins()
    {
        for (auto it = m_pins.recompute.rbegin(); it != m_pins.recompute.rend(); ++it) {
            std::size_t &place = m_place[it->index()];
            for (const StorageId output : m_graph.op(*it).outputs) {
                if (m_graph.storage(output).isOutput) continue;
                for (const OpId reader : m_readers[output.index()])
                    place = std::min(place, reader.index() < m_backward ? m_place[reader.index()] : reader.index());
            }
            if (place < m_graph.ops.size()) m_twins.push_back(*it);
        }
        std::sort(m_twins.begin(), m_twins.end(), [this](OpId a, OpId b) {
            return std::pair(m_place[a.index()], a) < std::pair(m_place[b.index()], b);
        });
    }

    void put(Op op, OpId given, const std::vector<StorageId> &inputs)
    {
        op.inputs = inputs;
        m_steered.graph.ops.push_back(std::move(op));
        m_steered.opOf.push_back(given);
        m_steered.costs.timeUs.push_back(m_costs.time(given));
        m_steered.costs.workspaceBytes.push_back(m_costs.workspace(given));
    }

    /// What an op after the forward pass reads: the twins' copies where there are any.
    std::vector<StorageId> readsAfter(const Op &op) const
    {
        std::vector<StorageId> inputs = op.inputs;
        for (StorageId &input : inputs)
            if (m_copy[input.index()] && !m_graph.storage(input).isOutput) input = m_copy[input.index()];
        return inputs;
    }

    void putOp(OpId id)
    {
        Op op = m_graph.op(id);
        if (op.forwardOp) op.forwardOp = m_newId[op.forwardOp.index()];
        m_newId[id.index()] = OpId(m_steered.graph.ops.size());
        const std::vector<StorageId> inputs = id.index() < m_backward ? op.inputs : readsAfter(op);
        put(std::move(op), id, inputs);
    }

    /// The twin goes with the backward op that it is placed before, so that partitions put the two together.
    void putTwin(OpId id)
    {
        Op twin = m_graph.op(id);
        const OpId with = m_pairs[m_place[id.index()]];
        twin.name = unused(m_opNames, twin.name);
        twin.phase = Phase::Backward;
        twin.forwardOp = with ? m_newId[with.index()] : OpId();
        twin.sequence = -1;
        twin.node = {};
        for (StorageId &output : twin.outputs) {
            Storage copy = m_graph.storage(output);
            copy.name = unused(m_storageNames, copy.name);
            copy.isOutput = false;
            m_steered.graph.storages.push_back(std::move(copy));
            m_steered.storageOf.push_back(output);
            const StorageId made(m_steered.graph.storages.size() - 1);
            m_copy[output.index()] = made;
            output = made;
        }
        const std::vector<StorageId> inputs = readsAfter(twin);
        put(std::move(twin), id, inputs);
    }

    static std::string unused(std::unordered_set<std::string> &names, const std::string &name)
    {
        std::string free = name + " again";
        while (!names.insert(free).second)
            free += " again";
        return free;
    }

    void limitComputations()
    {
        const auto once = [this](OpId given) {
            m_steered.graph.ops[m_newId[given.index()].index()].computeOnce = true;
        };
        for (const OpId op : m_pins.never)
            once(op);
        for (const StorageId storage : m_pins.keep)
            if (const OpId maker = m_graph.storage(storage).producer) once(maker);
        if (!m_strict) return;
        for (const OpId op : m_pins.recompute)
            for (const StorageId output : m_graph.op(op).outputs)
                for (const OpId reader : m_readers[output.index()])
                    if (reader.index() < m_backward &&
                        !std::binary_search(m_pins.recompute.begin(), m_pins.recompute.end(), reader))
                        once(reader);
    }

    const Graph &m_graph;
    const CostTable &m_costs;
    const Pins &m_pins;
    const bool m_strict;
    const std::size_t m_backward;
    const std::vector<std::vector<OpId>> m_readers;
    const std::vector<OpId> m_pairs;
    std::vector<std::size_t> m_place; ///< per op of the given graph: its twin stands before this one; past all: none
    std::vector<OpId> m_newId;        ///< per op of the given graph
    std::vector<StorageId> m_copy;    ///< per storage of the given graph: the twin's; may be none
    std::vector<OpId> m_twins;        ///< ops that get one, in the order of the twins
    std::size_t m_nextTwin = 0;
    std::unordered_set<std::string> m_opNames, m_storageNames;
    SteeredGraph m_steered;
};

/// Renames the steps, with both copies of a storage as one.
class Way
{
public:
    Way(const Graph &graph, const Pins &pins, const SteeredGraph &steered)
        : m_graph(graph),
          m_steered(steered),
          m_pinned(graph.ops.size(), 0),
          m_read(steered.graph.storages.size(), 0),
          m_versions(graph.storages.size(), 0),
          m_madeAfter(graph.storages.size(), 0),
          m_lastForward(firstBackwardOp(graph))
    {
        for (const OpId op : pins.recompute)
            m_pinned[op.index()] = 1;
        for (const Op &op : steered.graph.ops)
            for (const StorageId input : op.inputs)
                m_read[input.index()] = 1;
    }

    std::vector<Step> rename(const std::vector<Step> &steps)
    {
        for (const Step &step : steps) {
            if (step.kind == StepKind::Compute)
                compute(step.op);
            else
                other(step);
        }
        return std::move(m_steps);
    }

private:
    /// One bit for the op's own copy, one for its twin's.
    unsigned bit(StorageId version) const { return m_steered.storageOf[version.index()] == version ? 1U : 2U; }

    /// All that is read of what the op makes is there already, from this side of the end of the forward pass.
    bool isThere(const Op &op) const
    {
        return std::all_of(op.outputs.begin(), op.outputs.end(), [this](StorageId version) {
            const std::size_t s = m_steered.storageOf[version.index()].index();
            return !m_read[version.index()] || (m_versions[s] != 0 && m_madeAfter[s] == m_after);
        });
    }

    void compute(OpId id)
    {
        const Op &op = m_steered.graph.op(id);
        const OpId given = m_steered.opOf[id.index()];
        const bool pinned = m_pinned[given.index()] != 0;
        const bool needless = pinned && m_after && isThere(op);
        for (const StorageId version : op.outputs) {
            const StorageId storage = m_steered.storageOf[version.index()];
            unsigned &versions = m_versions[storage.index()];
            if (pinned && versions != 0 && m_after && !m_madeAfter[storage.index()] &&
                !m_graph.storage(storage).isOutput) {
                m_steps.push_back(Step::free(storage));
                m_madeAfter[storage.index()] = m_after;
            }
            if (versions == 0) m_madeAfter[storage.index()] = m_after;
        }
        if (!needless) m_steps.push_back(Step::compute(given));
        for (const StorageId version : op.outputs)
            m_versions[m_steered.storageOf[version.index()].index()] |= bit(version);
        if (given.index() + 1 == m_lastForward) m_after = true;
    }

    void other(const Step &step)
    {
        const StorageId storage = m_steered.storageOf[step.storage.index()];
        unsigned &versions = m_versions[storage.index()];
        if (step.kind == StepKind::Free) {
            versions &= ~bit(step.storage);
            if (versions == 0) m_steps.push_back(Step::free(storage));
        } else if (step.kind == StepKind::Offload) {
            m_steps.push_back(Step::offload(storage));
        } else {
            if (versions == 0) m_steps.push_back(Step::prefetch(storage));
            versions |= bit(step.storage);
        }
    }

    const Graph &m_graph;
    const SteeredGraph &m_steered;
    std::vector<char> m_pinned;
    std::vector<char> m_read;         ///< per storage of the steered graph
    std::vector<unsigned> m_versions; ///< per storage of the given graph: copies on the device
    std::vector<char> m_madeAfter;    ///< per storage of the given graph: by an op after the forward pass
    std::size_t m_lastForward;
    bool m_after = false; ///< the forward pass has ended
    std::vector<Step> m_steps;
};

} // namespace

Expected<SteeredGraph> steerGraph(const Graph &graph, const CostTable &costs, const Pins &pins, Strictness strictness)
{
    if (const Expected<void> possible = checkPins(graph, pins); !possible) return tl::unexpected(possible.error());
    return Builder(graph, costs, pins, strictness).build();
}

std::vector<Step> plainSteps(const Graph &graph, const Pins &pins, const SteeredGraph &steered,
                             const std::vector<Step> &steps)
{
    std::vector<Step> plain = Way(graph, pins, steered).rename(steps);
    const bool copies = std::any_of(plain.begin(), plain.end(), [](const Step &step) {
        return step.kind == StepKind::Offload || step.kind == StepKind::Prefetch;
    });
    if (copies || pins.recompute.empty()) return plain;
    Plan plan;
    plan.steps = std::move(plain);
    return withEarliestFrees(graph, repaired(graph, pins, dropUselessRecomputes(graph, computeSequence(plan))));
}

} // namespace remat::steer
