// SPDX-License-Identifier: Apache-2.0
#include "solvers/hiremate/partition/partition.h"

#include <algorithm>
#include <string_view>

namespace remat::hiremate {

namespace {

/// The first `depth` parts of a path such as `transformer.h.11`; all of it when it has fewer.
std::string_view prefix(const std::string &path, int depth)
{
    std::size_t end = 0;
    for (int part = 0; part < depth; ++part) {
        if (end >= path.size()) return path;
        end = std::min(path.find('.', end + 1), path.size());
    }
    return std::string_view(path).substr(0, end);
}

/// Cuts the ops between two positions, which are in the same module down to `depth`.
class Descent
{
public:
    Descent(const OpLine &line, const PartitionSizes &sizes) : m_line(line), m_sizes(sizes)
    {
        for (int i = 0; i < line.end(); ++i)
            m_paths.push_back(&line.flat().graph->op(OpId(i)).module);
    }

    std::vector<int> cut(int from, int to, int depth) const
    {
        if (m_line.size(from, to) <= m_sizes.maxOps) return {from, to};
        const int deeper = firstDifference(from, to, depth);
        if (deeper == 0) return bottomToTop(m_line, from, to, m_sizes);
        std::vector<int> children = {from};
        for (int i = from + 1; i < to; ++i)
            if (prefix(*m_paths[i], deeper) != prefix(*m_paths[i - 1], deeper)) children.push_back(i);
        children.push_back(to);
        children = agglomerate(m_line, std::move(children), m_sizes, Growth::ToSmallest);
        std::vector<int> positions = {from};
        for (std::size_t c = 1; c < children.size(); ++c) {
            const std::vector<int> inner = cut(children[c - 1], children[c], deeper);
            positions.insert(positions.end(), inner.begin() + 1, inner.end());
        }
        return positions;
    }

private:
    /// The depth at which the ops are no longer all in one module; 0 when they are all in the very same one.
    int firstDifference(int from, int to, int depth) const
    {
        const bool same = std::all_of(m_paths.begin() + from, m_paths.begin() + to,
                                      [&](const std::string *path) { return *path == *m_paths[from]; });
        if (same) return 0;
        for (int deeper = depth + 1;; ++deeper)
            for (int i = from + 1; i < to; ++i)
                if (prefix(*m_paths[i], deeper) != prefix(*m_paths[from], deeper)) return deeper;
    }

    const OpLine &m_line;
    const PartitionSizes &m_sizes;
    std::vector<const std::string *> m_paths; ///< per forward op
};

} // namespace

std::vector<int> moduleTreePositions(const OpLine &line, const PartitionSizes &sizes)
{
    // What is too small may now go with a neighbour in another module.
    return agglomerate(line, Descent(line, sizes).cut(0, line.end(), 0), sizes, Growth::ToSmallest);
}

} // namespace remat::hiremate
