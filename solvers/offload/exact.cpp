// SPDX-License-Identifier: Apache-2.0
#include "solvers/offload/exact.h"

#include "solvers/checkmate/path_cuts.h"
#include "solvers/offload/plan_window.h"

#include <algorithm>

namespace remat::offload {

namespace {

constexpr int kSmallOps = 20;    ///< up to here slots may run through the ops several times
constexpr int kSmallPasses = 3;  ///< so often
constexpr int kNeighbours = 2;   ///< slots beside one over the budget that become fine with it
constexpr int kCoarseRounds = 4; ///< then all slots become fine
constexpr double kGap = 1e-7;    ///< share of the energy: plans this much better are not looked for

class LeastEnergy
{
public:
    LeastEnergy(const FlatGraph &flat, const std::vector<char> &again, const LeastEnergySettings &settings,
                Candidates &candidates)
        : m_flat(flat),
          m_settings(settings),
          m_candidates(candidates),
          m_window(makeWindow(flat, decisionsOf(*flat.graph, candidates.best()->steps), again))
    {
        const CostTable &costs = *flat.costs;
        const double priceOfUs = costs.linkWatts / costs.watts;
        m_fixedUs = m_window.computeUs + priceOfUs * (m_window.outUs + m_window.inUs);
        checkmate::PagingPrices &prices = m_program.paging.emplace();
        for (const int s : m_window.storageOf) {
            const double copyUs = copyTimeUs(costs, flat.bytes[s]);
            prices.mayLeave.push_back(settings.stays.empty() || !settings.stays[s] ? 1 : 0);
            prices.copyUs.push_back(copyUs);
            prices.priceUs.push_back(priceOfUs * copyUs);
        }
        if (settings.mostTimeUs > 0) {
            m_program.mostAddedUs = settings.mostTimeUs - m_window.computeUs;
            prices.mostOutUs = settings.mostTimeUs - m_window.outUs;
            prices.mostInUs = settings.mostTimeUs - m_window.inUs;
        }
        m_program.budgetBytes = settings.budgetBytes;
        m_program.reservedBytes = m_window.reservedBytes;
        m_program.passes.assign(m_window.flat.ops + 1, 0);
    }

    Expected<LeastEnergyResult> run()
    {
        // It has at least so many: larger programs are not even built.
        const double decided = static_cast<double>(
            std::count(m_window.flat.once.begin(), m_window.flat.once.end(), char(0)) * m_window.flat.ops);
        m_result.tooLarge = decided / 2 > m_settings.mostColumns;
        if (m_result.tooLarge) return m_result;
        bool refined = true;
        while (refined && !m_result.solved && !stopped()) {
            checkmate::SlotProgram slots = checkmate::buildSlotProgram(m_window.flat, m_program);
            m_result.tooLarge = slots.model.columns() > m_settings.mostColumns;
            if (m_result.tooLarge) break;
            const ilp::Limits within = limits(slots);
            const ilp::Relaxation relaxation = checkmate::tightenByPathCuts(m_window.flat, slots, within);
            raiseBound(std::min(joules(relaxation.bound * slots.unitUs), m_candidates.bestJoules()));
            m_result.solved = proven();
            if (m_result.solved) break;
            ilp::fixByReducedCosts(slots.model, relaxation, within.known);
            const ilp::Solution solution = ilp::solve(slots.model, within);
            if (solution.status == ilp::Status::Infeasible) {
                raiseBound(m_candidates.bestJoules());
                m_result.solved = true;
                break;
            }
            raiseBound(std::min(joules(solution.bound * slots.unitUs), m_candidates.bestJoules()));
            if (!solution.found()) break;
            std::vector<int> slotOf;
            const Decisions decisions = readDecisions(m_window, slots, solution.x, slotOf);
            const Expected<Realised> realised = m_candidates.offer(decisions);
            if (!realised) return tl::unexpected(realised.error());
            m_result.solved = proven();
            refined = !realised->fits && refine(*realised, slotOf);
            if (!realised->fits)
                if (const auto repaired = repair(decisions); !repaired) return tl::unexpected(repaired.error());
        }
        return m_result;
    }

private:
    bool stopped() const
    {
        return (m_settings.stop && m_settings.stop->stopRequested()) || m_settings.deadline.passed();
    }

    bool proven() const { return m_candidates.bestJoules() <= m_result.boundJoules * (1 + 2 * kGap); }
    double joules(double us) const { return m_flat.costs->watts * (m_fixedUs + us) * 1e-6; }
    void raiseBound(double joules) { m_result.boundJoules = std::max(m_result.boundJoules, joules); }

    ilp::Limits limits(const checkmate::SlotProgram &slots) const
    {
        ilp::Limits limits;
        limits.stop = m_settings.stop;
        limits.deadline = m_settings.deadline;
        limits.iterations = m_settings.iterations;
        limits.seed = m_settings.seed;
        const double bestUs = m_candidates.bestJoules() / m_flat.costs->watts * 1e6;
        limits.absoluteGap = kGap * bestUs / slots.unitUs;
        limits.known = (bestUs * (1 - kGap) - m_fixedUs) / slots.unitUs;
        return limits;
    }

    /// Makes the slots fine where the plan goes over the budget; false when they are.
    bool refine(const Realised &realised, const std::vector<int> &slotOf)
    {
        const int last = m_window.flat.ops;
        const int passes = last <= kSmallOps ? kSmallPasses : 1;
        const int wide = ++m_rounds >= kCoarseRounds ? last : kNeighbours;
        bool changed = false;
        for (std::size_t p = 0; p < slotOf.size(); ++p) {
            if (realised.heldBytes[p] <= m_settings.budgetBytes) continue;
            for (int t = std::max(slotOf[p] - wide, 0); t <= std::min(slotOf[p] + wide, last); ++t) {
                changed = changed || m_program.passes[t] < passes;
                m_result.oncePerSlot = m_result.oncePerSlot || passes == 1;
                m_program.passes[t] = passes;
            }
        }
        return changed;
    }

    /// The same recomputations, with other copies as far as memory asks for them.
    Expected<void> repair(const Decisions &decisions)
    {
        std::vector<char> leaves(m_flat.storages(), 0);
        for (const Fetch &fetch : decisions.fetches)
            leaves[fetch.storage] = 1;
        return m_candidates.offer(toRecomputes(m_flat, decisions.sequence), leaves);
    }

    const FlatGraph &m_flat;
    const LeastEnergySettings &m_settings;
    Candidates &m_candidates;
    const PlanWindow m_window;
    double m_fixedUs = 0; ///< time of all that the window leaves as it is, copies at their price
    checkmate::ModelSettings m_program;
    LeastEnergyResult m_result;
    int m_rounds = 0;
};

} // namespace

Expected<LeastEnergyResult> solveExactly(const FlatGraph &flat, const std::vector<char> &again,
                                         const LeastEnergySettings &settings, Candidates &candidates)
{
    return LeastEnergy(flat, again, settings, candidates).run();
}

} // namespace remat::offload
