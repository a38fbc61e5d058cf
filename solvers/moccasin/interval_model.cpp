// SPDX-License-Identifier: Apache-2.0
#include "solvers/moccasin/interval_model.h"

#include "core/bounds/cut_network.h"
#include "solvers/bounds/cut_reach.h"
#include "solvers/checkmate/model.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace remat::moccasin {

namespace {

using cp::Affine;

/// Sizes may add up to so much, so that CP-SAT can multiply them by events.
constexpr std::int64_t kMostUnits = std::int64_t(1) << 30;
/// Steps that the keep-all time is cut into where op times are no whole numbers.
constexpr double kTimeSteps = 1e9;

/// Ops between two looks at the clock.
constexpr int kBetweenLooks = 1024;

/// Storages that take less of the budget count nothing at cuts.
constexpr double kTinyShare = 1e-4;

class Builder
{
public:
    Builder(const FlatGraph &flat, const IntervalSettings &settings, const StopCheck &stop)
        : m_flat(flat), m_settings(settings), m_stop(stop)
    {
        m_built.ops = flat.ops;
        chooseUnits();
    }

    std::optional<IntervalModel> build()
    {
        addCopies();
        m_built.model.told = m_built.model.variables();
        addEnds();
        for (int v = 0; v < m_flat.ops; ++v) {
            if (v % kBetweenLooks == 0 && m_stop && m_stop()) return std::nullopt;
            for (int i = 0; i < copiesOf(v); ++i)
                for (const int s : m_flat.inputs[v])
                    addServing(s, v, i);
        }
        for (int s = 0; s < m_flat.storages(); ++s)
            if (m_flat.output[s] && m_flat.producer[s] >= 0) addServing(s, m_flat.ops, 0);
        addCapacity();
        if (!addCuts()) return std::nullopt;
        return std::move(m_built);
    }

private:
    cp::CpModel &model() { return m_built.model; }
    int copiesOf(int op) const
    {
        if (op >= m_flat.ops || m_flat.once[op]) return 1;
        return m_settings.copies[op];
    }
    std::int64_t endOfTime() const { return m_built.eventOf(m_flat.ops, m_flat.ops) + 1; }
    std::int64_t units(std::int64_t bytes) const { return (bytes + m_built.unitBytes - 1) / m_built.unitBytes; }

    void chooseUnits()
    {
        double keepAllUs = 0;
        std::int64_t divisor = 0;
        double total = 0;
        for (int v = 0; v < m_flat.ops; ++v) {
            keepAllUs += m_flat.timeUs[v];
            const auto add = [&](std::int64_t bytes) {
                divisor = std::gcd(divisor, bytes);
                total += static_cast<double>(bytes) * copiesOf(v);
            };
            add(m_flat.workspaceBytes[v]);
            for (const int s : m_flat.outputs[v])
                add(m_flat.bytes[s]);
        }
        const double step = checkmate::timeStepUs(m_flat);
        m_built.exactTimes = step > 0 && keepAllUs / step < kTimeSteps;
        m_built.unitUs = m_built.exactTimes ? step : std::max(keepAllUs, 1e-9) / kTimeSteps;
        m_built.unitBytes = std::max<std::int64_t>(divisor, 1);
        const double most = static_cast<double>(kMostUnits);
        m_built.exactBytes = total / static_cast<double>(m_built.unitBytes) <= most;
        if (!m_built.exactBytes) m_built.unitBytes = static_cast<std::int64_t>(std::ceil(total / most));
    }

    Affine startOf(int op, int copy) const
    {
        if (copy == 0) return {-1, 1, m_built.eventOf(op, op)};
        return {m_built.stage[op][copy - 1], m_built.ops + 1, op};
    }
    int presenceOf(int op, int copy) const { return copy == 0 ? -1 : m_built.present[op][copy - 1]; }

    void addCopies()
    {
        m_built.present.resize(m_flat.ops);
        m_built.stage.resize(m_flat.ops);
        for (int v = 0; v < m_flat.ops; ++v)
            for (int i = 1; i < copiesOf(v); ++i) {
                const auto cost = static_cast<std::int64_t>(std::floor(m_flat.timeUs[v] / m_built.unitUs + 1e-6));
                m_built.present[v].push_back(model().addBoolean(m_settings.leastPeak ? 0 : cost));
                m_built.stage[v].push_back(model().addVariable(v + 1, m_flat.ops));
                if (i > 1) model().anyOf.push_back({{m_built.present[v][i - 1]}, {m_built.present[v][i - 2]}});
            }
    }

    void addEnds()
    {
        m_built.end.resize(m_flat.storages());
        m_built.length.resize(m_flat.storages());
        for (int v = 0; v < m_flat.ops; ++v)
            for (int i = 0; i < copiesOf(v); ++i) {
                const Affine start = startOf(v, i);
                const std::int64_t first = i == 0 ? start.offset : m_built.eventOf(v + 1, v);
                if (m_flat.workspaceBytes[v] > 0)
                    model().intervals.push_back({presenceOf(v, i),
                                                 start,
                                                 {-1, 1, 1},
                                                 {start.variable, start.factor, start.offset + 1},
                                                 units(m_flat.workspaceBytes[v])});
                for (const int s : m_flat.outputs[v]) {
                    const int end = model().addVariable(first + 1, endOfTime());
                    m_built.end[s].push_back(end);
                    Affine size = {end, 1, -start.offset};
                    if (i > 0) {
                        m_built.length[s].push_back(model().addVariable(1, endOfTime() - first));
                        size = {m_built.length[s].back(), 1, 0};
                        // An older copy is gone before the next one is made.
                        addOrder(m_built.end[s][i - 1], start, m_built.present[v][i - 1]);
                    }
                    model().intervals.push_back({presenceOf(v, i), start, size, {end, 1, 0}, units(m_flat.bytes[s])});
                }
            }
    }

    /// variable ≤ affine where `enforced` holds.
    void addOrder(int variable, const Affine &affine, int enforced)
    {
        cp::Linear row{{enforced}, {{variable, 1}}, cp::kLeast, affine.offset};
        if (affine.variable >= 0) row.terms.emplace_back(affine.variable, -affine.factor);
        model().linear.push_back(std::move(row));
    }

    /// One of the copies of the maker of `s` is there when copy `i` of `v` reads it.
    void addServing(int s, int v, int i)
    {
        const int maker = m_flat.producer[s];
        if (maker < 0) return;
        const Affine event = v == m_flat.ops ? Affine{-1, 1, m_built.eventOf(v, v)} : startOf(v, i);
        IntervalModel::Serving serving{s, v, i, {}};
        const std::vector<int> reads = i == 0 ? std::vector<int>() : std::vector<int>{presenceOf(v, i)};
        const int copies = copiesOf(maker);
        for (int j = 0; j < copies; ++j) {
            std::vector<int> enforced = reads;
            if (copies > 1) {
                serving.by.push_back(model().addBoolean());
                enforced = {serving.by.back()};
            }
            // event + 1 ≤ end
            cp::Linear held{enforced, {{m_built.end[s][j], 1}}, event.offset + 1, cp::kMost};
            if (event.variable >= 0) held.terms.emplace_back(event.variable, -event.factor);
            model().linear.push_back(std::move(held));
            if (j == 0) continue;
            model().anyOf.push_back({enforced, {presenceOf(maker, j)}});
            // In one slot ops stand in the graph's order, and the maker is before its reader.
            cp::Linear before{enforced, {{m_built.stage[maker][j - 1], 1}}, cp::kLeast, std::min(v, m_flat.ops)};
            if (i > 0) before.terms.emplace_back(m_built.stage[v][i - 1], -1), before.high = 0;
            model().linear.push_back(std::move(before));
        }
        if (copies == 1) return;
        model().anyOf.push_back({reads, serving.by});
        m_built.servings.push_back(std::move(serving));
    }

    void addCapacity()
    {
        const std::int64_t budget = m_settings.budgetBytes / m_built.unitBytes;
        std::int64_t all = 0;
        for (const cp::Interval &interval : model().intervals)
            all += interval.demand;
        model().capacity = {-1, 1, budget};
        if (!m_settings.leastPeak) return;
        m_built.peak = model().addVariable(budget, std::max(all, budget), 1);
        model().capacity = {m_built.peak, 1, 0};
    }

    /// Where most is over the budget, and evenly over the other places.
    std::vector<OpId> cutPlaces(const Needs &needs) const
    {
        std::vector<OpId> places = cutsOverBudget(*m_flat.graph, *m_flat.costs, needs, m_settings.budgetBytes);
        const auto most = static_cast<std::size_t>(m_settings.cuts);
        if (places.size() <= most) return places;
        std::vector<OpId> chosen(places.begin(), places.begin() + static_cast<std::ptrdiff_t>(most / 4));
        std::sort(places.begin(), places.end());
        for (std::size_t k = chosen.size(); k < most; ++k)
            chosen.push_back(places[(2 * k + 1) * places.size() / (2 * most)]);
        std::sort(chosen.begin(), chosen.end());
        chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
        return chosen;
    }

    /// False when it was stopped.
    bool addCuts()
    {
        const Needs needs = needsOf(*m_flat.graph);
        const auto tiny = static_cast<std::int64_t>(kTinyShare * static_cast<double>(m_settings.budgetBytes));
        for (const OpId t : cutPlaces(needs)) {
            if (m_stop && m_stop()) return false;
            addCut(reachOfCut(*m_flat.graph, needs, t, tiny, {}));
        }
        return true;
    }

    void addCut(const CutReach &reach)
    {
        const int t = reach.cut.value;
        IntervalModel::Cut cut{t, {}, {}};
        std::vector<int> held(m_flat.storages(), -1), again(m_flat.ops, -1);
        cp::Linear memory;
        memory.high =
            capacityAtCut(*m_flat.graph, *m_flat.costs, reach.cut, m_settings.budgetBytes) / m_built.unitBytes;
        for (const StorageId storage : reach.storages) {
            const int s = storage.value, maker = m_flat.producer[s];
            held[s] = model().addBoolean();
            cut.held.emplace_back(s, held[s]);
            memory.terms.emplace_back(held[s], m_flat.bytes[s] / m_built.unitBytes);
            model().linear.push_back(
                {{cp::negated(held[s])}, {{m_built.end[s][0], 1}}, cp::kLeast, m_built.eventOf(t, t)});
            if (copiesOf(maker) == 1 || again[maker] >= 0) continue;
            again[maker] = model().addBoolean();
            cut.again.emplace_back(maker, again[maker]);
            cp::Linear some{{}, {{again[maker], -1}}, 0, cp::kMost};
            for (std::size_t i = 0; i < m_built.present[maker].size(); ++i) {
                some.terms.emplace_back(m_built.present[maker][i], 1);
                model().linear.push_back({{cp::negated(again[maker]), m_built.present[maker][i]},
                                          {{m_built.stage[maker][i], 1}},
                                          cp::kLeast,
                                          t});
            }
            model().linear.push_back(std::move(some));
            if (copiesOf(maker) == 2)
                model().linear.push_back({{again[maker]}, {{m_built.stage[maker][0], 1}}, t + 1, cp::kMost});
        }
        const auto cover = [&](int s, int less, std::int64_t atLeast) {
            cp::Linear row{{}, {{held[s], 1}}, atLeast, cp::kMost};
            if (const int maker = again[m_flat.producer[s]]; maker >= 0) row.terms.emplace_back(maker, 1);
            if (less >= 0) row.terms.emplace_back(less, -1);
            model().linear.push_back(std::move(row));
        };
        for (const auto &[s, variable] : cut.held)
            if (reach.demanded[s]) cover(s, -1, 1);
        for (const auto &[op, variable] : cut.again)
            for (const int s : m_flat.inputs[op])
                if (held[s] >= 0) cover(s, variable, 0);
        if (m_built.peak >= 0) {
            memory.high -= m_settings.budgetBytes / m_built.unitBytes;
            memory.terms.emplace_back(m_built.peak, -1);
        }
        if (!memory.terms.empty()) model().linear.push_back(std::move(memory));
        m_built.cuts.push_back(std::move(cut));
    }

    const FlatGraph &m_flat;
    const IntervalSettings m_settings;
    const StopCheck &m_stop;
    IntervalModel m_built;
};

} // namespace

std::optional<IntervalModel> buildIntervals(const FlatGraph &flat, const IntervalSettings &settings,
                                            const StopCheck &stop)
{
    return Builder(flat, settings, stop).build();
}

std::vector<OpId> sequenceOf(const IntervalModel &intervals, const std::vector<std::int64_t> &values)
{
    std::vector<Recompute> again;
    for (int v = 0; v < intervals.ops; ++v)
        for (std::size_t i = 0; i < intervals.present[v].size(); ++i)
            if (values[intervals.present[v][i]] != 0)
                again.push_back({static_cast<int>(values[intervals.stage[v][i]]), v});
    std::sort(again.begin(), again.end());
    again.erase(std::unique(again.begin(), again.end()), again.end());
    std::vector<OpId> sequence;
    std::size_t next = 0;
    for (int slot = 0; slot <= intervals.ops; ++slot) {
        for (; next < again.size() && again[next].slot <= slot; ++next)
            sequence.emplace_back(again[next].op);
        if (slot < intervals.ops) sequence.emplace_back(slot);
    }
    return sequence;
}

std::vector<std::int64_t> valuesOf(const FlatGraph &flat, const IntervalModel &intervals,
                                   const std::vector<OpId> &sequence)
{
    const cp::CpModel &model = intervals.model;
    std::vector<std::int64_t> values = model.low;
    std::vector<std::vector<std::int64_t>> starts(flat.ops); // events of the computations of each op
    std::vector<std::vector<std::vector<std::int64_t>>> reads(
        flat.storages()); // events by storage and copy of its maker
    for (int s = 0; s < flat.storages(); ++s)
        reads[s].resize(intervals.end[s].size());
    std::vector<int> served(flat.storages(), 0); // the latest copy
    std::vector<std::vector<std::vector<int>>> by(flat.ops +
                                                  1); // by reader, its copy, its inputs: the copy that serves
    int slot = 0;
    for (const OpId op : sequence) {
        const int v = op.value;
        const std::size_t copy = starts[v].size();
        if (copy > intervals.present[v].size() || v > slot) return {};
        if (v == slot) ++slot;
        const int stage = copy == 0 ? v : slot;
        const std::int64_t event = intervals.eventOf(stage, v);
        if (copy > 0) {
            if (event <= starts[v].back()) return {};
            values[intervals.present[v][copy - 1]] = 1;
            values[intervals.stage[v][copy - 1]] = stage;
        }
        starts[v].push_back(event);
        std::vector<int> &servers = by[v].emplace_back();
        for (const int s : flat.inputs[v]) {
            servers.push_back(served[s]);
            reads[s][served[s]].push_back(event);
        }
        for (const int s : flat.outputs[v])
            served[s] = static_cast<int>(copy);
    }
    for (int s = 0; s < flat.storages(); ++s) {
        if (flat.producer[s] < 0) continue;
        if (flat.output[s]) reads[s][served[s]].push_back(intervals.eventOf(flat.ops, flat.ops));
        const std::vector<std::int64_t> &made = starts[flat.producer[s]];
        for (std::size_t i = 0; i < made.size(); ++i) {
            const std::int64_t end = (reads[s][i].empty() ? made[i] : reads[s][i].back()) + 1;
            values[intervals.end[s][i]] = end;
            if (i > 0) values[intervals.length[s][i - 1]] = end - made[i];
        }
    }
    for (const IntervalModel::Serving &serving : intervals.servings) {
        int copy = served[serving.storage];
        if (serving.reader < flat.ops) {
            if (static_cast<std::size_t>(serving.readerCopy) >= by[serving.reader].size()) continue;
            const std::vector<int> &inputs = flat.inputs[serving.reader];
            const auto place = std::find(inputs.begin(), inputs.end(), serving.storage) - inputs.begin();
            copy = by[serving.reader][serving.readerCopy][place];
        }
        values[serving.by[copy]] = 1;
    }
    for (const IntervalModel::Cut &cut : intervals.cuts) {
        const std::int64_t event = intervals.eventOf(cut.op, cut.op);
        for (const auto &[op, variable] : cut.again)
            values[variable] = !starts[op].empty() && starts[op].back() > event ? 1 : 0;
        for (const auto &[s, variable] : cut.held) {
            const std::vector<std::int64_t> &made = starts[flat.producer[s]];
            for (std::size_t i = 0; i < made.size(); ++i)
                if (made[i] <= event && event < values[intervals.end[s][i]]) values[variable] = 1;
        }
    }
    if (intervals.peak >= 0) values[intervals.peak] = model.high[intervals.peak];
    return values;
}

} // namespace remat::moccasin
