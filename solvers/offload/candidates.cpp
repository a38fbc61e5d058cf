// SPDX-License-Identifier: Apache-2.0
#include "solvers/offload/candidates.h"

#include "core/base/memory_units.h"
#include "core/plan/energy.h"
#include "core/plan/simulator.h"

#include <algorithm>
#include <fmt/core.h>
#include <limits>

namespace remat::offload {

Candidates::Candidates(const FlatGraph &flat, const SolveRequest &request, const SolveContext &context,
                       const Goal &goal)
    : m_flat(flat),
      m_request(request),
      m_context(context),
      m_goal(goal),
      m_lastSlot(request.graph->ops.size(), flat.ops),
      m_shortestUs(std::numeric_limits<double>::infinity())
{
    const Graph &graph = *request.graph;
    std::vector<int> updatedAt(graph.storages.size(), flat.ops);
    for (std::size_t i = graph.ops.size(); i-- > 0;) {
        for (const StorageId updated : graph.ops[i].updates)
            updatedAt[updated.index()] = static_cast<int>(i);
        for (const StorageId input : graph.ops[i].inputs)
            m_lastSlot[i] = std::min(m_lastSlot[i], updatedAt[input.index()]);
    }
}

std::vector<OpId> Candidates::sequenceOf(std::vector<Recompute> recomputes) const
{
    // What is left out of a set is held instead, so that it stays a plan.
    std::erase_if(recomputes, [&](const Recompute &r) { return r.slot > m_lastSlot[static_cast<std::size_t>(r.op)]; });
    tidyRecomputes(m_flat, recomputes);
    return toSequence(m_flat, recomputes);
}

Expected<void> Candidates::offer(const std::vector<Recompute> &recomputes, const std::vector<char> &mayLeave)
{
    m_lastFits = false;
    const Graph &graph = *m_request.graph;
    const std::vector<OpId> sequence = sequenceOf(recomputes);
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

Expected<double> Candidates::offer(const std::vector<Recompute> &recomputes, const SelectionRules &rules,
                                   std::int64_t reserveBytes)
{
    m_lastFits = false;
    const std::vector<OpId> sequence = sequenceOf(recomputes);
    const Residence residence = residenceOf(*m_request.graph, *m_request.costs, sequence);
    const Selection selection =
        select(*m_request.graph, residence, std::max<std::int64_t>(m_request.budgetBytes - reserveBytes, 0), rules,
               [&] { return m_context.shouldStop(); });
    if (const Expected<void> taken = take(sequence, residence, selection); !taken) return tl::unexpected(taken.error());
    return m_lastFits ? m_lastUs : std::numeric_limits<double>::infinity();
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
    Expected<OffloadSchedule> schedule =
        scheduleOffloads(graph, costs, sequence, residence, selection, m_request.budgetBytes);
    if (!schedule) return tl::unexpected(schedule.error());
    keep(std::move(*schedule));
    return {};
}

Expected<Realised> Candidates::offer(const Decisions &decisions)
{
    const Residence residence = residenceOf(*m_request.graph, *m_request.costs, decisions.sequence);
    Selection selection;
    selection.heldBytes = residence.heldBytes;
    for (const HostGap &gap : residence.gaps) {
        const Fetch fetch{gap.to, gap.storage.value};
        if (gap.wraps ||
            std::find(decisions.fetches.begin(), decisions.fetches.end(), fetch) == decisions.fetches.end())
            continue;
        selection.gaps.push_back(gap);
        forEachPosition(gap, static_cast<int>(selection.heldBytes.size()), [&](int i) {
            selection.heldBytes[static_cast<std::size_t>(i)] -= m_request.graph->storage(gap.storage).bytes;
        });
    }
    Realised realised{selection.heldBytes, fits(selection)};
    const Expected<void> taken = take(decisions.sequence, residence, selection);
    if (!taken) return tl::unexpected(taken.error());
    return realised;
}

Expected<void> Candidates::offer(const std::vector<Step> &steps)
{
    const Expected<Simulation> simulation = simulate(*m_request.graph, *m_request.costs, steps);
    if (!simulation) return tl::unexpected(simulation.error());
    if (simulation->peakBytes <= m_request.budgetBytes) keep({steps, simulation->timeUs, simulation->peakBytes});
    return {};
}

void Candidates::keep(OffloadSchedule schedule)
{
    m_lastUs = schedule.timeUs;
    m_shortestUs = std::min(m_shortestUs, schedule.timeUs);
    if (m_goal.mostTimeUs > 0 && schedule.timeUs > m_goal.mostTimeUs * (1 + 1e-9)) return;
    const double joules = planJoules(*m_request.graph, *m_request.costs, schedule.steps);
    const bool faster = m_best && schedule.timeUs < m_best->timeUs;
    const double little = 1e-12 * m_bestJoules; // what differs less is as good: the faster one is taken
    const bool better = !m_best || (m_goal.energy ? joules < m_bestJoules - (faster ? -little : little) : faster);
    if (!better) return;
    m_bestJoules = joules;
    m_best = std::move(schedule);
    if (m_context.progress) {
        SolveProgress told;
        told.activity = "Plans";
        told.incumbentTimeUs = m_best->timeUs;
        auto plan = std::make_shared<Plan>();
        plan->steps = m_best->steps;
        told.incumbent = std::move(plan);
        m_context.progress(told);
    }
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
    outcome.message =
        fmt::format("No {} fits {}; the smallest peak reached is {}. {}", family,
                    formatMemory(m_request.budgetBytes, m_smallestPeak), formatMemory(m_smallestPeak), advice);
    return outcome;
}

} // namespace remat::offload
