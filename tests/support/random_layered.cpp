// SPDX-License-Identifier: Apache-2.0
#include "tests/support/random_layered.h"

#include "tests/support/graphs.h"
#include "tests/support/random.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <set>
#include <utility>

namespace remat::test {

namespace {

/// Layers as a function of ops: linear in the logarithms between the published sizes.
int layersFor(int ops)
{
    constexpr std::array<std::pair<double, double>, 4> published{{{100, 21}, {250, 24}, {500, 33}, {1000, 51}}};
    if (ops >= 1000) return static_cast<int>(std::lround(51 * ops / 1000.0));
    const auto *above = std::find_if(published.begin() + 1, published.end(), [&](auto p) { return p.first >= ops; });
    const auto *below = std::prev(above);
    const double share = std::log(ops / below->first) / std::log(above->first / below->first);
    return std::max(3, static_cast<int>(std::lround(below->second * std::pow(above->second / below->second, share))));
}

class Layered
{
public:
    Layered(std::uint64_t seed, const RandomLayeredParams &params)
        : m_random(seed),
          m_params(params),
          m_first(firstOfLayers(params.layers > 0 ? params.layers : layersFor(params.ops)))
    {
    }

    Graph make()
    {
        joinNeighbours();
        skip();
        return build();
    }

private:
    int layers() const { return static_cast<int>(m_first.size()) - 1; }
    int width(int layer) const { return m_first[at(layer) + 1] - m_first[at(layer)]; }
    int anyOf(int layer) { return m_first[at(layer)] + m_random.below(width(layer)); }
    static std::size_t at(int index) { return static_cast<std::size_t>(index); }
    bool chance(double share) { return m_random.below(1000000) < static_cast<int>(share * 1000000); }

    /// First op of every layer and the number of ops: one source, one sink, random widths between.
    std::vector<int> firstOfLayers(int count)
    {
        const int inner = std::clamp(count - 2, 1, m_params.ops - 2);
        std::vector<int> weight(at(inner));
        std::int64_t sum = 0;
        for (int &w : weight) {
            w = m_random.between(100, 1900);
            sum += w;
        }
        // Every layer has one op; the rest is dealt out by weight, rounded on the running sum.
        const std::int64_t rest = m_params.ops - 2 - inner;
        std::vector<int> first = {0, 1};
        std::int64_t running = 0;
        for (int layer = 0; layer < inner; ++layer) {
            running += weight[at(layer)];
            first.push_back(static_cast<int>(2 + layer + rest * running / sum));
        }
        first.push_back(m_params.ops);
        return first;
    }

    void join(int from, int to) { m_reads.insert({to, from}); }

    void joinNeighbours()
    {
        for (int layer = 0; layer + 1 < layers(); ++layer) {
            const bool ends = layer == 0 || layer + 2 == layers(); // all read the source, the sink reads all
            for (int from = m_first[at(layer)]; from < m_first[at(layer) + 1]; ++from)
                for (int to = m_first[at(layer) + 1]; to < m_first[at(layer) + 2]; ++to)
                    if (ends || chance(m_params.edgeDensity)) join(from, to);
            if (ends) continue;
            for (int to = m_first[at(layer) + 1]; to < m_first[at(layer) + 2]; ++to)
                if (m_reads.lower_bound({to, 0}) == m_reads.lower_bound({to + 1, 0})) join(anyOf(layer), to);
            std::vector<char> read(at(width(layer)), 0);
            for (auto edge = m_reads.lower_bound({m_first[at(layer) + 1], 0}); edge != m_reads.end(); ++edge)
                read[at(edge->second - m_first[at(layer)])] = 1;
            for (int from = m_first[at(layer)]; from < m_first[at(layer) + 1]; ++from)
                if (read[at(from - m_first[at(layer)])] == 0) join(from, anyOf(layer + 1));
        }
    }

    void skip()
    {
        if (layers() < 5) return;
        const auto adjacent = static_cast<double>(m_reads.size());
        const auto wanted = static_cast<int>(adjacent * m_params.skipShare / (1 - m_params.skipShare));
        for (int i = 0; i < wanted; ++i) {
            const int from = m_random.between(1, layers() - 4);
            const int to = m_random.between(from + 2, layers() - 2);
            join(anyOf(from), anyOf(to));
        }
    }

    Graph build()
    {
        GraphBuilder builder;
        for (int op = 0; op < m_params.ops; ++op) {
            std::vector<StorageId> read;
            for (auto edge = m_reads.lower_bound({op, 0}); edge != m_reads.end() && edge->first == op; ++edge)
                read.push_back(builder.output(OpId(at(edge->second))));
            // The product of two uniform numbers is skewed to the right, its median 0.187.
            const std::int64_t skewed = m_params.maxBytes * m_random.below(1000) * m_random.below(1000) / 1000000;
            builder.op(read,
                       {{std::max<std::int64_t>(m_params.maxBytes / 80, 1) + skewed,
                         StorageKind::Activation,
                         op + 1 == m_params.ops,
                         {}}},
                       m_random.between(1, m_params.maxTimeUs));
        }
        return builder.finish();
    }

    Random m_random;
    const RandomLayeredParams m_params;
    const std::vector<int> m_first;
    std::set<std::pair<int, int>> m_reads; ///< (reader, read)
};

} // namespace

Graph randomLayeredGraph(std::uint64_t seed, const RandomLayeredParams &params)
{
    REMAT_ASSERT(params.ops >= 4, "a source, a sink and a layer or two");
    return Layered(seed, params).make();
}

} // namespace remat::test
