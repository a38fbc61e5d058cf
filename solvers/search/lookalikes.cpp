// SPDX-License-Identifier: Apache-2.0
#include "solvers/search/lookalikes.h"

#include "core/clusters/structure_hash.h"

#include <functional>
#include <unordered_map>

namespace remat::search {

namespace {

constexpr int kReach = 2; ///< ops that a class looks around itself

/// What one op is, whatever stands around it.
std::uint64_t ownLook(const FlatGraph &flat, int op, Likeness likeness)
{
    StructureHash hash;
    if (likeness == Likeness::Exact) {
        hash.add(flat.timeUs[op]);
        hash.add(flat.workspaceBytes[op]);
        for (const int s : flat.outputs[op])
            hash.add(flat.bytes[s]);
    } else {
        hash.add(static_cast<std::uint64_t>(std::hash<std::string>{}(flat.graph->ops[op].kind)));
        hash.add(static_cast<std::int64_t>(flat.outputs[op].size()));
    }
    hash.add(static_cast<std::int64_t>(flat.once[op]));
    hash.add(static_cast<std::int64_t>(op < flat.forwardOps));
    return hash.value();
}

std::vector<std::uint64_t> looks(const FlatGraph &flat, Likeness likeness)
{
    std::vector<std::uint64_t> hashes(flat.ops);
    for (int i = 0; i < flat.ops; ++i)
        hashes[i] = ownLook(flat, i, likeness);
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

std::vector<int> classesOf(const FlatGraph &flat, Likeness likeness)
{
    const std::vector<std::uint64_t> hashes = looks(flat, likeness);
    std::unordered_map<std::uint64_t, int> numbers;
    numbers.reserve(hashes.size());
    std::vector<int> classes;
    classes.reserve(hashes.size());
    for (const std::uint64_t hash : hashes)
        classes.push_back(numbers.emplace(hash, static_cast<int>(numbers.size())).first->second);
    return classes;
}

Lookalikes::Lookalikes(const FlatGraph &flat)
    : m_forwardOps(flat.forwardOps), m_class(classesOf(flat, Likeness::Exact)), m_place(flat.ops)
{
    for (int i = 0; i < flat.ops; ++i) {
        const auto own = static_cast<std::size_t>(m_class[i]);
        if (own == m_members.size()) m_members.emplace_back();
        m_place[i] = static_cast<int>(m_members[own].size());
        m_members[own].push_back(i);
    }
}

int Lookalikes::shifted(int op, int layers) const
{
    const std::vector<int> &members = alike(op);
    const int place = m_place[op] + (op < m_forwardOps ? layers : -layers);
    return place >= 0 && place < static_cast<int>(members.size()) ? members[place] : -1;
}

} // namespace remat::search
