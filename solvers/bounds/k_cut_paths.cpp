// SPDX-License-Identifier: Apache-2.0
#include "solvers/bounds/k_cut_paths.h"

#include <algorithm>
#include <array>
#include <tuple>

namespace remat {

namespace {

constexpr double kLeastViolation = 0.01;
constexpr std::size_t kRowsPerPair = 2;

struct PathRow {
    double violation = 0;
    std::vector<ilp::Term> terms;
};

class PathFinder
{
public:
    PathFinder(const Graph &graph, const KCutProgram &program, const std::vector<double> &x)
        : m_graph(graph),
          m_program(program),
          m_x(x),
          m_needs(needsOf(graph)),
          m_least(graph.storages.size(), 0),
          m_from(graph.storages.size())
    {
    }

    std::vector<PathRow> run()
    {
        for (std::size_t k = 0; k < m_program.cuts(); ++k) {
            m_madeAgain.assign(m_graph.ops.size(), 0);
            for (std::size_t l = k + 1; l <= m_program.cuts(); ++l) {
                for (std::size_t i = 0; i < m_graph.ops.size(); ++i)
                    m_madeAgain[i] += valueOf(m_program.again[l - 1][i]);
                findPaths(k, l);
            }
        }
        std::stable_sort(m_rows.begin(), m_rows.end(),
                         [](const PathRow &a, const PathRow &b) { return a.violation > b.violation; });
        return std::move(m_rows);
    }

private:
    double valueOf(int column) const { return column < 0 ? 0 : m_x[static_cast<std::size_t>(column)]; }

    /// What is read between the cuts l − 1 and l, or at l, and may be held at cut k.
    std::vector<StorageId> readBetween(std::size_t k, std::size_t l) const
    {
        std::vector<char> read(m_graph.storages.size(), 0);
        const std::size_t ops = m_graph.ops.size(), end = m_program.endOf(l - 1, ops);
        for (std::size_t i = m_program.reach[l - 1].cut.index() + 1; i < std::min(end + 1, ops); ++i)
            if (m_needs.op[i])
                for (const StorageId input : m_graph.ops[i].inputs)
                    read[input.index()] = 1;
        std::vector<StorageId> storages;
        for (const StorageId storage : m_program.reach[k].storages)
            if (read[storage.index()] || (end == ops && m_graph.storage(storage).isOutput)) storages.push_back(storage);
        return storages;
    }

    void findPaths(std::size_t k, std::size_t l)
    {
        std::vector<StorageId> ends = readBetween(k, l);
        if (ends.empty()) return;
        const std::vector<int> &held = m_program.held[k];
        for (std::size_t i = 0; i < m_program.reach[k].cut.index(); ++i) {
            const Op &op = m_graph.ops[i];
            double least = op.computeOnce ? 0 : m_madeAgain[i];
            StorageId from;
            if (!op.computeOnce)
                for (const StorageId input : op.inputs)
                    if (held[input.index()] >= 0 && m_least[input.index()] < least) {
                        least = m_least[input.index()];
                        from = input;
                    }
            for (const StorageId output : op.outputs) {
                if (held[output.index()] < 0) continue;
                m_least[output.index()] = valueOf(held[output.index()]) + least;
                m_from[output.index()] = from;
            }
        }
        std::stable_sort(ends.begin(), ends.end(),
                         [&](StorageId a, StorageId b) { return m_least[a.index()] < m_least[b.index()]; });
        for (std::size_t e = 0; e < std::min(ends.size(), kRowsPerPair); ++e)
            if (m_least[ends[e].index()] < 1 - kLeastViolation) m_rows.push_back(rowTo(ends[e], k, l));
    }

    PathRow rowTo(StorageId storage, std::size_t k, std::size_t l) const
    {
        PathRow row{1 - m_least[storage.index()], {}};
        for (;; storage = m_from[storage.index()]) {
            row.terms.push_back({m_program.held[k][storage.index()], 1});
            if (!m_from[storage.index()]) break;
        }
        const std::size_t maker = m_graph.storage(storage).producer.index();
        for (std::size_t between = k; between < l; ++between)
            if (m_program.again[between][maker] >= 0) row.terms.push_back({m_program.again[between][maker], 1});
        return row;
    }

    const Graph &m_graph;
    const KCutProgram &m_program;
    const std::vector<double> &m_x;
    const Needs m_needs;
    std::vector<double> m_madeAgain; ///< per op, from cut k to cut l
    std::vector<double> m_least;     ///< per storage with a column at cut k: the least sum along a path that ends there
    std::vector<StorageId> m_from;   ///< the storage before it on that path; none: its maker is computed again
    std::vector<PathRow> m_rows;
};

} // namespace

int addPathRows(const Graph &graph, KCutProgram &program, const std::vector<double> &x, int limit)
{
    std::vector<PathRow> rows = PathFinder(graph, program, x).run();
    const auto count = std::min(rows.size(), static_cast<std::size_t>(limit));
    for (std::size_t r = 0; r < count; ++r)
        program.model.addAtLeast(1, std::move(rows[r].terms));
    return static_cast<int>(count);
}

} // namespace remat
