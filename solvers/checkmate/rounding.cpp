// SPDX-License-Identifier: Apache-2.0
#include "solvers/checkmate/rounding.h"

#include "core/base/memory_units.h"
#include "core/base/units.h"
#include "solvers/tools/incumbent.h"
#include "solvers/tools/random.h"

#include <algorithm>
#include <fmt/core.h>
#include <optional>

namespace remat::checkmate {

namespace {

constexpr double kMostAllowance = 70;

class RoundingRun
{
public:
    RoundingRun(const SolveRequest &request, const SolveContext &context, const FlatGraph &flat,
                const RoundingOptions &options)
        : m_options(options),
          m_request(request),
          m_context(context),
          m_flat(flat),
          m_incumbent(flat, context, request.budgetBytes),
          m_random(context.seed)
    {
    }

    SolveOutcome run()
    {
        m_incumbent.offer(std::vector<Recompute>{});
        const double asked = m_options.allowancePercent;
        bool solvable = false;
        for (double allowance = asked; allowance <= kMostAllowance && !done(); allowance += m_options.stepPercent) {
            if (!tryBudget(allowance)) break;
            solvable = true;
        }
        for (double allowance = asked; allowance > 0 && !m_incumbent.found() && !done();) {
            allowance = std::max(allowance - m_options.stepPercent, 0.0);
            solvable = tryBudget(allowance) || solvable;
        }
        return finish(solvable);
    }

private:
    bool done() const { return (m_incumbent.found() && !m_options.every) || m_context.shouldStop(); }

    /// False when the relaxation has no solution at that budget, or none in time.
    bool tryBudget(double allowancePercent)
    {
        ModelSettings settings;
        settings.budgetBytes =
            static_cast<std::int64_t>(static_cast<double>(m_request.budgetBytes) * (1 - allowancePercent / 100));
        if (m_options.fineSlots) settings.passes.assign(m_flat.ops + 1, 1);
        const SlotProgram slots = buildSlotProgram(m_flat, settings);
        ilp::Limits limits;
        limits.stop = m_context.stop;
        limits.deadline = m_context.deadline;
        m_incumbent.setActivity("Linear relaxation");
        const ilp::Relaxation relaxation = solve(slots.model, limits);
        if (relaxation.status != ilp::Status::Optimal) return false;
        m_incumbent.setActivity("Rounding");
        if (m_options.way != RoundingWay::Randomised)
            for (int tenth = 1; tenth <= 9; ++tenth)
                round(slots, relaxation.x, [&](double share) { return share >= 0.1 * tenth; });
        const int samples = m_options.way == RoundingWay::Deterministic ? 0 : m_options.samples;
        for (int sample = 0; sample < samples && !m_context.shouldStop(); ++sample)
            round(slots, relaxation.x, [&](double share) { return m_random.uniform() < share; });
        return true;
    }

    /// Programs of two budgets differ in the limits of rows only.
    ilp::Relaxation solve(const ilp::Model &model, const ilp::Limits &limits)
    {
        if (m_linear) {
            m_linear->takeLimitsOf(model);
            ilp::Relaxation relaxation = m_linear->solve(limits);
            if (relaxation.status != ilp::Status::Failed) return relaxation;
        }
        return m_linear.emplace(model).solve(limits);
    }

    template <class Keep>
    void round(const SlotProgram &slots, const std::vector<double> &x, const Keep &keep)
    {
        constexpr double kWhole = 1e-6;
        std::vector<std::vector<char>> held(m_flat.ops + 1, std::vector<char>(m_flat.storages(), 0));
        for (int t = 0; t <= m_flat.ops; ++t)
            for (int s = 0; s < m_flat.storages(); ++s) {
                const int column = slots.S[t][s];
                if (column < 0 || x[column] < kWhole) continue;
                held[t][s] = x[column] > 1 - kWhole || keep(x[column]) ? 1 : 0;
            }
        std::vector<Recompute> set = completeHeld(m_flat, held);
        tidyRecomputes(m_flat, set);
        m_incumbent.offer(set);
    }

    SolveOutcome finish(bool solvable)
    {
        SolveOutcome outcome;
        const std::string budget = formatMemory(m_request.budgetBytes, m_incumbent.smallestPeakBytes());
        if (m_incumbent.found()) {
            Plan plan;
            plan.steps = withEarliestFrees(*m_request.graph, m_incumbent.best());
            outcome.plan = std::move(plan);
            const bool stopped = m_context.stop && m_context.stop->stopRequested();
            outcome.status = stopped ? SolveStatus::Stopped : SolveStatus::Feasible;
            return outcome;
        }
        const bool cut = m_context.shouldStop();
        outcome.status = cut ? SolveStatus::Stopped : SolveStatus::Infeasible;
        outcome.smallestPeakBytes = m_incumbent.smallestPeakBytes();
        const std::string peak = formatMemory(outcome.smallestPeakBytes);
        outcome.message =
            cut ? fmt::format("The time ended before a rounded plan fitted {}; the smallest peak so far is {}.", budget,
                              peak)
            : !solvable
                ? fmt::format("Even the linear relaxation does not fit {}, so no plan in the graph's order does.",
                              budget)
                : fmt::format("No rounded plan fits {}; the smallest peak is {}. Take checkmate or hiremate, or raise "
                              "the budget.",
                              budget, peak);
        return outcome;
    }

    const RoundingOptions &m_options;
    const SolveRequest &m_request;
    const SolveContext &m_context;
    const FlatGraph &m_flat;
    Incumbent m_incumbent;
    search::Random m_random;
    std::optional<ilp::LinearProgram> m_linear; ///< as it was solved last
};

} // namespace

std::vector<Recompute> completeHeld(const FlatGraph &flat, const std::vector<std::vector<char>> &held)
{
    std::vector<Recompute> set;
    std::vector<char> there(flat.storages(), 0), asked(flat.ops, 0);
    for (int t = 0; t < flat.ops; ++t) {
        std::fill(asked.begin(), asked.end(), 0);
        const auto ask = [&](int s) {
            const int maker = flat.producer[s];
            if (!there[s] && maker < t && !flat.once[maker]) asked[maker] = 1;
        };
        for (int s = 0; s < flat.storages(); ++s)
            if (held[t][s]) ask(s);
        for (const int s : flat.inputs[t])
            ask(s);
        for (int i = t; i-- > 0;) {
            if (!asked[i]) continue;
            set.push_back({t, i});
            for (const int s : flat.inputs[i])
                ask(s);
        }
        for (int s = 0; s < flat.storages(); ++s)
            there[s] = held[t][s] || (flat.producer[s] >= 0 && flat.once[flat.producer[s]] && flat.producer[s] < t);
        for (const int s : flat.outputs[t])
            there[s] = 1;
    }
    std::sort(set.begin(), set.end());
    return set;
}

Expected<SolveOutcome> planByRounding(const SolveRequest &request, const SolveContext &context,
                                      const RoundingOptions &options)
{
    const FlatGraph flat = flatten(*request.graph, *request.costs);
    if (flat.ops > options.maxOps)
        return fail(
            fmt::format("The linear relaxation grows with the square of the ops, and this graph has {}; it is solved "
                        "for up to {} (option max-ops). Take hiremate or search for graphs of this size.",
                        formatCount(flat.ops), formatCount(options.maxOps)));
    return RoundingRun(request, context, flat, options).run();
}

} // namespace remat::checkmate
