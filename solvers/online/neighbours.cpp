// SPDX-License-Identifier: Apache-2.0
#include "solvers/online/neighbours.h"

#include <algorithm>
#include <numeric>

namespace remat::online {

namespace {

template <class Visit>
void forParents(const FlatGraph &flat, int storage, const Visit &visit)
{
    for (const int parent : flat.inputs[flat.producer[storage]])
        visit(parent);
}

template <class Visit>
void forChildren(const FlatGraph &flat, int storage, const Visit &visit)
{
    for (const int reader : flat.readers[storage])
        for (const int child : flat.outputs[reader])
            visit(child);
}

} // namespace

std::vector<int> evictedNeighbours(const Runtime &runtime, int storage, Around around)
{
    std::vector<int> found;
    const auto add = [&](int other) {
        if (runtime.evicted(other)) found.push_back(other);
    };
    forParents(runtime.flat(), storage, add);
    if (around == Around::Both)
        forChildren(runtime.flat(), storage, add);
    else
        for (const int twin : runtime.flat().outputs[runtime.flat().producer[storage]])
            if (twin != storage) add(twin);
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
}

Neighbourhood::Neighbourhood(Runtime &runtime)
    : m_runtime(runtime),
      m_sums(static_cast<std::size_t>(runtime.flat().storages())),
      m_seen(m_sums.size(), 0),
      m_opSeen(static_cast<std::size_t>(runtime.flat().ops), 0)
{
    runtime.onEvicted = [this](int storage) { forget(storage); };
    runtime.onBack = [this](int storage) { forget(storage); };
}

template <class Visit>
void Neighbourhood::walk(int storage, bool up, const Visit &visit)
{
    ++m_walk;
    m_seen[storage] = m_walk;
    m_stack.assign(1, storage);
    while (!m_stack.empty()) {
        const int from = m_stack.back();
        m_stack.pop_back();
        const auto meet = [&](int other) {
            if (m_seen[other] == m_walk) return;
            m_seen[other] = m_walk;
            visit(other);
            if (m_runtime.evicted(other)) m_stack.push_back(other);
        };
        if (up)
            forParents(m_runtime.flat(), from, meet);
        else
            forChildren(m_runtime.flat(), from, meet);
    }
}

const Neighbourhood::Sums &Neighbourhood::sums(int storage)
{
    Sums &sums = m_sums[storage];
    if (sums.valid) return sums;
    const FlatGraph &flat = m_runtime.flat();
    const auto sumUp = [&](bool up) {
        double us = 0;
        walk(storage, up, [&](int other) {
            const int op = flat.producer[other];
            if (!m_runtime.evicted(other) || m_opSeen[op] == m_walk || op == flat.producer[storage]) return;
            m_opSeen[op] = m_walk;
            us += flat.timeUs[op];
        });
        return us;
    };
    sums.ancestorsUs = sumUp(true);
    sums.descendantsUs = sumUp(false);
    sums.valid = true;
    return sums;
}

void Neighbourhood::forget(int storage)
{
    m_sums[storage].valid = false;
    for (const bool up : {true, false})
        walk(storage, up, [&](int other) { m_sums[other].valid = false; });
}

double Neighbourhood::ancestorsUs(int storage)
{
    return sums(storage).ancestorsUs;
}

double Neighbourhood::descendantsUs(int storage)
{
    return sums(storage).descendantsUs;
}

EvictedClasses::EvictedClasses(Runtime &runtime, Around around)
    : m_runtime(runtime), m_around(around), m_node(static_cast<std::size_t>(runtime.flat().storages()), -1)
{
    runtime.onEvicted = [this](int storage) { add(storage); };
    runtime.onBack = [this](int storage) { remove(storage); };
}

int EvictedClasses::root(int node)
{
    while (m_parent[node] != node) {
        m_parent[node] = m_parent[m_parent[node]];
        node = m_parent[node];
    }
    return node;
}

void EvictedClasses::add(int storage)
{
    const auto node = static_cast<int>(m_parent.size());
    m_parent.push_back(node);
    m_costUs.push_back(m_runtime.flat().timeUs[m_runtime.flat().producer[storage]]);
    m_node[storage] = node;
    for (const int other : evictedNeighbours(m_runtime, storage, m_around)) {
        if (m_node[other] < 0) continue;
        const int theirs = root(m_node[other]);
        const int ours = root(node);
        if (theirs == ours) continue;
        m_parent[ours] = theirs;
        m_costUs[theirs] += m_costUs[ours];
    }
}

void EvictedClasses::remove(int storage)
{
    if (m_node[storage] < 0) return;
    const int at = root(m_node[storage]);
    m_costUs[at] = std::max(0.0, m_costUs[at] - m_runtime.flat().timeUs[m_runtime.flat().producer[storage]]);
    m_node[storage] = -1;
}

double EvictedClasses::neighboursUs(int storage)
{
    std::vector<int> classes;
    for (const int other : evictedNeighbours(m_runtime, storage, m_around))
        if (m_node[other] >= 0) classes.push_back(root(m_node[other]));
    std::sort(classes.begin(), classes.end());
    classes.erase(std::unique(classes.begin(), classes.end()), classes.end());
    return std::accumulate(classes.begin(), classes.end(), 0.0, [&](double sum, int c) { return sum + m_costUs[c]; });
}

} // namespace remat::online
