#include "solvers/portfolio/window.h"

#include "solvers/ilp/cbc.h"

#include <algorithm>

namespace remat::portfolio {

namespace {

constexpr int kNone = -1;
/// Of the budget: what is smaller is not brought back for its own sake.
constexpr double kLarge = 1e-3;
/// Coefficients of memory rows: the budget is so much.
constexpr double kBudgetUnits = 1e4;
/// A better plan is better by this share of the window's added time.
constexpr double kLeastGain = 1e-6;

class Window
{
public:
    Window(const FlatGraph &flat, const std::vector<Recompute> &set, const WindowSettings &settings)
        : m_flat(flat), m_set(set), m_settings(settings), m_now(flat.storages(), kNone), m_touched(flat.storages(), 0)
    {
        for (const Recompute &each : set)
            (each.slot < settings.first ? m_before : each.slot > settings.last ? m_after : m_inside).push_back(each);
        m_wasUs = extraTimeUs(flat, m_inside);
    }

    WindowResult solve()
    {
        m_one = m_model.addColumn(0, 1, 1, false);
        findNeededAfter();
        findCandidates();
        openWindow();
        for (int t = m_settings.first; t <= m_settings.last; ++t)
            addSlot(t);
        for (int s = 0; s < m_flat.storages(); ++s)
            if (m_neededAfter[s]) m_possible = require(s) && m_possible;
        if (!m_possible) return {};
        ilp::Limits limits;
        limits.stop = m_settings.stop;
        limits.deadline = m_settings.deadline;
        limits.iterations = m_settings.iterations;
        limits.seed = m_settings.seed;
        limits.known = m_wasUs * (1 - kLeastGain);
        const ilp::Solution solution = ilp::solve(m_model, limits);
        WindowResult result;
        result.proven = solution.status == ilp::Status::Optimal || solution.status == ilp::Status::Infeasible;
        if (!solution.found()) return result;
        std::vector<Recompute> better = m_before;
        for (const Choice &choice : m_choices)
            if (solution.x[static_cast<std::size_t>(choice.column)] > 0.5) better.push_back(choice.recompute);
        better.insert(better.end(), m_after.begin(), m_after.end());
        tidyRecomputes(m_flat, better);
        result.better = std::move(better);
        return result;
    }

private:
    struct Choice {
        Recompute recompute;
        int column = kNone;
    };

    double units(std::int64_t bytes) const
    {
        return kBudgetUnits * static_cast<double>(bytes) / static_cast<double>(m_settings.budgetBytes);
    }

    std::int64_t making(int i) const
    {
        std::int64_t bytes = m_flat.workspaceBytes[i];
        for (const int s : m_flat.outputs[i])
            bytes += m_flat.bytes[s];
        return bytes;
    }

    /// What the rest of the plan reads before it makes it again.
    void findNeededAfter()
    {
        m_neededAfter = m_flat.output;
        const auto step = [&](int i) {
            for (const int s : m_flat.outputs[i])
                m_neededAfter[s] = 0;
            for (const int s : m_flat.inputs[i])
                m_neededAfter[s] = 1;
        };
        auto again = m_after.rbegin();
        for (int t = m_flat.ops; t-- > m_settings.last + 1;) {
            step(t);
            for (; again != m_after.rend() && again->slot == t; ++again)
                step(again->op);
        }
    }

    void findCandidates()
    {
        m_candidate.assign(m_flat.ops, 0);
        for (const Recompute &each : m_set)
            m_candidate[each.op] = 1;
        const double large = kLarge * static_cast<double>(m_settings.budgetBytes);
        for (int s = 0; s < m_flat.storages(); ++s)
            if (m_flat.producer[s] >= 0 && m_flat.lastUse[s] >= m_settings.first &&
                static_cast<double>(m_flat.bytes[s]) >= large)
                m_candidate[m_flat.producer[s]] = 1;
        m_useful = m_neededAfter;
        for (int i = m_settings.last; i >= 0; --i) {
            const auto &made = m_flat.outputs[i];
            m_candidate[i] = m_candidate[i] && !m_flat.once[i] &&
                                     std::any_of(made.begin(), made.end(), [&](int s) { return m_useful[s] != 0; })
                                 ? 1
                                 : 0;
            if (m_candidate[i] || i >= m_settings.first)
                for (const int s : m_flat.inputs[i])
                    m_useful[s] = 1;
        }
    }

    /// Copies that are there at the start of the window when they are held on to since their last read.
    void openWindow()
    {
        std::vector<int> steps;
        auto again = m_before.begin();
        for (int t = 0; t < m_settings.first; ++t) {
            for (; again != m_before.end() && again->slot == t; ++again)
                steps.push_back(again->op);
            steps.push_back(t);
        }
        const int count = static_cast<int>(steps.size());
        std::vector<int> lastEvent(m_flat.storages(), kNone);
        for (int p = 0; p < count; ++p)
            for (const auto *touched : {&m_flat.inputs[steps[p]], &m_flat.outputs[steps[p]]})
                for (const int s : *touched)
                    lastEvent[s] = p;
        std::vector<std::vector<int>> endsAt(count);
        for (int s = 0; s < m_flat.storages(); ++s)
            if (lastEvent[s] != kNone && m_useful[s] && m_flat.bytes[s] > 0) {
                m_now[s] = m_model.addBinary(0);
                endsAt[lastEvent[s]].push_back(s);
            }
        const std::vector<std::int64_t> base = heldBytes(steps);
        std::vector<ilp::Term> stretched;
        std::int64_t highest = 0, sum = 0;
        const auto close = [&] {
            if (!stretched.empty() && highest + sum > m_settings.budgetBytes)
                m_model.addAtMost(stretched, units(m_settings.budgetBytes - highest));
            highest = 0;
        };
        for (int p = 0; p < count; ++p) {
            highest = std::max(highest, base[p]);
            if (endsAt[p].empty()) continue;
            close();
            for (const int s : endsAt[p]) {
                stretched.push_back({m_now[s], units(m_flat.bytes[s])});
                sum += m_flat.bytes[s];
            }
        }
        close();
    }

    /// Bytes held at each step when copies end with the last read among these steps. Backwards.
    std::vector<std::int64_t> heldBytes(const std::vector<int> &steps) const
    {
        std::vector<std::int64_t> bytes(steps.size(), 0);
        std::vector<char> live(m_flat.storages(), 0);
        std::int64_t held = 0;
        for (std::size_t p = steps.size(); p-- > 0;) {
            const int i = steps[p];
            std::int64_t unread = m_flat.workspaceBytes[i], readLater = 0;
            for (const int s : m_flat.outputs[i])
                (live[s] ? readLater : unread) += m_flat.bytes[s];
            for (const int s : m_flat.outputs[i])
                live[s] = 0;
            held -= readLater;
            for (const int s : m_flat.inputs[i])
                if (!live[s]) {
                    live[s] = 1;
                    held += m_flat.bytes[s];
                }
            bytes[p] = held + readLater + unread;
        }
        return bytes;
    }

    void next(int s, int madeBy)
    {
        const int column = m_model.addBinary(0);
        std::vector<ilp::Term> row{{column, 1}};
        if (m_now[s] != kNone) row.push_back({m_now[s], -1});
        if (madeBy != kNone) row.push_back({madeBy, -1});
        m_model.addAtMost(std::move(row), 0);
        m_now[s] = column;
        m_touched[s] = 0;
    }

    bool require(int s)
    {
        if (m_flat.bytes[s] == 0) return true;
        if (m_now[s] == kNone) return false;
        m_model.lower[m_now[s]] = 1;
        return true;
    }

    void addMemory(int i, int column)
    {
        std::vector<ilp::Term> row{{column, units(making(i))}};
        for (int s = 0; s < m_flat.storages(); ++s)
            if (m_now[s] != kNone) row.push_back({m_now[s], units(m_flat.bytes[s])});
        m_model.addAtMost(std::move(row), kBudgetUnits);
    }

    void addSlot(int t)
    {
        for (int s = 0; s < m_flat.storages(); ++s)
            if (m_touched[s] && m_now[s] != kNone) next(s, kNone);
        for (int i = 0; i < t; ++i)
            if (m_candidate[i]) addChoice(t, i);
        for (const int s : m_flat.inputs[t]) {
            m_possible = require(s) && m_possible;
            m_touched[s] = 1;
        }
        addMemory(t, m_one);
        for (const int s : m_flat.outputs[t]) {
            if (m_flat.bytes[s] == 0) continue;
            m_now[s] = m_one;
            m_touched[s] = 1;
        }
    }

    void addChoice(int t, int i)
    {
        for (const int s : m_flat.inputs[i])
            if (m_flat.bytes[s] > 0 && m_now[s] == kNone) return; // cannot be there
        const int column = m_model.addBinary(m_flat.timeUs[i]);
        m_choices.push_back({{t, i}, column});
        addMemory(i, column);
        for (const int s : m_flat.inputs[i]) {
            if (m_flat.bytes[s] == 0) continue;
            m_model.addAtMost({{column, 1}, {m_now[s], -1}}, 0);
            next(s, kNone);
        }
        for (const int s : m_flat.outputs[i]) {
            if (m_flat.bytes[s] == 0 || !m_useful[s]) continue;
            if (m_now[s] != kNone) m_model.addAtMost({{column, 1}, {m_now[s], 1}}, 1); // no second copy
            next(s, column);
        }
    }

    const FlatGraph &m_flat;
    const std::vector<Recompute> &m_set;
    const WindowSettings &m_settings;
    std::vector<Recompute> m_before, m_inside, m_after;
    double m_wasUs = 0;
    ilp::Model m_model;
    int m_one = 0;          ///< column of what is surely there
    std::vector<int> m_now; ///< per storage: its column after what was added last
    std::vector<char> m_touched, m_useful, m_candidate, m_neededAfter;
    std::vector<Choice> m_choices;
    bool m_possible = true;
};

} // namespace

WindowResult solveWindow(const FlatGraph &flat, const std::vector<Recompute> &set, const WindowSettings &settings)
{
    return Window(flat, set, settings).solve();
}

std::vector<int> tightSlots(const FlatGraph &flat, const std::vector<Recompute> &set, std::int64_t budgetBytes,
                            double share)
{
    SequenceEvaluator evaluator(*flat.graph, *flat.costs);
    const std::vector<std::int64_t> held = heldBySlot(flat, evaluator, set);
    std::vector<int> tight;
    for (int slot = 0; slot < flat.ops; ++slot)
        if (static_cast<double>(held[slot]) >= share * static_cast<double>(budgetBytes)) tight.push_back(slot);
    return tight;
}

} // namespace remat::portfolio
