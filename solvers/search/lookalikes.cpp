// SPDX-License-Identifier: Apache-2.0
#include "solvers/search/lookalikes.h"

#include "core/clusters/structure_hash.h"

#include <map>

namespace remat::search {

namespace {

constexpr int kReach = 2; ///< ops that a class looks around itself

std::vector<std::uint64_t> looks(const FlatGraph &flat)
{
    std::vector<std::uint64_t> hashes(flat.ops);
    for (int i = 0; i < flat.ops; ++i) {
        StructureHash hash;
        hash.add(flat.timeUs[i]);
        hash.add(flat.workspaceBytes[i]);
        hash.add(static_cast<std::int64_t>(flat.once[i]));
        hash.add(static_cast<std::int64_t>(i < flat.forwardOps));
        for (const int s : flat.outputs[i])
            hash.add(flat.bytes[s]);
        hashes[i] = hash.value();
    }
    for (int round = 0; round < kReach; ++round) {
        std::vector<std::uint64_t> next(flat.ops);
        for (int i = 0; i < flat.ops; ++i) {
            StructureHash hash;
            hash.add(hashes[i]);
            for (const int s : flat.inputs[i])
                hash.add(flat.producer[s] >= 0 ? hashes[flat.producer[s]] : 0);
            std::uint64_t readers = 0; // a sum, since their order says nothing
            for (const int s : flat.outputs[i])
                for (const int reader : flat.readers[s])
                    readers += hashes[reader];
            hash.add(readers);
            next[i] = hash.value();
        }
        hashes = std::move(next);
    }
    return hashes;
}

} // namespace

Lookalikes::Lookalikes(const FlatGraph &flat) : m_forwardOps(flat.forwardOps), m_class(flat.ops), m_place(flat.ops)
{
    const std::vector<std::uint64_t> hashes = looks(flat);
    std::map<std::uint64_t, int> classes;
    for (int i = 0; i < flat.ops; ++i) {
        const auto [it, isNew] = classes.emplace(hashes[i], static_cast<int>(m_members.size()));
        if (isNew) m_members.emplace_back();
        m_class[i] = it->second;
        m_place[i] = static_cast<int>(m_members[it->second].size());
        m_members[it->second].push_back(i);
    }
}

int Lookalikes::shifted(int op, int layers) const
{
    const std::vector<int> &members = alike(op);
    const int place = m_place[op] + (op < m_forwardOps ? layers : -layers);
    return place >= 0 && place < static_cast<int>(members.size()) ? members[place] : -1;
}

} // namespace remat::search
