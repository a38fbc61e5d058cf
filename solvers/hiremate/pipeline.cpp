// SPDX-License-Identifier: Apache-2.0
#include "solvers/hiremate/pipeline.h"

#include "core/base/memory_units.h"
#include "solvers/blocks/closure.h"
#include "solvers/checkmate/exact.h"
#include "solvers/hiremate/exact.h"
#include "solvers/hiremate/graph_solve.h"
#include "solvers/hiremate/state.h"
#include "solvers/search/peak.h"
#include "solvers/search/to_plan.h"

#include <algorithm>
#include <fmt/core.h>

namespace remat::hiremate {

namespace {

constexpr int kExactOps = 40;
constexpr std::size_t kExactStates = 1'000'000;
/// Moves for each step down: few to see whether there is a plan, then as many as the search takes.
constexpr std::int64_t kLowerPeakMoves[] = {4'000, 50'000};
/// Share of the added time above the proven bound from which a dynamic program over the chain is worth it: it looks at
/// what programs over blocks do not.
constexpr double kNearEnoughForTables = 0.01;
/// Share of the time that is left, for one dynamic program.
constexpr double kTableShare = 0.5;
/// Rounds would take all time.
SolveContext withTimeForTheBound(SolveContext context, const PipelineOptions &options)
{
    if (options.rounds > 0) context.deadline = context.timeToImprove();
    return context;
}

/// One solve; lives for one call.
class Pipeline
{
public:
    Pipeline(const SolveRequest &request, const SolveContext &context, const FlatGraph &flat,
             const PipelineOptions &options)
        : m_solve(request, context, flat, options)
    {
    }

    SolveOutcome run()
    {
        if (m_solve.incumbent.offer(std::vector<Recompute>{}).peakBytes <= m_solve.budgetBytes) return finish(true);
        m_solve.incumbent.setActivity("First plan");
        if (m_solve.request.start) m_solve.incumbent.offer(search::startSet(m_solve.flat, m_solve.request.start.get()));
        m_solve.incumbent.offer(search::greedyPlan(m_solve.flat, m_solve.budgetBytes, {}, m_solve.stop).set);
        if (m_solve.nearBound(0)) return finish(true);
        if (m_solve.flat.ops <= kExactOps && solveExactly()) return finish(true);
        if (m_solve.flat.ops <= kExactOps && !m_solve.stop())
            solveLeaf();
        else if (m_solve.flat.forwardOps < m_solve.flat.ops && !m_solve.stop())
            planWhole();
        searchLowerPeaks();
        return finish(false);
    }

private:
    /// True when the graph is small enough for the answer to be exact, one way or the other.
    bool solveExactly()
    {
        m_solve.incumbent.setActivity("All states");
        const ExactResult exact = searchStates(m_solve.flat, m_solve.budgetBytes, kExactStates, m_solve.stop);
        if (exact.sequence) m_solve.incumbent.offer(*exact.sequence);
        return exact.finished;
    }

    /// The whole graph as one integer program.
    void solveLeaf()
    {
        m_solve.incumbent.setActivity("Whole graph");
        checkmate::ExactSettings exact;
        exact.iterations = m_solve.iterations();
        const SolveOutcome outcome = checkmate::planExactly(m_solve.request, m_solve.context, m_solve.flat, exact);
        if (outcome.plan) m_solve.incumbent.offer(computeSequence(*outcome.plan));
    }

    /// By the planners over the whole graph that are asked for.
    void planWhole()
    {
        const bool best = m_solve.settings.top == "best";
        const bool byProgram = best || m_solve.settings.top == "ilp";
        GraphSolver program(m_solve);
        if (byProgram) program.solveFirst();
        for (const char *name : {"rotor", "rk-rotor"})
            if (m_solve.settings.top == name || (best && !m_solve.nearBound(kNearEnoughForTables) && !m_solve.stop()))
                planByTable(name);
        searchLowerPeaks(); // rounds would leave no time for it
        if (byProgram) m_note = program.solveAgain();
    }

    /// The dynamic program of that name, where the graph is a chain: at low budgets, where a chain is run forward many
    /// times over, programs over blocks are behind it.
    void planByTable(const std::string &name)
    {
        m_solve.incumbent.setActivity("Dynamic program");
        const Planner &planner = **findPlanner(name);
        SolveRequest request = m_solve.request;
        request.options = *makeOptions(planner.info.options, {});
        SolveContext context = m_solve.context;
        context.progress = nullptr;
        context.story = nullptr;
        context.deadline = Deadline(std::min(kTableShare * m_solve.context.deadline.secondsLeft(), kNoLimitSeconds));
        try {
            const Expected<SolveOutcome> outcome = planner.plan(request, context);
            if (outcome && outcome->plan) m_solve.incumbent.offer(computeSequence(*outcome->plan));
        } catch (const TimeUp &) {
            m_solve.timeWasUp = true;
        }
        m_solve.timeWasUp = m_solve.timeWasUp || context.deadline.passed();
    }

    /// Where nothing fits yet: lowers the peak as far as it goes.
    void searchLowerPeaks()
    {
        for (const std::int64_t moves : kLowerPeakMoves) {
            if (m_solve.incumbent.found() || m_solve.stop()) return;
            m_solve.incumbent.setActivity("Lower peaks");
            search::State state(m_solve.flat, m_solve.budgetBytes);
            search::PeakSettings settings;
            settings.targetBytes = m_solve.budgetBytes;
            settings.moves = moves;
            settings.seed = m_solve.context.seed;
            m_solve.incumbent.offer(search::lowerPeak(state, settings, m_solve.stop).set);
        }
    }

    SolveOutcome finish(bool optimal)
    {
        SolveOutcome outcome;
        const bool stopped = m_solve.context.stop && m_solve.context.stop->stopRequested();
        if (!m_solve.incumbent.found()) {
            const bool cut = m_solve.stop();
            outcome.status = cut ? SolveStatus::Stopped : SolveStatus::Infeasible;
            outcome.smallestPeakBytes = m_solve.incumbent.smallestPeakBytes();
            const std::string peak = formatMemory(outcome.smallestPeakBytes);
            outcome.message = (cut ? "The solve ended before a plan within " : "No plan within ") +
                              formatMemory(m_solve.budgetBytes, outcome.smallestPeakBytes) +
                              (cut ? fmt::format(" was found; the smallest peak so far is {}.", peak)
                                   : fmt::format(" was found for the order of ops in the graph; the smallest peak "
                                                 "reached is {}. Raise the budget to that.",
                                                 peak));
            return outcome;
        }
        Plan plan;
        plan.steps = withEarliestFrees(*m_solve.request.graph, m_solve.incumbent.best());
        outcome.plan = std::move(plan);
        outcome.status = optimal ? SolveStatus::Optimal : stopped ? SolveStatus::Stopped : SolveStatus::Feasible;
        outcome.message = m_note;
        if (!optimal && (m_solve.timeWasUp || m_solve.context.deadline.passed())) outcome.message = kTimeWasUp;
        return outcome;
    }

    SolveState m_solve;
    std::string m_note; ///< what came after the first solve, and why it ended
};

} // namespace

const std::vector<std::string> &topPlannerNames()
{
    static const std::vector<std::string> names = {"best", "ilp", "rotor", "rk-rotor"};
    return names;
}

Expected<SolveOutcome> planHierarchically(const SolveRequest &request, const SolveContext &context,
                                          const PipelineOptions &options)
{
    const FlatGraph flat = flatten(*request.graph, *request.costs);
    if (const Expected<void> sizes = search::checkSizes(flat); !sizes) return tl::unexpected(sizes.error());
    return Pipeline(request, withTimeForTheBound(context, options), flat, options).run();
}

} // namespace remat::hiremate
