// SPDX-License-Identifier: Apache-2.0
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
          m_homes(graph.storages.size()),
          m_whole(graph.storages.size(), false)
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
            read = mixed(read, m_graph.planned(input) ? m_held[input.index()] : m_homes[input.index()]);
        }
        for (const StorageId updated : m_graph.op(op).updates)
            fill(m_graph.planned(updated) ? m_held[updated.index()] : m_homes[updated.index()], read);
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
    void bringHome(StorageId storage, std::span<const std::byte> bytes) override
    {
        std::copy(bytes.begin(), bytes.end(), m_homes[storage.index()].begin());
        m_whole[storage.index()] = true;
    }
    Expected<void> computeOnHost(OpId op, const std::vector<std::span<std::byte>> &copies) override
    {
        const std::vector<StorageId> &inputs = m_graph.op(op).inputs;
        const auto at = [&](std::size_t i) {
            return m_graph.planned(inputs[i]) ? copies[i] : std::span<std::byte>(m_homes[inputs[i].index()]);
        };
        std::uint64_t read = op.value;
        for (std::size_t i = 0; i < inputs.size(); ++i)
            read = mixed(read, at(i));
        for (std::size_t i = 0; i < inputs.size(); ++i)
            if (mayWrite(m_graph.op(op), inputs[i])) fill(at(i), read);
        return {};
    }

    /// Gives everything back, as after a failure.
    void dropAll(RunMemory &memory)
    {
        for (std::size_t s = 0; s < m_held.size(); ++s)
            if (m_there[s]) static_cast<void>(drop(StorageId(s), memory));
    }
    /// Every whole copy of what the ops have updated, on the device and in host memory: a right run leaves one at
    /// least, and all of one storage are the same. Empty where it is not so.
    std::vector<std::vector<std::byte>> updated() const
    {
        std::vector<std::vector<std::byte>> result;
        for (const Op &op : m_graph.ops)
            for (const StorageId storage : op.updates) {
                const std::size_t s = storage.index();
                const bool resident = !m_graph.planned(storage), there = !resident && m_there[s];
                std::vector<std::byte> copy =
                    there ? std::vector<std::byte>(m_held[s].begin(), m_held[s].end()) : m_homes[s];
                if (!resident && !there && !m_whole[s]) return {};
                if (there && m_whole[s] && copy != m_homes[s]) return {};
                result.push_back(std::move(copy));
            }
        return result;
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
    static std::uint64_t mixed(std::uint64_t read, std::span<const std::byte> bytes)
    {
        for (const std::byte byte : bytes)
            read = (read ^ static_cast<std::uint64_t>(byte)) * 0x100000001b3ULL;
        return read;
    }
    static void fill(std::span<std::byte> bytes, std::uint64_t seed)
    {
        for (std::byte &byte : bytes) {
            seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
            byte = static_cast<std::byte>(seed >> 56);
        }
    }
    static std::vector<std::byte> content(std::uint64_t seed, std::int64_t bytes)
    {
        std::vector<std::byte> result(static_cast<std::size_t>(bytes));
        fill(result, seed);
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
    std::vector<bool> m_whole; ///< per storage: a whole copy came home
};

} // namespace remat::test
