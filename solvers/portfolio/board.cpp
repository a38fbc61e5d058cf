// SPDX-License-Identifier: Apache-2.0
#include "solvers/portfolio/board.h"

#include "core/base/memory_units.h"
#include "core/base/number.h"
#include "core/plan/simulator.h"
#include "solvers/search/to_plan.h"

#include <algorithm>
#include <fmt/core.h>
#include <limits>
#include <numeric>

namespace remat::portfolio {

namespace {

/// Three decimals: members differ by less than people read elsewhere.
std::string percent(double share)
{
    return fixedNumber(100 * share, 3) + " %";
}

} // namespace

Board::Board(const SolveRequest &request, const SolveContext &context)
    : m_request(request), m_context(context), m_work(context.deadline.totalSeconds())
{
    m_work.charge(startUs(static_cast<int>(request.graph->ops.size())));
    m_keepAllUs = std::accumulate(request.costs->timeUs.begin(), request.costs->timeUs.end(), 0.0);
    m_boundTimeUs = context.boundTimeUs;
    m_enoughUs = enoughUs(m_boundTimeUs);
    m_best = search::nothingFound();
}

void Board::begin(const std::string &member)
{
    m_member = member;
    tell(false);
}

bool Board::offer(Line &line, const search::Found &found)
{
    if (!search::isBetter(found, line.best)) return false;
    line.best = found;
    search::Found known = found;
    known.set.clear();
    if (!search::isBetter(found, m_best)) return false;
    m_ownBound = line.reordered ? line.bound : std::nullopt;
    m_ownEnoughUs = line.reordered ? std::optional<double>(enoughUs(line)) : std::nullopt;
    return take(std::move(known), line.sequence(found.set));
}

bool Board::offer(const Plan &plan)
{
    const Expected<Simulation> simulation = simulate(*m_request.graph, *m_request.costs, plan.steps);
    if (!simulation) return false;
    search::Found found;
    found.extraUs = simulation->timeUs - m_keepAllUs;
    found.peakBytes = simulation->peakBytes;
    found.fits = found.peakBytes <= m_request.budgetBytes;
    if (!search::isBetter(found, m_best)) return false;
    m_ownBound.reset();
    m_ownEnoughUs.reset();
    return take(std::move(found), computeSequence(plan));
}

bool Board::take(search::Found found, std::vector<OpId> sequence)
{
    const double beforeUs = fits() ? m_keepAllUs + m_best.extraUs : -1;
    m_best = std::move(found);
    m_sequence = std::move(sequence);
    if (!fits()) return true;
    if (m_gains.empty() || m_gains.back().member != m_member) m_gains.push_back({m_member, beforeUs, 0});
    m_gains.back().afterUs = m_keepAllUs + m_best.extraUs;
    tell(true);
    return true;
}

void Board::raiseBound(Line &line, const TimeBound &bound)
{
    if (bound.timeUs <= (line.reordered ? line.bound ? line.bound->timeUs : 0 : m_boundTimeUs)) return;
    if (line.reordered) {
        line.bound = bound;
        if (bound.cut) line.bound->cut = line.reordered->given[bound.cut.index()];
    } else {
        m_boundTimeUs = bound.timeUs;
        m_bound = bound;
        m_enoughUs = enoughUs(bound.timeUs);
    }
    takeBoundOf(line);
    tell(false);
}

/// Where the best plan is the line's, or that one is as fast and its bound says more.
void Board::takeBoundOf(const Line &line)
{
    if (!fits() || search::isBetter(m_best, line.best)) return;
    std::vector<OpId> sequence = line.sequence(line.best.set);
    const double lineEnoughUs = enoughUs(line);
    if (sequence != m_sequence && lineEnoughUs <= bestEnoughUs()) return;
    m_sequence = std::move(sequence);
    m_best = line.best;
    m_best.set.clear();
    m_ownBound = line.reordered ? line.bound : std::nullopt;
    m_ownEnoughUs = line.reordered ? std::optional(lineEnoughUs) : std::nullopt;
}

double Board::enoughUs(double boundTimeUs) const
{
    SolveContext context = m_context;
    context.boundTimeUs = boundTimeUs;
    return search::enoughUs(m_keepAllUs, context);
}

double Board::enoughUs(const Line &line) const
{
    if (!line.reordered) return m_enoughUs;
    return enoughUs(line.bound ? line.bound->timeUs : m_keepAllUs);
}

std::optional<Plan> Board::plan() const
{
    if (!fits()) return {};
    Plan plan;
    plan.steps = withEarliestFrees(*m_request.graph, m_sequence);
    return plan;
}

double Board::gap() const
{
    const double least = std::max(m_enoughUs, 1e-9);
    return fits() ? m_best.extraUs / least - 1 : std::numeric_limits<double>::infinity();
}

double Board::ownGap() const
{
    return fits() ? m_best.extraUs / std::max(bestEnoughUs(), 1e-9) - 1 : std::numeric_limits<double>::infinity();
}

void Board::tell(bool better) const
{
    if (!m_context.progress) return;
    SolveProgress progress;
    progress.activity = m_member;
    progress.boundTimeUs = m_ownBound ? m_ownBound->timeUs : m_boundTimeUs;
    if (fits()) {
        progress.incumbentTimeUs = m_keepAllUs + m_best.extraUs;
        if (progress.boundTimeUs > m_keepAllUs) progress.gap = std::max(0.0, m_ownBound ? ownGap() : gap());
    }
    if (better) {
        const auto plan = std::make_shared<Plan>();
        plan->steps = withEarliestFrees(*m_request.graph, m_sequence);
        progress.incumbent = plan;
    }
    m_context.progress(progress);
}

std::string Board::story() const
{
    std::string text;
    for (const Gain &gain : m_gains) {
        text += text.empty() ? "" : ", ";
        text += fmt::format("{} {}", gain.member, percent(gain.afterUs / m_keepAllUs - 1));
    }
    return text.empty() ? text : fmt::format("How the added time came down: {}.", text);
}

std::string Board::whyNone() const
{
    const PeakBound floor = workingSetBound(*m_request.graph, *m_request.costs);
    return fmt::format("No plan within {} was found; the smallest peak reached is {}. Proven is only that {}{}.",
                       formatMemory(m_request.budgetBytes, m_best.peakBytes), formatMemory(m_best.peakBytes),
                       floor.op ? fmt::format("op {} alone needs ", m_request.graph->op(floor.op).name)
                                : "the outputs alone need ",
                       formatMemory(floor.bytes));
}

SolveOutcome Board::outcome() const
{
    SolveOutcome outcome;
    outcome.bound = m_bound;
    outcome.ownBound = m_ownBound;
    outcome.status = stopped() ? SolveStatus::Stopped : fits() ? SolveStatus::Feasible : SolveStatus::Infeasible;
    const bool cutShort = m_cutShort || m_context.deadline.passed();
    const std::string ending = cutShort ? std::string(" ") + kTimeWasUp : "";
    if (!fits()) {
        if (!m_sequence.empty()) {
            outcome.smallestPeakBytes = m_best.peakBytes;
            outcome.smallest = m_sequence;
            outcome.message = whyNone() + ending;
        }
        return outcome;
    }
    outcome.plan = plan();
    outcome.message = story() + m_notes + ending;
    return outcome;
}

} // namespace remat::portfolio
