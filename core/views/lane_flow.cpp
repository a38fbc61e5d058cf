// SPDX-License-Identifier: Apache-2.0
#include "core/views/lane_flow.h"

#include "core/views/skip_lanes.h"

#include <algorithm>
#include <cstdlib>
#include <map>

namespace remat {

namespace {

class Flows
{
public:
    Flows(const Bands &bands, std::size_t children, bool down) : m_down(down)
    {
        m_flow.rows.resize(children);
        m_flow.sequences.emplace_back();
        number(bands, 0);
    }

    ColumnFlow connect(const std::vector<RowEdge> &edges)
    {
        for (const auto &[from, to] : edges)
            if (placeOf(from).sequence >= 0 && placeOf(to).sequence >= 0) addLine(from, to);
        for (const auto &[sequence, skips] : m_skips)
            addSkips(sequence, skips);
        return std::move(m_flow);
    }

private:
    const RowPlace &placeOf(int row) const { return m_flow.rows[static_cast<std::size_t>(row)]; }
    BandSequence &at(int sequence) { return m_flow.sequences[static_cast<std::size_t>(sequence)]; }

    void number(const Bands &bands, int sequence)
    {
        at(sequence).bands = static_cast<int>(bands.size());
        for (std::size_t place = 0; place < bands.size(); ++place) {
            const Band &band = bands[place];
            if (band.row >= 0) m_flow.rows[static_cast<std::size_t>(band.row)] = {sequence, static_cast<int>(place)};
            for (std::size_t lane = 0; lane < band.lanes.size(); ++lane) {
                const int inner = static_cast<int>(m_flow.sequences.size());
                m_flow.sequences.push_back({sequence, static_cast<int>(place), static_cast<int>(lane), 0, false});
                number(band.lanes[lane], inner);
            }
        }
    }

    /// The innermost sequence that holds both. Outer ones have smaller numbers.
    int common(int a, int b)
    {
        while (a != b)
            (a > b ? a : b) = at(std::max(a, b)).outer;
        return a;
    }

    /// Whether a row is the first (or the last) of a lane of `within`, nothing of that lane above (below) it.
    bool atEnd(int row, int within, bool first)
    {
        RowPlace place = placeOf(row);
        while (place.sequence != within) {
            const BandSequence &sequence = at(place.sequence);
            if (place.place != (first ? 0 : sequence.bands - 1)) return false;
            place = {sequence.outer, sequence.place};
        }
        return true;
    }

    void addLine(int from, int to)
    {
        const int within = common(placeOf(from).sequence, placeOf(to).sequence);
        const int fromLane = laneWithin(m_flow, placeOf(from).sequence, within);
        const int toLane = laneWithin(m_flow, placeOf(to).sequence, within);
        const int a = fromLane < 0 ? placeOf(from).place : at(fromLane).place;
        const int b = toLane < 0 ? placeOf(to).place : at(toLane).place;
        if (fromLane < 0 && toLane < 0) {
            if (b - a == (m_down ? 1 : -1))
                m_flow.lines.push_back({FlowKind::Step, from, to, within, 0, 0, false});
            else
                m_skips[within].emplace_back(a, b);
            m_rowAt[{within, a}] = from;
            m_rowAt[{within, b}] = to;
            return;
        }
        if (a == b) {
            const bool direct = placeOf(from).sequence == fromLane && placeOf(to).sequence == toLane;
            if (direct && std::abs(at(fromLane).lane - at(toLane).lane) == 1) {
                m_flow.lines.push_back({FlowKind::Beside, from, to, within, 0, 0, false});
                return;
            }
        } else if (b - a == (m_down ? 1 : -1) && atEnd(m_down ? from : to, within, false) &&
                   atEnd(m_down ? to : from, within, true)) {
            const bool fork = (m_down ? fromLane : toLane) < 0; // from one card above the branches
            m_flow.lines.push_back({fork ? FlowKind::Fork : FlowKind::Join, from, to, within, 0, 0, false});
            return;
        }
        const FlowLine line{FlowKind::Around, from, to, within, 0, 0, a != b};
        for (const int row : {from, to})
            for (int sequence = placeOf(row).sequence; sequence != within; sequence = at(sequence).outer)
                at(sequence).gutter = true;
        if (line.past) at(within).gutter = true;
        m_flow.lines.push_back(line);
    }

    void addSkips(int sequence, const std::vector<RowEdge> &skips)
    {
        at(sequence).gutter = true;
        for (const SkipLine &line : assignLanes(skips)) {
            const FlowKind kind = line.more > 0 ? FlowKind::Bundle : FlowKind::Skip;
            m_flow.lines.push_back({kind, m_rowAt.at({sequence, line.from}), m_rowAt.at({sequence, line.to}), sequence,
                                    line.lane, line.more, false});
        }
    }

    const bool m_down;
    ColumnFlow m_flow;
    std::map<int, std::vector<RowEdge>> m_skips; ///< by sequence, between places in it
    std::map<std::pair<int, int>, int> m_rowAt;  ///< by sequence and place
};

} // namespace

ColumnFlow columnFlow(const Bands &bands, std::size_t children, const std::vector<RowEdge> &edges, bool down)
{
    return Flows(bands, children, down).connect(edges);
}

int laneWithin(const ColumnFlow &flow, int sequence, int within)
{
    int lane = -1;
    for (; sequence != within; sequence = flow.sequences[static_cast<std::size_t>(sequence)].outer)
        lane = sequence;
    return lane;
}

} // namespace remat
