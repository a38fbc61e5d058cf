// SPDX-License-Identifier: Apache-2.0
#include "solvers/kusumoto/segment_program.h"

#include <algorithm>

namespace remat::kusumoto {

namespace {

constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

bool isSubset(const NodeSet &small, const NodeSet &large)
{
    for (std::size_t w = 0; w < small.size(); ++w)
        if ((small[w] & ~large[w]) != 0) return false;
    return true;
}

/// How a state was reached.
struct Origin {
    int set = -1, time = 0;
};

} // namespace

std::optional<SegmentProgram> SegmentProgram::make(const ForwardDag &dag, std::vector<NodeSet> sets,
                                                   const std::function<bool()> &stop)
{
    SegmentProgram program(dag);
    program.m_sets = std::move(sets);
    const int count = static_cast<int>(program.m_sets.size());
    std::vector<int> mark(dag.ops.size(), -1);
    for (int i = 0; i < count; ++i) {
        if (stop()) return std::nullopt;
        const NodeSet &set = program.m_sets[i];
        std::vector<int> border;
        std::int64_t inside = 0, outside = 0;
        for (int node = 0; node < dag.nodes(); ++node) {
            if (!contains(set, node)) continue;
            inside += dag.bytes[node];
            bool readOutside = false;
            for (const int reader : dag.readers[node]) {
                if (contains(set, reader)) continue;
                readOutside = true;
                // Counted once each: a reader outside and what it reads from outside are two terms of the sum.
                if (mark[reader] == i) continue;
                mark[reader] = i;
                outside += dag.bytes[reader];
            }
            if (readOutside) border.push_back(node);
        }
        std::vector<char> read(dag.ops.size(), 0);
        for (int node = 0; node < dag.nodes(); ++node) {
            if (mark[node] != i) continue;
            for (const int other : dag.reads[node]) {
                if (contains(set, other) || read[other]) continue;
                read[other] = 1;
                outside += dag.bytes[other];
            }
        }
        program.m_borders.push_back(std::move(border));
        program.m_bytes.push_back(inside);
        program.m_outside.push_back(outside);
    }
    program.m_steps.resize(count);
    for (int i = 0; i < count; ++i) {
        if (stop()) return std::nullopt;
        std::vector<Step> &steps = program.m_steps[i];
        for (int j = i + 1; j < count; ++j)
            if (isSubset(program.m_sets[i], program.m_sets[j])) steps.push_back(program.step(i, j));
        std::stable_sort(steps.begin(), steps.end(),
                         [](const Step &a, const Step &b) { return a.peakBytes < b.peakBytes; });
    }
    return program;
}

SegmentProgram::Step SegmentProgram::step(int from, int to) const
{
    Step step;
    step.to = to;
    for (const int node : m_borders[to]) {
        if (contains(m_sets[from], node)) continue;
        step.keptTime += m_dag->time[node];
        step.keptBytes += m_dag->bytes[node];
    }
    step.peakBytes = 2 * (m_bytes[to] - m_bytes[from]) + m_outside[to];
    return step;
}

bool SegmentProgram::reachesAll(std::int64_t budgetBytes) const
{
    std::vector<std::int64_t> kept(m_sets.size(), kNever);
    kept[0] = 0;
    for (std::size_t i = 0; i < m_sets.size(); ++i) {
        if (kept[i] == kNever) continue;
        for (const Step &step : m_steps[i]) {
            if (kept[i] + step.peakBytes > budgetBytes) break;
            kept[step.to] = std::min(kept[step.to], kept[i] + step.keptBytes);
        }
    }
    return kept.back() != kNever;
}

std::int64_t SegmentProgram::largestBudget() const
{
    const std::int64_t all = m_bytes.back();
    return all + 2 * all + *std::max_element(m_outside.begin(), m_outside.end());
}

std::int64_t SegmentProgram::smallestBudget(const std::function<bool()> &stop) const
{
    std::int64_t low = 0, high = largestBudget();
    while (low < high && !stop()) {
        const std::int64_t middle = low + (high - low) / 2;
        if (reachesAll(middle))
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

Segments SegmentProgram::best(std::int64_t budgetBytes, Aim aim, const std::function<bool()> &stop) const
{
    const std::size_t times = static_cast<std::size_t>(m_dag->totalTime) + 1;
    std::vector<std::vector<std::int64_t>> kept(m_sets.size());
    std::vector<std::vector<Origin>> origins(m_sets.size());
    kept[0].assign(times, kNever);
    kept[0][0] = 0;
    origins[0].resize(times);
    std::vector<int> points;
    for (std::size_t i = 0; i < m_sets.size(); ++i) {
        if (kept[i].empty()) continue;
        if (stop()) return {};
        // Less time kept is worth it only for less memory kept.
        points.clear();
        std::int64_t least = kNever;
        for (int t = static_cast<int>(times) - 1; t >= 0; --t) {
            if (kept[i][t] >= least) continue;
            least = kept[i][t];
            points.push_back(t);
        }
        for (const Step &step : m_steps[i]) {
            if (least + step.peakBytes > budgetBytes) break;
            if (kept[step.to].empty()) {
                kept[step.to].assign(times, kNever);
                origins[step.to].resize(times);
            }
            for (auto at = points.rbegin(); at != points.rend(); ++at) {
                const std::int64_t before = kept[i][*at];
                if (before + step.peakBytes > budgetBytes) break;
                const int time = *at + step.keptTime;
                if (before + step.keptBytes >= kept[step.to][time]) continue;
                kept[step.to][time] = before + step.keptBytes;
                origins[step.to][time] = {static_cast<int>(i), *at};
            }
        }
        if (i + 1 < m_sets.size()) kept[i] = {};
    }
    if (kept.back().empty()) return {};

    int chosen = -1;
    std::int64_t least = kNever;
    for (int t = static_cast<int>(times) - 1; t >= 0; --t) {
        if (kept.back()[t] >= least) continue;
        least = kept.back()[t];
        chosen = t;
        if (aim == Aim::Time) break;
    }
    Segments segments;
    for (Origin at{static_cast<int>(m_sets.size()) - 1, chosen}; at.set > 0; at = origins[at.set][at.time])
        segments.push_back(at.set);
    std::reverse(segments.begin(), segments.end());
    return segments;
}

int SegmentProgram::recomputedTime(const Segments &segments) const
{
    int time = m_dag->totalTime;
    int before = 0;
    for (const int set : segments) {
        time -= step(before, set).keptTime;
        before = set;
    }
    return time;
}

std::int64_t SegmentProgram::peakBytes(const Segments &segments) const
{
    std::int64_t peak = 0, kept = 0;
    int before = 0;
    for (const int set : segments) {
        const Step taken = step(before, set);
        peak = std::max(peak, kept + taken.peakBytes);
        kept += taken.keptBytes;
        before = set;
    }
    return peak;
}

} // namespace remat::kusumoto
