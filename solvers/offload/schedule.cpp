// SPDX-License-Identifier: Apache-2.0
#include "solvers/offload/schedule.h"

#include "core/plan/simulator.h"

#include <algorithm>
#include <optional>
#include <set>

namespace remat::offload {

namespace {

/// A gap in use: away at the positions [leaves, returns), or outside of [returns, leaves) when it wraps.
struct Absence {
    HostGap gap;
    std::int64_t bytes = 0;
    double copyUs = 0;
    int leaves = 0, returns = 0;
    bool closed = false; ///< there was room for it all the time
};

class Scheduler
{
public:
    Scheduler(const Graph &graph, const CostTable &costs, const std::vector<OpId> &sequence, const Residence &residence,
              const Selection &selection, std::int64_t budgetBytes)
        : m_graph(graph), m_costs(costs), m_sequence(sequence), m_startUs(residence.startUs)
    {
        m_room.reserve(selection.heldBytes.size());
        for (const std::int64_t held : selection.heldBytes)
            m_room.push_back(budgetBytes - held);
        for (const HostGap &gap : selection.gaps) {
            Absence absence;
            absence.gap = gap;
            absence.bytes = graph.storage(gap.storage).bytes;
            absence.copyUs = copyTimeUs(costs, absence.bytes);
            absence.leaves = gap.from + 1;
            absence.returns = gap.to;
            m_absences.push_back(absence);
        }
    }

    std::vector<Step> schedule(bool staysFirst)
    {
        if (!staysFirst) fetchEarly();
        stayForCopies();
        if (staysFirst) fetchEarly();
        return steps();
    }

private:
    int end() const { return static_cast<int>(m_sequence.size()); }
    /// Up to where the storage may stay: its return, or the end of the iteration when it is away across that.
    int latestLeave(const Absence &absence) const { return absence.gap.wraps ? end() : absence.returns; }

    /// A storage is copied once, since a computation makes the same bytes again; after each update there are others.
    int valueOf(const HostGap &gap) const { return m_graph.storage(gap.storage).plannedParameter ? gap.made : 0; }

    /// Room at the position for the storage's bytes, taken when there is.
    bool takeRoom(int position, const Absence &absence)
    {
        std::int64_t &room = m_room[static_cast<std::size_t>(position)];
        if (room < absence.bytes) return false;
        room -= absence.bytes;
        return true;
    }

    /// True when the storage can be there all the time between leaving and returning; then it is.
    bool closes(Absence &absence)
    {
        for (int i = absence.leaves; i < absence.returns; ++i)
            if (m_room[static_cast<std::size_t>(i)] < absence.bytes) return false;
        for (int i = absence.leaves; i < absence.returns; ++i)
            takeRoom(i, absence);
        absence.closed = true;
        return true;
    }

    /// A clock runs along the sequence: copies to host memory start when the storage was made, in that order, and
    /// computations wait for those whose storage must leave. A copy of the iteration before has ended.
    void stayForCopies()
    {
        std::vector<std::vector<std::size_t>> madeAt(m_sequence.size()), leavesAfter(m_sequence.size() + 1);
        for (std::size_t a = 0; a < m_absences.size(); ++a) {
            const HostGap &gap = m_absences[a].gap;
            if (gap.made < 0) continue; // a parameter's copy is there already
            madeAt[static_cast<std::size_t>(gap.made)].push_back(a);
            if (gap.made <= gap.from) leavesAfter[static_cast<std::size_t>(gap.from)].push_back(a);
        }
        std::vector<double> copiedUs(m_graph.storages.size(), -1);
        std::vector<std::vector<StorageId>> waits(m_sequence.size() + 1);
        std::set<std::pair<StorageId, int>> sent;
        double clockUs = 0, laneUs = 0;
        for (int i = 0; i < end(); ++i) {
            for (const StorageId storage : waits[static_cast<std::size_t>(i)])
                clockUs = std::max(clockUs, copiedUs[storage.index()]);
            const OpId op = m_sequence[static_cast<std::size_t>(i)];
            clockUs += m_graph.op(op).onHost ? 0 : m_costs.time(op);
            for (const std::size_t a : madeAt[static_cast<std::size_t>(i)]) {
                const StorageId storage = m_absences[a].gap.storage;
                if (!sent.insert({storage, valueOf(m_absences[a].gap)}).second) continue;
                laneUs = std::max(laneUs, clockUs) + m_absences[a].copyUs;
                copiedUs[storage.index()] = laneUs;
            }
            for (const std::size_t a : leavesAfter[static_cast<std::size_t>(i)]) {
                Absence &absence = m_absences[a];
                if (absence.closed || (!absence.gap.wraps && closes(absence))) continue;
                const double copied = copiedUs[absence.gap.storage.index()];
                const double aheadUs = clockUs - m_startUs[static_cast<std::size_t>(i) + 1];
                while (absence.leaves < latestLeave(absence) &&
                       m_startUs[static_cast<std::size_t>(absence.leaves)] + aheadUs < copied &&
                       takeRoom(absence.leaves, absence))
                    ++absence.leaves;
                waits[static_cast<std::size_t>(absence.leaves)].push_back(absence.gap.storage);
            }
        }
    }

    /// From the last fetch to the first: each wants to end when its reader starts or the next fetch begins.
    void fetchEarly()
    {
        std::vector<std::size_t> byReturn(m_absences.size());
        for (std::size_t a = 0; a < byReturn.size(); ++a)
            byReturn[a] = a;
        std::stable_sort(byReturn.begin(), byReturn.end(),
                         [&](std::size_t a, std::size_t b) { return m_absences[a].gap.to > m_absences[b].gap.to; });
        double laneUs = m_startUs.back();
        for (const std::size_t a : byReturn) {
            Absence &absence = m_absences[a];
            if (absence.closed || (!absence.gap.wraps && closes(absence))) continue;
            const double beginUs =
                std::min(laneUs, m_startUs[static_cast<std::size_t>(absence.returns)]) - absence.copyUs;
            const int earliest = absence.gap.wraps ? 0 : absence.leaves;
            while (absence.returns > earliest && m_startUs[static_cast<std::size_t>(absence.returns)] > beginUs &&
                   takeRoom(absence.returns - 1, absence))
                --absence.returns;
            laneUs = beginUs;
        }
    }

    /// Frees of what nobody needs, then what leaves, then what comes back, all before the computation at a position.
    std::vector<Step> steps() const
    {
        const std::size_t positions = m_sequence.size() + 1;
        std::vector<std::vector<StorageId>> offloads(positions), frees(positions);
        std::vector<std::vector<const Absence *>> fetches(positions);
        std::set<std::pair<StorageId, int>> copied;
        for (const Absence &absence : m_absences) {
            if (absence.closed || (!absence.gap.wraps && absence.leaves >= absence.returns)) continue;
            const StorageId storage = absence.gap.storage;
            if (absence.gap.made >= 0 && copied.insert({storage, valueOf(absence.gap)}).second)
                offloads[static_cast<std::size_t>(absence.gap.made) + 1].push_back(storage);
            frees[static_cast<std::size_t>(absence.leaves)].push_back(storage);
            fetches[static_cast<std::size_t>(absence.returns)].push_back(&absence);
        }
        for (std::vector<const Absence *> &here : fetches)
            std::stable_sort(here.begin(), here.end(),
                             [](const Absence *a, const Absence *b) { return a->gap.to < b->gap.to; });

        std::vector<Step> result;
        std::size_t position = 0;
        bool moved = false; // what moves before the computation at hand
        const auto moveBefore = [&] {
            for (const StorageId storage : offloads[position])
                result.push_back(Step::offload(storage));
            for (const StorageId storage : frees[position])
                result.push_back(Step::free(storage));
            for (const Absence *absence : fetches[position])
                result.push_back(Step::prefetch(absence->gap.storage));
        };
        for (const Step &step : withEarliestFrees(m_graph, m_sequence)) {
            // What an update on the host reads is sent right before it: when all that comes back has come.
            if (!moved && (step.kind == StepKind::Compute || step.kind == StepKind::Offload)) {
                moveBefore();
                moved = true;
            }
            if (step.kind == StepKind::Compute) {
                moved = false;
                ++position;
            }
            result.push_back(step);
        }
        moveBefore();
        return withoutIdleCopies(result);
    }

    /// What updates on the host read comes back only to go again, and what they write goes when it has just come back:
    /// copies that nothing on the device reads are left out.
    std::vector<Step> withoutIdleCopies(const std::vector<Step> &steps) const
    {
        std::vector<char> idle(steps.size(), 0);
        std::vector<std::vector<std::size_t>> since(m_graph.storages.size()); ///< copies since nothing has read it
        for (std::size_t i = 0; i < steps.size(); ++i) {
            const Step &step = steps[i];
            if (step.kind == StepKind::Compute) {
                if (m_graph.op(step.op).onHost) continue;
                for (const StorageId input : m_graph.op(step.op).inputs)
                    since[input.index()].clear();
                continue;
            }
            std::vector<std::size_t> &copies = since[step.storage.index()];
            if (step.kind == StepKind::Prefetch || !copies.empty()) copies.push_back(i);
            if (step.kind != StepKind::Free) continue;
            for (const std::size_t copy : copies)
                idle[copy] = 1;
            copies.clear();
        }
        std::vector<Step> result;
        result.reserve(steps.size());
        for (std::size_t i = 0; i < steps.size(); ++i)
            if (!idle[i]) result.push_back(steps[i]);
        return result;
    }

    const Graph &m_graph;
    const CostTable &m_costs;
    const std::vector<OpId> &m_sequence;
    const std::vector<double> &m_startUs;
    std::vector<std::int64_t> m_room; ///< per position: bytes under the budget
    std::vector<Absence> m_absences;
};

} // namespace

Expected<OffloadSchedule> scheduleOffloads(const Graph &graph, const CostTable &costs,
                                           const std::vector<OpId> &sequence, const Residence &residence,
                                           const Selection &selection, std::int64_t budgetBytes)
{
    std::optional<OffloadSchedule> best;
    for (const bool staysFirst : {true, false}) {
        OffloadSchedule schedule;
        schedule.steps = Scheduler(graph, costs, sequence, residence, selection, budgetBytes).schedule(staysFirst);
        const Expected<Simulation> simulation = simulate(graph, costs, schedule.steps);
        if (!simulation) return tl::unexpected(simulation.error());
        schedule.timeUs = simulation->timeUs;
        schedule.peakBytes = simulation->peakBytes;
        if (!best || schedule.timeUs < best->timeUs) best = std::move(schedule);
    }
    return *best;
}

} // namespace remat::offload
