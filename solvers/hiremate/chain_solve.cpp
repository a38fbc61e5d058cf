// SPDX-License-Identifier: Apache-2.0
#include "solvers/hiremate/chain_solve.h"

#include "solvers/hiremate/compose.h"
#include "solvers/search/greedy.h"

#include <algorithm>
#include <cmath>

namespace remat::hiremate {

namespace {

constexpr int kTightenings = 3, kPlaceTightenings = 6;
/// Shares of the time that is left, for one program over the chain: where it takes longer, other cuts bring more.
constexpr double kChainShare = 0.6, kLooserChainShare = 0.03;

} // namespace

ChainSolver::ChainSolver(SolveState &solve, const Hierarchy &hierarchy, const AllOptions &options)
    : m_solve(solve),
      m_hierarchy(hierarchy),
      m_options(options),
      m_choices(choicesOf(solve.flat, hierarchy.top, optionsOf(options, hierarchy.children)))
{
}

void ChainSolver::solveToFit()
{
    Composed composed = Composed::Over;
    if (!m_solve.again()) composed = solveTightened(kTightenings, false);
    if (composed == Composed::Over && !m_solve.stop()) composed = solveTightened(kPlaceTightenings, true);
    if (composed == Composed::Fits) return;
    if (!m_solve.incumbent.found() && !m_solve.stop()) repair();
}

ChainSolver::Composed ChainSolver::solveTightened(int times, bool inPlace)
{
    Composed composed = Composed::Nothing;
    std::int64_t budget = m_solve.budgetBytes;
    std::vector<std::int64_t> setAside(m_hierarchy.top.parts.size(), 0);
    std::vector<double> start;
    for (int round = 0; round <= times && !m_solve.stop(); ++round) {
        m_solve.setActivity(round == 0 ? "Top chain" : "Top chain, tightened");
        const std::optional<TopModel> top = build(budget, setAside);
        if (!top) return composed;
        if (start.empty()) start = pricedStart(*top, m_choices, m_solve.stop);
        if (!start.empty()) offerChoice(*top, start);
        const ilp::Solution solution = solveProgram(*top, start, true);
        if (!solution.found()) return composed;
        m_solve.setActivity("Replay");
        const std::int64_t peak = offerChoice(*top, solution.x);
        if (peak <= m_solve.budgetBytes) {
            tellChosen(m_solve, m_hierarchy, m_options, readChoice(*top, solution.x));
            return Composed::Fits;
        }
        composed = Composed::Over;
        if (inPlace)
            setAsideOverflow(*top, solution.x, setAside);
        else
            budget -= (peak - m_solve.budgetBytes) + (peak - m_solve.budgetBytes) / 2000 + 1;
        start.clear();
    }
    return composed;
}

/// What the plan of a solution is over the budget in each part: where recomputations of several blocks share ops,
/// or results of one outlive it, rows do not see it.
void ChainSolver::setAsideOverflow(const TopModel &top, const std::vector<double> &x,
                                   std::vector<std::int64_t> &setAside)
{
    const Chain &chain = m_hierarchy.top;
    const std::vector<std::int64_t> held =
        heldBySlot(m_solve.flat, m_solve.evaluator, compose(m_solve.flat, chain, m_choices, readChoice(top, x)));
    for (std::size_t t = 0; t < setAside.size(); ++t) {
        const Part &part = chain.parts[t];
        std::int64_t over = 0;
        for (int slot = part.slot; slot < part.slot + part.end - part.begin; ++slot)
            over = std::max(over, held[slot] - m_solve.budgetBytes);
        if (over > 0) setAside[t] += over + over / 2000 + 1;
    }
}

void ChainSolver::solveLooser()
{
    m_solve.setActivity("Looser chains");
    for (const int percent : {2, 5, 10, 15, 20, 30}) {
        if (m_solve.stop()) return;
        const std::optional<TopModel> top = build(m_solve.budgetBytes + m_solve.budgetBytes / 100 * percent);
        if (!top) return;
        const ilp::Solution solution = solveProgram(*top, pricedStart(*top, m_choices, m_solve.stop), false);
        if (!solution.found()) continue;
        const std::vector<Recompute> set =
            compose(m_solve.flat, m_hierarchy.top, m_choices, readChoice(*top, solution.x));
        m_solve.incumbent.offer(search::greedyPlan(m_solve.flat, m_solve.budgetBytes, set, m_solve.stop).set);
    }
}

std::optional<TopModel> ChainSolver::build(std::int64_t budget, const std::vector<std::int64_t> &setAside) const
{
    TopSettings settings;
    settings.setAsideBytes = setAside;
    settings.stop = m_solve.stop;
    settings.lite = m_solve.settings.lite;
    return buildTopModel(m_solve.flat, m_hierarchy.top, m_choices, budget, settings);
}

ilp::Solution ChainSolver::solveProgram(const TopModel &top, const std::vector<double> &start, bool tell)
{
    ilp::Limits limits = m_solve.chainLimits(m_solve.mayGoOn() ? (tell ? kChainShare : kLooserChainShare) : 1);
    limits.relativeGap = m_solve.settings.gapPercent / 100;
    limits.absoluteGap = 1e-5 * m_solve.keepAll.timeUs;
    limits.start = start;
    if (tell) limits.progress = [this](const ilp::Progress &progress) { tellFigures(progress); };
    const ilp::Solution solution = ilp::solve(top.model, limits);
    m_solve.iterationsDone += solution.iterations;
    m_solve.timeWasUp = m_solve.timeWasUp || limits.deadline.passed();
    return solution;
}

/// Figures of a model whose objective is the added time.
void ChainSolver::tellFigures(const ilp::Progress &progress)
{
    const double base = m_solve.keepAll.timeUs;
    const bool some = std::isfinite(progress.incumbent), bounded = std::isfinite(progress.bound);
    const double incumbentUs = some ? base + progress.incumbent : -1;
    const double boundUs = bounded ? std::max(base, base + progress.bound) : -1;
    m_solve.incumbent.setModelFigures(incumbentUs, boundUs, base);
}

/// Composes, undoes what is not needed, and offers; the peak is that of the composition itself.
std::int64_t ChainSolver::offerChoice(const TopModel &top, const std::vector<double> &x)
{
    const std::vector<Recompute> set = compose(m_solve.flat, m_hierarchy.top, m_choices, readChoice(top, x));
    const SequenceCost cost = m_solve.incumbent.offer(set);
    if (m_solve.settings.undo) {
        search::State state(m_solve.flat, m_solve.budgetBytes);
        state.assign(set);
        search::prune(state, m_solve.stop);
        m_solve.incumbent.offer(state.recomputes());
    }
    return cost.peakBytes;
}

/// When the chain has no solution: the options of smallest peak everywhere, repaired on the whole graph.
void ChainSolver::repair()
{
    m_solve.incumbent.setActivity("Repair");
    TopChoice choice;
    for (const BlockChoices &block : m_choices) {
        const auto smallest =
            std::min_element(block.options->begin(), block.options->end(), [](const Option &a, const Option &b) {
                return a.backwardPeakBytes + a.keptBytes < b.backwardPeakBytes + b.keptBytes;
            });
        choice.option.push_back(static_cast<int>(smallest - block.options->begin()));
    }
    const std::vector<Recompute> set = compose(m_solve.flat, m_hierarchy.top, m_choices, choice);
    m_solve.incumbent.offer(set);
    m_solve.incumbent.offer(search::greedyPlan(m_solve.flat, m_solve.budgetBytes, set, m_solve.stop).set);
}

} // namespace remat::hiremate
