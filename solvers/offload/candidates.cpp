#include "solvers/offload/candidates.h"

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
    const Graph &graph = *m_request.graph;
    const CostTable &costs = *m_request.costs;
    const std::vector<OpId> sequence = toSequence(m_flat, recomputes);
    const Residence residence = residenceOf(graph, costs, sequence);
    constexpr double kAgainWorth = 0.5;
    const auto stop = [&] { return m_context.shouldStop(); };
    Selection selection =
        select(graph, residence, m_request.budgetBytes, {true, kAgainWorth, mayLeave, m_request.stays}, stop);
    if (selection.peakBytes() > m_request.budgetBytes)
        selection = select(graph, residence, m_request.budgetBytes, {true, kAgainWorth, {}, m_request.stays}, stop);
    if (selection.stopped) return {};
    if (m_smallestPeak == 0 || selection.peakBytes() < m_smallestPeak) m_smallestPeak = selection.peakBytes();
    if (selection.peakBytes() > m_request.budgetBytes) return {};

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
        told.stage = "Plans";
        told.incumbentTimeUs = m_best->timeUs;
        auto plan = std::make_shared<Plan>();
        plan->steps = m_best->steps;
        told.incumbent = std::move(plan);
        m_context.progress(told);
    }
    return {};
}

} // namespace remat::offload
