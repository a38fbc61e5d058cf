// Ops without LibTorch: each makes bytes that depend on every byte it reads, so that one wrong byte anywhere is seen at
// the end.
#pragma once

#include "gpu/engine/engine.h"

#include <algorithm>
#include <cstring>
#include <vector>

namespace remat::test {

/// What every op of a graph allocates when it is computed by a SyntheticRunner: its outputs in order, then workspace.
inline OpAllocations syntheticAllocations(const Graph &graph, const CostTable &costs)
{
    OpAllocations result(graph.ops.size());
    for (std::size_t op = 0; op < result.size(); ++op) {
        const std::vector<StorageId> &outputs = graph.ops[op].outputs;
        for (std::size_t i = 0; i < outputs.size(); ++i)
            if (graph.storage(outputs[i]).bytes > 0)
                result[op].push_back({graph.storage(outputs[i]).bytes, static_cast<int>(i), 0});
        if (costs.workspace(OpId(op)) > 0) result[op].push_back({costs.workspace(OpId(op)), -1, 0});
    }
    return result;
}

class SyntheticRunner final : public StepRunner
{
public:
    SyntheticRunner(const Graph &graph, const CostTable &costs)
        : m_graph(graph),
          m_costs(costs),
          m_held(graph.storages.size()),
          m_there(graph.storages.size(), false),
          m_homes(graph.storages.size())
    {
        for (std::size_t s = 0; s < graph.storages.size(); ++s)
            if (isResident(graph.storages[s].kind)) m_homes[s] = content(0x5eed + s, graph.storages[s].bytes);
    }

    Expected<void> compute(OpId op, RunMemory &memory) override
    {
        std::uint64_t read = op.value;
        for (const StorageId input : m_graph.op(op).inputs) {
            if (m_graph.planned(input) && !m_there[input.index()])
                return fail("Op " + m_graph.op(op).name + " reads what is not there.");
            const auto bytes = m_graph.planned(input) ? std::span<const std::byte>(m_held[input.index()])
                                                      : std::span<const std::byte>(m_homes[input.index()]);
            for (const std::byte byte : bytes)
                read = (read ^ static_cast<std::uint64_t>(byte)) * 0x100000001b3ULL;
        }
        std::vector<std::byte *> second;
        std::uint64_t number = 0;
        for (const StorageId output : m_graph.op(op).outputs) {
            const std::int64_t bytes = m_graph.storage(output).bytes;
            std::byte *at = nullptr;
            if (bytes > 0) {
                const Expected<std::byte *> taken = memory.take(bytes);
                if (!taken) return giveAll(second, memory, taken.error());
                if (!*taken) return giveAll(second, memory, {"An output has no place."});
                at = *taken;
            }
            const std::vector<std::byte> made = content(read + 77 * ++number, bytes);
            std::copy(made.begin(), made.end(), at);
            if (m_there[output.index()]) {
                if (at) second.push_back(at);
                continue;
            }
            m_held[output.index()] = {at, static_cast<std::size_t>(bytes)};
            m_there[output.index()] = true;
        }
        if (const std::int64_t bytes = m_costs.workspace(op); bytes > 0) {
            const Expected<std::byte *> taken = memory.take(bytes);
            if (!taken) return giveAll(second, memory, taken.error());
            std::memset(*taken, 0x77, static_cast<std::size_t>(bytes));
            second.push_back(*taken);
        }
        for (std::byte *at : second)
            memory.give(at);
        return {};
    }

    Expected<void> drop(StorageId storage, RunMemory &memory) override
    {
        if (!m_held[storage.index()].empty()) memory.give(m_held[storage.index()].data());
        m_held[storage.index()] = {};
        m_there[storage.index()] = false;
        return {};
    }
    std::span<std::byte> bytesOf(StorageId storage) override { return m_held[storage.index()]; }
    Expected<void> adopt(StorageId storage, std::span<std::byte> bytes) override
    {
        m_held[storage.index()] = bytes;
        m_there[storage.index()] = true;
        return {};
    }
    std::span<const std::byte> homeOf(StorageId storage) override { return m_homes[storage.index()]; }

    /// Gives everything back, as after a failure.
    void dropAll(RunMemory &memory)
    {
        for (std::size_t s = 0; s < m_held.size(); ++s)
            if (m_there[s]) static_cast<void>(drop(StorageId(s), memory));
    }
    /// The bytes of what the graph gives back.
    std::vector<std::vector<std::byte>> outputs() const
    {
        std::vector<std::vector<std::byte>> result;
        for (std::size_t s = 0; s < m_held.size(); ++s)
            if (m_graph.storages[s].isOutput && m_there[s]) result.emplace_back(m_held[s].begin(), m_held[s].end());
        return result;
    }

private:
    static std::vector<std::byte> content(std::uint64_t seed, std::int64_t bytes)
    {
        std::vector<std::byte> result(static_cast<std::size_t>(bytes));
        for (std::byte &byte : result) {
            seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
            byte = static_cast<std::byte>(seed >> 56);
        }
        return result;
    }
    tl::unexpected<Error> giveAll(const std::vector<std::byte *> &second, RunMemory &memory, const Error &error) const
    {
        for (std::byte *at : second)
            memory.give(at);
        return tl::unexpected(error);
    }

    const Graph &m_graph;
    const CostTable &m_costs;
    std::vector<std::span<std::byte>> m_held;
    std::vector<bool> m_there;
    std::vector<std::vector<std::byte>> m_homes;
};

} // namespace remat::test
