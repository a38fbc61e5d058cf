// SPDX-License-Identifier: Apache-2.0
#include "core/teaching/puzzles/cluster_puzzle.h"

#include "core/plan/simulator.h"

#include <algorithm>
#include <fmt/core.h>
#include <limits>

namespace remat {

namespace {

constexpr const char *kRest = "rest_of_network";

class Extractor
{
public:
    /// With `onlyResults` what others read is no result: nobody needs them.
    Extractor(const Graph &graph, const CostTable &costs, std::vector<OpId> ops, bool onlyResults)
        : m_graph(graph),
          m_costs(costs),
          m_ops(std::move(ops)),
          m_onlyResults(onlyResults),
          m_inside(graph.ops.size()),
          m_ids(graph.storages.size())
    {
        std::sort(m_ops.begin(), m_ops.end());
        for (const OpId op : m_ops)
            m_inside[op.index()] = 1;
    }

    void extract(Puzzle &puzzle)
    {
        findRest();
        m_puzzle = &puzzle;
        for (const OpId id : m_ops) // inputs come first, as in a file
            for (const StorageId input : m_graph.op(id).inputs)
                if (!madeInside(input) && !contains(m_fromRest, input)) addInput(input);
        bool restDone = false;
        for (const OpId id : m_ops) {
            const Op &op = m_graph.op(id);
            const bool readsRest = std::any_of(op.inputs.begin(), op.inputs.end(),
                                               [this](StorageId each) { return contains(m_fromRest, each); });
            if (readsRest && !restDone) {
                addRest();
                restDone = true;
            }
            add(op, m_costs.time(id), m_costs.workspace(id));
        }
        markOutputs(restDone);
    }

private:
    static bool contains(const std::vector<StorageId> &all, StorageId each)
    {
        return std::find(all.begin(), all.end(), each) != all.end();
    }
    bool madeInside(StorageId id) const
    {
        const OpId producer = m_graph.storage(id).producer;
        return producer && m_inside[producer.index()] != 0;
    }

    /// What comes back from outside (gradients), and what the rest reads to make it.
    void findRest()
    {
        for (const OpId id : m_ops)
            for (const StorageId input : m_graph.op(id).inputs) {
                const OpId producer = m_graph.storage(input).producer;
                if (producer && m_inside[producer.index()] == 0 && m_graph.op(producer).phase != Phase::Forward &&
                    !contains(m_fromRest, input))
                    m_fromRest.push_back(input);
            }
        for (std::size_t i = 0; i < m_graph.ops.size(); ++i)
            if (m_inside[i] == 0)
                for (const StorageId input : m_graph.ops[i].inputs)
                    if (madeInside(input) && !contains(m_readOutside, input)) m_readOutside.push_back(input);
    }

    StorageId newStorage(StorageId old, StorageKind kind)
    {
        Storage storage = m_graph.storage(old);
        storage.kind = kind;
        storage.producer = {};
        storage.isOutput = false;
        const StorageId id(m_puzzle->graph.storages.size());
        m_puzzle->graph.storages.push_back(std::move(storage));
        m_ids[old.index()] = id;
        return id;
    }

    void addInput(StorageId old)
    {
        if (m_ids[old.index()]) return;
        const StorageKind kind = m_graph.storage(old).kind;
        newStorage(old, isResident(kind) ? kind : StorageKind::Input);
    }

    void add(Op op, double timeUs, std::int64_t workspaceBytes)
    {
        const OpId id(m_puzzle->graph.ops.size());
        for (StorageId &input : op.inputs)
            input = m_ids[input.index()];
        for (StorageId &updated : op.updates)
            updated = m_ids[updated.index()];
        // A sum that was begun outside is an input here, and what adds to it does so once.
        if (op.into && !madeInside(op.into)) op.computeOnce = true;
        op.into = op.into && madeInside(op.into) ? m_ids[op.into.index()] : StorageId();
        for (StorageId &output : op.outputs) {
            const bool backward = op.phase == Phase::Backward;
            const StorageId made = newStorage(output, backward ? StorageKind::Gradient : StorageKind::Activation);
            m_puzzle->graph.storages[made.index()].producer = id;
            output = made;
        }
        op.forwardOp = {};
        op.node = {};
        op.timeUs = timeUs;
        op.workspaceBytes = workspaceBytes;
        m_puzzle->graph.ops.push_back(std::move(op));
        m_puzzle->costs.timeUs.push_back(timeUs);
        m_puzzle->costs.workspaceBytes.push_back(workspaceBytes);
    }

    void addRest()
    {
        Op rest;
        rest.name = kRest;
        rest.kind = "rest of the network";
        rest.phase = Phase::Loss;
        rest.computeOnce = true;
        for (const StorageId each : m_readOutside)
            if (m_ids[each.index()]) rest.inputs.push_back(each);
        rest.outputs = m_fromRest;
        add(std::move(rest), 0, 0);
    }

    /// Results: those of the model, gradients that go on to ops outside, and what the rest would read where there is
    /// none.
    void markOutputs(bool hasRest)
    {
        for (std::size_t s = 0; s < m_ids.size(); ++s) {
            const StorageId old(s);
            if (!m_ids[s] || !madeInside(old)) continue;
            Storage &storage = m_puzzle->graph.storages[m_ids[s].index()];
            const bool goesOn = !m_onlyResults && contains(m_readOutside, old) &&
                                (!hasRest || m_graph.op(m_graph.storage(old).producer).phase == Phase::Backward);
            storage.isOutput = m_graph.storage(old).isOutput || goesOn;
            if (storage.isOutput && storage.kind == StorageKind::Gradient)
                storage.kind = StorageKind::ParameterGradient;
        }
    }

    const Graph &m_graph;
    const CostTable &m_costs;
    std::vector<OpId> m_ops;
    bool m_onlyResults;
    std::vector<char> m_inside;   ///< per op
    std::vector<StorageId> m_ids; ///< per storage of the model: that of the puzzle
    std::vector<StorageId> m_fromRest, m_readOutside;
    Puzzle *m_puzzle = nullptr;
};

/// The ops without which a result of the puzzle cannot be made.
std::vector<OpId> neededOps(const Graph &graph)
{
    std::vector<char> wanted(graph.storages.size());
    std::vector<OpId> needed;
    for (std::size_t s = 0; s < wanted.size(); ++s)
        wanted[s] = static_cast<char>(graph.storages[s].isOutput);
    for (std::size_t i = graph.ops.size(); i-- > 0;) {
        const Op &op = graph.ops[i];
        const auto isRead = [&wanted](StorageId each) { return wanted[each.index()] != 0; };
        const bool isWanted = (op.into && isRead(op.into)) || std::any_of(op.outputs.begin(), op.outputs.end(), isRead);
        if (!isWanted && !op.computeOnce) continue;
        for (const StorageId input : op.inputs)
            wanted[input.index()] = 1;
        needed.push_back(OpId(i));
    }
    std::reverse(needed.begin(), needed.end());
    return needed;
}

Puzzle extracted(const Graph &graph, const CostTable &costs, std::vector<OpId> ops, bool onlyResults)
{
    Puzzle puzzle;
    puzzle.costs.linkBytesPerSecond = costs.linkBytesPerSecond;
    puzzle.costs.linkLatencyUs = costs.linkLatencyUs;
    Extractor(graph, costs, std::move(ops), onlyResults).extract(puzzle);
    return puzzle;
}

} // namespace

Expected<Puzzle> clusterPuzzle(const Graph &graph, const CostTable &costs, const std::vector<OpId> &ops,
                               const std::string &name)
{
    Puzzle puzzle = extracted(graph, costs, ops, false);
    const std::vector<OpId> needed = neededOps(puzzle.graph);
    if (needed.size() < puzzle.graph.ops.size()) puzzle = extracted(puzzle.graph, puzzle.costs, needed, true);
    puzzle.graph.name = name;
    puzzle.name = puzzle.title = name;
    puzzle.text = fmt::format("A part of {}.", graph.name.empty() ? std::string("a model") : graph.name);
    if (puzzle.graph.ops.size() > kMostPuzzleOps)
        return fail("It has {} ops, and a puzzle at most {}: open it and take a part.", puzzle.graph.ops.size(),
                    kMostPuzzleOps);
    Expected<Graph> finished = finishGraph(std::move(puzzle.graph));
    if (!finished) return tl::unexpected(finished.error());
    puzzle.graph = std::move(*finished);
    setSource(puzzle.costs, "graph", "");
    puzzle.budgetBytes = std::numeric_limits<std::int64_t>::max();
    if (auto sound = checkPuzzle(puzzle); !sound) return tl::unexpected(sound.error());
    const auto kept = simulatePlan(puzzle.graph, puzzle.costs, keepAllPlan(puzzle.graph));
    if (!kept) return tl::unexpected(kept.error());
    puzzle.budgetBytes = kept->peakBytes;
    return puzzle;
}

} // namespace remat
