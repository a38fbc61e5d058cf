// SPDX-License-Identifier: Apache-2.0
#include "core/views/bands.h"

#include "core/views/sort_distinct.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <numeric>
#include <set>

namespace remat {

namespace {

std::size_t index(int place)
{
    return static_cast<std::size_t>(place);
}

/// Parts rows, ever smaller sets of them, into bands.
class Parting
{
public:
    Parting(const std::vector<int> &column, const RowFlow &flow, const std::vector<RowRank> &ranks)
        : m_rows(column.size()), m_ranks(ranks)
    {
        const std::vector<Mixing> mixings = mixingsOf(flow, column.size());
        const std::size_t all = m_rows + mixings.size();
        m_rank.resize(all);
        m_place.resize(all);
        m_edges.resize(all);
        m_revisited.assign(all, 0);
        m_at.assign(all, -1);
        m_seen.assign(all, 0);
        for (std::size_t i = 0; i < column.size(); ++i)
            m_place[index(column[i])] = static_cast<int>(i);
        for (std::size_t row = 0; row < m_rows; ++row) {
            m_rank[row] = 2 * ranks[row].rank; // ranks of knots are between
            if (flow.enters[row]) m_edges[row].push_back(kOutside);
        }
        std::set<RowEdge> mixed;
        for (std::size_t i = 0; i < mixings.size(); ++i) {
            const std::size_t knot = m_rows + i;
            for (const int from : mixings[i].from) {
                m_rank[knot] = std::max(m_rank[knot], m_rank[index(from)] + 1);
                m_place[knot] = std::max(m_place[knot], m_place[index(from)]);
                connect(from, static_cast<int>(knot));
                for (const int to : mixings[i].to)
                    mixed.emplace(from, to);
            }
            for (const int to : mixings[i].to)
                connect(static_cast<int>(knot), to);
        }
        for (const auto &[from, to] : flow.edges) {
            if (!mixed.contains({from, to})) connect(from, to);
            // A row that is come back to does not end what is above it.
            if (from > to) m_revisited[index(to)] = 1;
        }
    }

    /// All rows.
    Bands part()
    {
        Rows rows(m_place.size());
        std::iota(rows.begin(), rows.end(), 0);
        return beside(groupsOf(rows));
    }

private:
    using Rows = std::vector<int>;

    /// What is read by several, each of which reads all of it: as if it were brought together first, in a knot that has
    /// no card.
    struct Mixing {
        Rows from, to;
    };

    static std::vector<Mixing> mixingsOf(const RowFlow &flow, std::size_t rows)
    {
        std::vector<Rows> makers(rows), readers(rows);
        for (const auto &[from, to] : flow.edges) {
            if (from > to) continue;
            readers[index(from)].push_back(to);
            makers[index(to)].push_back(from);
        }
        std::map<Rows, Rows> byReaders;
        for (std::size_t row = 0; row < rows; ++row)
            if (readers[row].size() > 1) byReaders[readers[row]].push_back(static_cast<int>(row));
        std::vector<Mixing> mixings;
        for (const auto &[to, from] : byReaders)
            if (from.size() > 1 &&
                std::all_of(to.begin(), to.end(), [&](int row) { return makers[index(row)] == from; }))
                mixings.push_back({from, to});
        return mixings;
    }

    void connect(int from, int to)
    {
        m_edges[index(from)].push_back(to);
        m_edges[index(to)].push_back(from);
    }

    bool isKnot(int row) const { return index(row) >= m_rows; }
    int rankOf(int row) const { return row == kOutside ? -1 : m_rank[index(row)]; }

    /// What hangs together.
    std::vector<Rows> groupsOf(const Rows &rows)
    {
        constexpr char kElsewhere = 0, kWaiting = 1, kTaken = 2;
        for (const int row : rows)
            m_seen[index(row)] = kWaiting;
        std::vector<Rows> groups;
        for (const int first : rows) {
            if (m_seen[index(first)] != kWaiting) continue;
            Rows group = {first};
            m_seen[index(first)] = kTaken;
            for (std::size_t i = 0; i < group.size(); ++i) {
                for (const int next : m_edges[index(group[i])]) {
                    if (next == kOutside || m_seen[index(next)] != kWaiting) continue;
                    m_seen[index(next)] = kTaken;
                    group.push_back(next);
                }
            }
            groups.push_back(std::move(group));
        }
        for (const int row : rows)
            m_seen[index(row)] = kElsewhere;
        return groups;
    }

    /// One group goes on in the same lane; more are branches.
    Bands beside(std::vector<Rows> groups)
    {
        if (groups.empty()) return {};
        if (groups.size() == 1) return below(std::move(groups.front()));
        const auto left = [this](const Rows &rows) {
            double sum = 0, count = 0;
            int first = m_place[index(rows.front())];
            for (const int row : rows) {
                first = std::min(first, m_place[index(row)]);
                if (isKnot(row)) continue;
                sum += m_ranks[index(row)].x;
                ++count;
            }
            return std::pair(sum / std::max(count, 1.0), first);
        };
        std::vector<std::pair<std::pair<double, int>, Rows>> sorted;
        sorted.reserve(groups.size());
        for (Rows &group : groups) {
            const auto at = left(group);
            sorted.emplace_back(at, std::move(group));
        }
        std::sort(sorted.begin(), sorted.end());
        Band band;
        for (auto &[at, group] : sorted)
            if (Bands lane = below(std::move(group)); !lane.empty()) band.lanes.push_back(std::move(lane));
        if (band.lanes.size() < 2) return band.lanes.empty() ? Bands() : std::move(band.lanes.front());
        return {band};
    }

    /// Rows that hang together: bands between those that part them.
    Bands below(Rows rows)
    {
        std::sort(rows.begin(), rows.end(), [this](int a, int b) {
            return std::pair(rankOf(a), m_place[index(a)]) < std::pair(rankOf(b), m_place[index(b)]);
        });
        std::vector<char> parts = partingRows(rows);
        while (dropLoose(rows, parts)) {
        }
        if (std::find(parts.begin(), parts.end(), 1) == parts.end()) {
            std::sort(rows.begin(), rows.end(), [this](int a, int b) { return m_place[index(a)] < m_place[index(b)]; });
            std::erase_if(rows, [this](int row) { return isKnot(row); });
            return columnOf(rows);
        }
        Bands bands;
        Rows between;
        for (std::size_t i = 0; i <= rows.size(); ++i) {
            if (i < rows.size() && !parts[i]) {
                between.push_back(rows[i]);
                continue;
            }
            for (Band &band : beside(groupsOf(between)))
                bands.push_back(std::move(band));
            between.clear();
            if (i < rows.size() && !isKnot(rows[i])) bands.push_back({rows[i], {}});
        }
        return bands;
    }

    /// Which of the rows, sorted by rank, stand alone in their rank with no edge past them.
    std::vector<char> partingRows(const Rows &rows) const
    {
        std::vector<char> parts(rows.size(), 1);
        std::vector<int> passing(rows.size() + 1, 0); // changes of the number of edges past a row
        const auto firstFrom = [&](int rank) {
            const auto found = std::lower_bound(rows.begin(), rows.end(), rank,
                                                [this](int row, int wanted) { return rankOf(row) < wanted; });
            return static_cast<std::size_t>(found - rows.begin());
        };
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const int rank = rankOf(rows[i]);
            const bool alone =
                (i == 0 || rankOf(rows[i - 1]) != rank) && (i + 1 == rows.size() || rankOf(rows[i + 1]) != rank);
            parts[i] = alone && !m_revisited[index(rows[i])];
            for (const int other : m_edges[index(rows[i])]) {
                const auto [low, high] = std::minmax({rank, rankOf(other)});
                const std::size_t from = firstFrom(low + 1), to = firstFrom(high);
                if (from >= to) continue;
                ++passing[from];
                --passing[to];
            }
        }
        int now = 0;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            now += passing[i];
            parts[i] = parts[i] && now == 0;
        }
        return parts;
    }

    /// A row without an edge to what stands right above it, or right below, parts nothing: it is one of the branches
    /// there. False when there was none.
    bool dropLoose(const Rows &rows, std::vector<char> &parts)
    {
        std::vector<std::size_t> at = {};
        for (std::size_t i = 0; i < rows.size(); ++i) {
            m_at[index(rows[i])] = static_cast<int>(i);
            if (parts[i]) at.push_back(i);
        }
        bool dropped = false;
        for (std::size_t k = 0; k < at.size(); ++k) {
            const int here = static_cast<int>(at[k]);
            const int above = k == 0 ? -1 : static_cast<int>(at[k - 1]);
            const int below = k + 1 == at.size() ? static_cast<int>(rows.size()) : static_cast<int>(at[k + 1]);
            if (reaches(rows[at[k]], above, here) && reaches(rows[at[k]], here, below)) continue;
            parts[at[k]] = 0;
            dropped = true;
        }
        for (const int row : rows)
            m_at[index(row)] = -1;
        return dropped;
    }

    /// Whether a row has an edge to one of those between two places; true where there are none.
    bool reaches(int row, int after, int before) const
    {
        const auto &edges = m_edges[index(row)];
        return after + 1 == before || std::any_of(edges.begin(), edges.end(), [&](int other) {
                   return other != kOutside && m_at[index(other)] > after && m_at[index(other)] < before;
               });
    }

    static constexpr int kOutside = -1; ///< where what comes into the node comes from

    const std::size_t m_rows;
    const std::vector<RowRank> &m_ranks;
    std::vector<int> m_rank, m_place;      ///< per row and knot: twice the rank; in the column
    std::vector<std::vector<int>> m_edges; ///< likewise, to and from others
    std::vector<char> m_revisited;
    std::vector<int> m_at;    ///< per row, among those that are being parted; -1 for others
    std::vector<char> m_seen; ///< per row, while groups are made
};

/// By longest path; what only constants lead to stands right above where it is read, as `dot` would have it.
std::vector<RowRank> ranksWithoutLayout(const OrderQuestion &question, const RowFlow &flow)
{
    std::vector<RowRank> ranks = longestPathRanks(question);
    std::vector<char> fed = flow.enters;
    std::vector<int> lowest(ranks.size(), std::numeric_limits<int>::max());
    for (const auto &[from, to] : question.edges)
        if (fed[index(from)]) fed[index(to)] = 1;
    // Sorted by their first row: from the last on, that of an edge's end is final when the edge is read.
    for (auto edge = question.edges.rbegin(); edge != question.edges.rend(); ++edge) {
        const auto [from, to] = *edge;
        lowest[index(from)] = std::min(lowest[index(from)], ranks[index(to)].rank - 1);
        if (!fed[index(from)]) ranks[index(from)].rank = lowest[index(from)];
    }
    return ranks;
}

void append(std::vector<int> &rows, const Bands &bands)
{
    for (const Band &band : bands) {
        if (band.row >= 0) rows.push_back(band.row);
        for (const Bands &lane : band.lanes)
            append(rows, lane);
    }
}

/// Width of the widest row in a lane.
double laneWidth(const Bands &lane, const std::function<double(int row)> &width, double gap)
{
    double widest = widthOf(lane, width, gap);
    for (const Band &band : lane)
        if (band.row >= 0) widest = std::max(widest, width(band.row));
    return widest;
}

} // namespace

RowFlow rowFlow(const GraphTree &tree, const Graph &graph, int node)
{
    const GraphNode &parent = tree.node(node);
    RowFlow flow;
    flow.enters.assign(parent.children.size(), 0);
    std::vector<char> begun(parent.children.size(), 0);
    if (!parent.forwardOps.empty()) {
        const std::size_t first = parent.forwardOps.front().index(), last = parent.forwardOps.back().index();
        std::vector<int> place(tree.nodes.size(), -1), row(last - first + 1, -1);
        for (std::size_t i = 0; i < parent.children.size(); ++i)
            place[index(parent.children[i])] = static_cast<int>(i);
        for (const OpId op : parent.forwardOps) {
            const int child = tree.childHolding(node, op);
            if (child >= 0) row[op.index() - first] = place[index(child)];
        }
        const std::size_t words = (parent.children.size() + 63) / 64;
        std::vector<std::vector<std::uint64_t>> from(row.size()); // per op outside, the rows that lead to it
        for (std::size_t i = first; i <= last; ++i) {
            if (graph.ops[i].phase == Phase::Backward) continue;
            const int to = row[i - first];
            std::vector<std::uint64_t> reached(words, 0);
            for (const StorageId input : graph.ops[i].inputs) {
                const OpId maker = graph.storage(input).producer;
                const bool within = maker && maker.index() >= first && maker.index() < i;
                if (within && row[maker.index() - first] >= 0) {
                    const auto source = static_cast<std::size_t>(row[maker.index() - first]);
                    reached[source / 64] |= std::uint64_t(1) << (source % 64);
                } else if (within && !from[maker.index() - first].empty()) {
                    for (std::size_t word = 0; word < words; ++word)
                        reached[word] |= from[maker.index() - first][word];
                } else if (to >= 0 && (maker || graph.storage(input).kind == StorageKind::Input)) {
                    flow.enters[index(to)] = 1;
                }
            }
            if (to < 0) {
                from[i - first] = std::move(reached);
                continue;
            }
            for (std::size_t source = 0; source < parent.children.size(); ++source) {
                if (!(reached[source / 64] >> (source % 64) & 1) || source == index(to)) continue;
                flow.edges.emplace_back(static_cast<int>(source), to);
                begun[index(to)] = 1;
            }
        }
    }
    for (const auto &[maker, reader] : rowEdges(tree, graph, node).backward)
        if (tree.node(parent.children[index(maker)]).forwardOps.empty() ||
            tree.node(parent.children[index(reader)]).forwardOps.empty())
            flow.edges.emplace_back(reader, maker);
    sortDistinct(flow.edges);
    for (std::size_t i = 0; i < begun.size(); ++i)
        if (begun[i]) flow.enters[i] = 0;
    return flow;
}

OrderQuestion branchQuestion(int rows, const RowFlow &flow)
{
    OrderQuestion question;
    question.rows = rows;
    for (const auto &[from, to] : flow.edges)
        if (from < to) question.edges.emplace_back(from, to);
    return question;
}

bool mayBranch(const OrderQuestion &question)
{
    const std::vector<RowRank> ranks = longestPathRanks(question);
    return std::any_of(ranks.begin(), ranks.end(), [](const RowRank &rank) { return rank.order > 0; });
}

Bands columnOf(const std::vector<int> &rows)
{
    Bands bands;
    bands.reserve(rows.size());
    for (const int row : rows)
        bands.push_back({row, {}});
    return bands;
}

Bands bandsOf(const std::vector<int> &column, const RowFlow &flow, const std::vector<RowRank> &ranks)
{
    const OrderQuestion question = branchQuestion(static_cast<int>(column.size()), flow);
    const bool sound = ranks.size() == column.size() &&
                       std::all_of(question.edges.begin(), question.edges.end(), [&](const RowEdge &edge) {
                           return ranks[index(edge.first)].rank < ranks[index(edge.second)].rank;
                       });
    return Parting(column, flow, sound ? ranks : ranksWithoutLayout(question, flow)).part();
}

bool hasBranches(const Bands &bands)
{
    return std::any_of(bands.begin(), bands.end(), [](const Band &band) { return !band.lanes.empty(); });
}

std::vector<int> rowsOf(const Bands &bands)
{
    std::vector<int> rows;
    append(rows, bands);
    return rows;
}

Bands withOnly(const Bands &bands, const std::function<bool(int row)> &shown)
{
    Bands left;
    for (const Band &band : bands) {
        if (band.row >= 0) {
            if (shown(band.row)) left.push_back(band);
            continue;
        }
        Band some;
        for (const Bands &lane : band.lanes)
            if (Bands rest = withOnly(lane, shown); !rest.empty()) some.lanes.push_back(std::move(rest));
        if (some.lanes.size() == 1)
            left.insert(left.end(), some.lanes.front().begin(), some.lanes.front().end());
        else if (!some.lanes.empty())
            left.push_back(std::move(some));
    }
    return left;
}

double widthOf(const Bands &bands, const std::function<double(int row)> &width, double gap)
{
    double widest = 0;
    for (const Band &band : bands) {
        double sum = -gap;
        for (const Bands &lane : band.lanes)
            sum += gap + laneWidth(lane, width, gap);
        widest = std::max(widest, sum);
    }
    return widest;
}

Bands noWiderThan(double widest, const Bands &bands, const std::function<double(int row)> &width, double gap)
{
    Bands fitting;
    for (const Band &band : bands) {
        Bands attempt = {band};
        if (widthOf(attempt, width, gap) > widest) {
            for (Bands &lane : attempt.front().lanes)
                lane = columnOf(rowsOf(lane));
            if (widthOf(attempt, width, gap) > widest) attempt = columnOf(rowsOf(attempt));
        }
        fitting.insert(fitting.end(), attempt.begin(), attempt.end());
    }
    return fitting;
}

} // namespace remat
