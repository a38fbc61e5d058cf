#include "solvers/offload/candidates.h"

#include "core/base/memory_units.h"

#include <limits>

namespace remat::offload {

double planJoules(const Graph &graph, const CostTable &costs, const std::vector<Step> &steps)
{
    double joules = 0;
    for (const Step &step : steps) {
        if (step.kind == StepKind::Compute)
            joules += costs.watts * costs.time(step.op) * 1e-6;
        else if (step.kind != StepKind::Free)
            joules += costs.linkJoulesPerByte * static_cast<double>(graph.storage(step.storage).bytes);
    }
    return joules;
}

Candidates::Candidates(const FlatGraph &flat, const SolveRequest &request, const SolveContext &context,
                       const Goal &goal)
    : m_flat(flat),
      m_request(request),
      m_context(context),
      m_goal(goal),
      m_shortestUs(std::numeric_limits<double>::infinity())
{
}

Expected<void> Candidates::offer(const std::vector<Recompute> &recomputes, const std::vector<char> &mayLeave)
{
    m_lastFits = false;
    const Graph &graph = *m_request.graph;
    const std::vector<OpId> sequence = toSequence(m_flat, recomputes);
    const Residence residence = residenceOf(graph, *m_request.costs, sequence);
    const auto choose = [&](const std::vector<char> &leave) {
        constexpr double kAgainWorth = 0.5;
        return select(graph, residence, m_request.budgetBytes, {true, kAgainWorth, leave, m_request.stays},
                      [&] { return m_context.shouldStop(); });
    };
    if (!graph.parametersPlanned) {
        Selection selection = choose(mayLeave);
        if (!fits(selection) && !m_goal.onlyThose) selection = choose({});
        return take(sequence, residence, selection);
    }
    std::vector<char> some = mayLeave, all(graph.storages.size(), 1);
    some.resize(all.size(), mayLeave.empty() ? 1 : 0);
    for (std::size_t s = 0; s < all.size(); ++s)
        if (graph.storages[s].plannedParameter) some[s] = all[s] = 0;
    Selection selection = choose(some);
    if (!fits(selection)) selection = choose(all);
    if (const Expected<void> taken = take(sequence, residence, selection); !taken) return taken;
    for (std::vector<char> *leave : {&some, &all}) {
        for (std::size_t s = 0; s < all.size(); ++s)
            if (graph.storages[s].plannedParameter) (*leave)[s] = 1;
        selection = choose(*leave);
        if (fits(selection)) break;
    }
    return take(sequence, residence, selection);
}

Expected<void> Candidates::take(const std::vector<OpId> &sequence, const Residence &residence,
                                const Selection &selection)
{
    if (selection.stopped) return {};
    if (m_smallestPeak == 0 || selection.peakBytes() < m_smallestPeak) m_smallestPeak = selection.peakBytes();
    if (!fits(selection)) return {};
    m_lastFits = true;

    const Graph &graph = *m_request.graph;
    const CostTable &costs = *m_request.costs;
    Expected<Schedule> schedule = scheduleOffloads(graph, costs, sequence, residence, selection, m_request.budgetBytes);
    if (!schedule) return tl::unexpected(schedule.error());
    m_shortestUs = std::min(m_shortestUs, schedule->timeUs);
    if (m_goal.mostTimeUs > 0 && schedule->timeUs > m_goal.mostTimeUs * (1 + 1e-9)) return {};
    const double joules = planJoules(graph, costs, schedule->steps);
    const bool better = !m_best || (m_goal.energy ? joules < m_bestJoules : schedule->timeUs < m_best->timeUs);
    if (!better) return {};
    m_bestJoules = joules;
    m_best = std::move(*schedule);
    if (m_context.progress) {
        SolveProgress told;
        told.activity = "Plans";
        told.incumbentTimeUs = m_best->timeUs;
        auto plan = std::make_shared<Plan>();
        plan->steps = m_best->steps;
        told.incumbent = std::move(plan);
        m_context.progress(told);
    }
    return {};
}

SolveOutcome Candidates::outcome(const std::string &family, const std::string &advice) const
{
    SolveOutcome outcome;
    const bool cut = m_context.shouldStop();
    if (m_best) {
        outcome.status = cut ? SolveStatus::Stopped : SolveStatus::Feasible;
        outcome.plan.emplace().steps = m_best->steps;
        return outcome;
    }
    outcome.status = cut ? SolveStatus::Stopped : SolveStatus::Infeasible;
    outcome.smallestPeakBytes = m_smallestPeak;
    outcome.message = "No " + family + " fits " + formatMemory(m_request.budgetBytes, m_smallestPeak) +
                      "; the smallest peak reached is " + formatMemory(m_smallestPeak) + ". " + advice;
    return outcome;
}

} // namespace remat::offload
