// SPDX-License-Identifier: Apache-2.0
#include "solvers/blocks/cut_points.h"
#include "solvers/hiremate/partition/partition.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <queue>
#include <tuple>

namespace remat::hiremate {

namespace {

/// Groups of forward ops that grow together.
class Growing
{
public:
    Growing(const OpLine &line, const std::vector<int> &groupOfOp, int maxOps)
        : m_flat(line.flat()),
          m_maxOps(maxOps),
          m_groupOfOp(groupOfOp.begin(), groupOfOp.begin() + line.flat().forwardOps)
    {
        const int groups = 1 + *std::max_element(m_groupOfOp.begin(), m_groupOfOp.end());
        m_size.assign(groups, 0);
        m_storages.resize(groups);
        m_version.assign(groups, 0);
        m_into.resize(groups);
        std::iota(m_into.begin(), m_into.end(), 0);
        for (int op = 0; op < m_flat.forwardOps; ++op)
            m_size[m_groupOfOp[op]] += line.size(op, op + 1);
        addStorages();
        for (int group = 0; group < groups; ++group)
            enterPairs(group);
    }

    std::vector<int> grow()
    {
        while (!m_open.empty()) {
            const Pair pair = m_open.top();
            m_open.pop();
            if (m_version[pair.a] == pair.versionA && m_version[pair.b] == pair.versionB) join(pair.a, pair.b);
        }
        std::vector<int> labels;
        std::vector<int> number(m_size.size(), -1);
        int next = 0;
        for (const int group : m_groupOfOp) {
            int &own = number[find(group)];
            if (own < 0) own = next++;
            labels.push_back(own);
        }
        return labels;
    }

private:
    struct Pair {
        double score = 0;
        int a = 0, b = 0, versionA = 0, versionB = 0;
        bool operator>(const Pair &other) const
        {
            return std::tie(score, a, b) > std::tie(other.score, other.a, other.b);
        }
    };

    int find(int group)
    {
        while (m_into[group] != group)
            group = m_into[group] = m_into[m_into[group]];
        return group;
    }

    /// Which storages each group makes or reads, those left out that tie everything to everything.
    void addStorages()
    {
        const std::vector<char> tiny = chain::tinyStorages(m_flat);
        m_touching.resize(m_flat.storages());
        for (int s = 0; s < m_flat.storages(); ++s) {
            const int made = m_flat.producer[s];
            if (made < 0 || made >= m_flat.forwardOps || tiny[s]) continue;
            std::vector<int> &groups = m_touching[s]; // the maker first
            groups.push_back(m_groupOfOp[made]);
            for (const int reader : m_flat.readers[s])
                if (reader < m_flat.forwardOps) groups.push_back(m_groupOfOp[reader]);
            for (const int group : groups)
                if (m_storages[group].empty() || m_storages[group].back() != s) m_storages[group].push_back(s);
        }
    }

    /// What passes into and out of the union of two groups.
    double bytesAround(int a, int b)
    {
        m_both.clear();
        std::set_union(m_storages[a].begin(), m_storages[a].end(), m_storages[b].begin(), m_storages[b].end(),
                       std::back_inserter(m_both));
        double bytes = 0;
        for (const int s : m_both)
            if (std::any_of(m_touching[s].begin(), m_touching[s].end(), [&](int group) {
                    const int now = find(group);
                    return now != a && now != b;
                }))
                bytes += static_cast<double>(m_flat.bytes[s]);
        return bytes;
    }

    void enterPairs(int group)
    {
        std::vector<int> beside;
        for (const int s : m_storages[group]) {
            const int maker = find(m_touching[s].front());
            if (maker != group) {
                beside.push_back(maker);
                continue;
            }
            for (const int reader : m_touching[s])
                if (find(reader) != group) beside.push_back(find(reader));
        }
        std::sort(beside.begin(), beside.end());
        beside.erase(std::unique(beside.begin(), beside.end()), beside.end());
        for (const int other : beside) {
            const int together = m_size[group] + m_size[other];
            if (together > m_maxOps) continue;
            const int a = std::min(group, other), b = std::max(group, other);
            m_open.push({bytesAround(a, b) * std::sqrt(std::max(together, 1)), a, b, m_version[a], m_version[b]});
        }
    }

    void join(int a, int b)
    {
        m_into[b] = a;
        m_size[a] += m_size[b];
        ++m_version[a];
        ++m_version[b];
        std::vector<int> storages;
        std::set_union(m_storages[a].begin(), m_storages[a].end(), m_storages[b].begin(), m_storages[b].end(),
                       std::back_inserter(storages));
        // What only the union itself makes and reads is nobody else's business any more.
        storages.erase(std::remove_if(storages.begin(), storages.end(),
                                      [&](int s) {
                                          return std::all_of(m_touching[s].begin(), m_touching[s].end(),
                                                             [&](int group) { return find(group) == a; });
                                      }),
                       storages.end());
        m_storages[a] = std::move(storages);
        m_storages[b].clear();
        enterPairs(a);
    }

    const FlatGraph &m_flat;
    const int m_maxOps;
    std::vector<int> m_groupOfOp; ///< per forward op: its first group
    std::vector<int> m_into;      ///< per group: the one that it went into, or itself
    std::vector<int> m_size;
    std::vector<int> m_version;               ///< per group: how often it has changed
    std::vector<std::vector<int>> m_storages; ///< per group, ascending: those that it shares with others
    std::vector<std::vector<int>> m_touching; ///< per storage: first groups
    std::vector<int> m_both;
    std::priority_queue<Pair, std::vector<Pair>, std::greater<>> m_open;
};

/// Backward ops follow their forward ops, wherever those stand.
void followForward(const FlatGraph &flat, std::vector<int> &labels)
{
    for (const int wish : chain::forwardStages(flat, labels))
        labels.push_back(wish >= 0 ? wish : labels.back());
}

} // namespace

std::vector<int> growSubgraphs(const OpLine &line, const std::vector<int> &groupOfOp, int maxOps)
{
    std::vector<int> labels = Growing(line, groupOfOp, maxOps).grow();
    followForward(line.flat(), labels);
    return labels;
}

std::vector<int> subgraphLabels(const OpLine &line, const PartitionSizes &sizes)
{
    std::vector<int> each(line.flat().ops);
    std::iota(each.begin(), each.end(), 0);
    return growSubgraphs(line, each, sizes.maxOps);
}

} // namespace remat::hiremate
