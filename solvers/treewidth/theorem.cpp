// SPDX-License-Identifier: Apache-2.0
#include "solvers/treewidth/theorem.h"

#include "solvers/tools/translate.h"

#include <algorithm>
#include <cmath>

namespace remat::separators {

namespace {

/// Which ops an op depends on, through what is not kept.
class Ancestors
{
public:
    explicit Ancestors(const std::vector<std::vector<int>> &reads) : m_words((reads.size() + 63) / 64)
    {
        m_bits.resize(reads.size() * m_words);
        for (std::size_t op = 0; op < reads.size(); ++op)
            for (const int read : reads[op]) {
                const auto from = static_cast<std::size_t>(read);
                for (std::size_t word = 0; word < m_words; ++word)
                    m_bits[op * m_words + word] |= m_bits[from * m_words + word];
                m_bits[op * m_words + from / 64] |= std::uint64_t(1) << (from % 64);
            }
    }

    bool has(int op, int ancestor) const
    {
        const auto at = static_cast<std::size_t>(ancestor);
        return (m_bits[static_cast<std::size_t>(op) * m_words + at / 64] >> (at % 64) & 1U) != 0;
    }

private:
    const std::size_t m_words;
    std::vector<std::uint64_t> m_bits;
};

/// Per op the ops that make what it reads and is not kept, each once.
std::vector<std::vector<int>> readsOf(const FlatGraph &flat, const std::vector<char> &kept)
{
    std::vector<std::vector<int>> reads(static_cast<std::size_t>(flat.ops));
    for (int op = 0; op < flat.ops; ++op) {
        std::vector<int> &list = reads[op];
        for (const int s : flat.inputs[op])
            if (!kept[s]) list.push_back(flat.producer[s]);
        std::sort(list.begin(), list.end());
        list.erase(std::unique(list.begin(), list.end()), list.end());
    }
    return reads;
}

class TheoremWalk
{
public:
    TheoremWalk(const FlatGraph &flat, const OpGraph &graph, const Dissection &dissection, const SolveContext &context)
        : m_flat(flat),
          m_dissection(dissection),
          m_context(context),
          m_most(mostRecomputes(flat, context) + static_cast<std::size_t>(flat.ops)),
          m_reads(readsOf(flat, graph.kept)),
          m_ancestors(m_reads),
          m_own(dissection.regions.size()),
          m_there(static_cast<std::size_t>(flat.ops), 0),
          m_computed(m_there),
          m_pins(static_cast<std::size_t>(flat.ops), 0)
    {
        for (int op = 0; op < flat.ops; ++op)
            m_own[homeOf(op)].push_back(op);
    }

    std::vector<OpId> run(const std::vector<char> &kept)
    {
        // What is kept and read ties no regions together, so it has to be there before they are worked through.
        for (int op = 0; op < m_flat.ops; ++op)
            if (std::any_of(m_flat.outputs[op].begin(), m_flat.outputs[op].end(),
                            [&](int s) { return kept[s] && !m_flat.readers[s].empty(); }))
                makeFirst(op);
        for (const std::vector<int> &own : m_own)
            for (const int op : own)
                makeFirst(op);
        return std::move(m_sequence);
    }

private:
    int homeOf(int op) const { return m_dissection.regionOfNode[op]; }
    bool inside(int region, int outer) const
    {
        const Region &of = m_dissection.regions[outer];
        return of.begin <= region && region < of.end;
    }

    void makeFirst(int op)
    {
        if (!m_computed[op]) make(op);
    }

    void make(int op)
    {
        std::vector<int> path;
        for (int region = homeOf(op); region >= 0; region = m_dissection.regions[region].parent)
            path.push_back(region);
        std::reverse(path.begin(), path.end());
        for (const int region : path)
            for (const int each : m_own[region])
                if (!m_there[each] && (each == op || m_ancestors.has(op, each))) compute(each);
    }

    void compute(int op)
    {
        open(homeOf(op));
        for (const int read : m_reads[op]) {
            if (!m_there[read]) make(read);
            ++m_pins[read];
        }
        if (m_context.shouldStop()) throw TimeUp{};
        checkLength(m_sequence.size(), m_most);
        m_sequence.emplace_back(op);
        m_computed[op] = m_there[op] = 1;
        for (const int read : m_reads[op])
            if (--m_pins[read] == 0 && !inside(m_open, homeOf(read))) m_there[read] = 0;
    }

    /// Puts a region on the path of those in which the work is.
    void open(int region)
    {
        if (inside(m_open, region)) return;
        for (; !inside(region, m_open); m_open = m_dissection.regions[m_open].parent)
            for (const int op : m_own[m_open])
                if (m_pins[op] == 0) m_there[op] = 0;
        m_open = region;
    }

    const FlatGraph &m_flat;
    const Dissection &m_dissection;
    const SolveContext &m_context;
    const std::size_t m_most;
    const std::vector<std::vector<int>> m_reads;
    const Ancestors m_ancestors;
    std::vector<std::vector<int>> m_own; ///< per region the ops of its separator, in the graph's order
    std::vector<char> m_there, m_computed;
    std::vector<int> m_pins; ///< computations under way that read it
    int m_open = 0;          ///< the innermost region of the path; the root is always on it
    std::vector<OpId> m_sequence;
};

} // namespace

TheoremBound theoremBound(int ops, int separator, int reads)
{
    const double levels = std::floor(std::log2(ops)) + 1;
    const double most = std::max(reads, 1);
    TheoremBound bound;
    bound.heldOps = levels * (separator + most - 1) + 2;
    bound.computations = ops * (std::pow(separator * most + 1, levels) - 1) / most;
    return bound;
}

std::vector<OpId> theoremSequence(const FlatGraph &flat, const OpGraph &graph, const Dissection &dissection,
                                  const SolveContext &context)
{
    return dropUselessRecomputes(*flat.graph, TheoremWalk(flat, graph, dissection, context).run(graph.kept));
}

} // namespace remat::separators
