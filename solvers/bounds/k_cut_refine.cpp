// SPDX-License-Identifier: Apache-2.0
#include "solvers/bounds/k_cut_refine.h"

#include "solvers/bounds/crowded_places.h"
#include "solvers/bounds/k_cut_paths.h"

#include <algorithm>

namespace remat {

namespace {

/// Share of the bound: programs that gain less are the last.
constexpr double kLeastGain = 1e-4;
constexpr int kPathRounds = 6, kRowsPerRound = 150;
constexpr int kRounds = 30;
constexpr std::size_t kNewCuts = 6;
/// Cuts that do not bind are kept up to so many.
constexpr std::size_t kManyCuts = 10;
/// Step among the cuts over budget, between a cut that binds and those beside it that are tried; halved each time.
constexpr std::size_t kFirstStep = 8;

class Refinement
{
public:
    Refinement(const BoundProblem &problem, const std::vector<OpId> &start)
        : m_problem(problem),
          m_cuts(start),
          m_iterationsLeft(problem.iterations),
          m_places(cutsOverBudget(problem.graph, problem.costs, needsOf(problem.graph), problem.budgetBytes))
    {
        std::sort(m_places.begin(), m_places.end());
    }

    std::optional<KCutRefined> run()
    {
        for (int round = 0; round < kRounds && !m_problem.stopped() && m_iterationsLeft > 0; ++round) {
            const double before = m_best ? m_best->relaxation.bound : 0;
            std::optional<KCutRefined> now = relaxCuts(m_problem, m_cuts, m_iterationsLeft);
            if (!now) break;
            m_iterationsLeft -= now->iterations;
            const bool whole = now->relaxation.status == ilp::Status::Optimal;
            const std::vector<OpId> binding = whole ? bindingCuts(*now) : std::vector<OpId>();
            std::vector<OpId> more = whole ? crowded(*now) : std::vector<OpId>();
            const bool gained = now->relaxation.bound > (1 + kLeastGain) * before;
            if (!m_best || now->relaxation.bound > before) m_best = std::move(now);
            if (!whole) break;
            if (gained) m_step = std::max<std::size_t>(m_step, 1);
            if (more.empty()) more = beside(binding);
            if (more.empty()) break;
            if (m_cuts.size() > kManyCuts) m_cuts = binding;
            take(more);
        }
        if (!m_best) return {};
        m_best->iterations = m_problem.iterations - m_iterationsLeft;
        m_best->cutShort = m_problem.stopped() || m_iterationsLeft <= 0;
        return std::move(m_best);
    }

private:
    std::vector<OpId> bindingCuts(const KCutRefined &of) const
    {
        std::vector<OpId> binding;
        for (std::size_t k = 0; k < of.program.cuts(); ++k)
            if (of.relaxation.prices[static_cast<std::size_t>(of.program.memory[k])] != 0)
                binding.push_back(of.program.reach[k].cut);
        return binding;
    }

    std::vector<OpId> crowded(const KCutRefined &at) const
    {
        std::vector<OpId> ops;
        for (const CrowdedPlace &place :
             crowdedPlaces(m_problem.graph, m_problem.costs, m_problem.budgetBytes, at.program, at.relaxation.x)) {
            if (ops.size() == kNewCuts) break;
            ops.push_back(place.op);
        }
        return ops;
    }

    /// Places a step away from cuts that bind, which halves the step.
    std::vector<OpId> beside(const std::vector<OpId> &binding)
    {
        std::vector<OpId> ops;
        const auto add = [&](std::size_t place) {
            if (!std::binary_search(m_cuts.begin(), m_cuts.end(), m_places[place])) ops.push_back(m_places[place]);
        };
        for (; ops.empty() && m_step > 0; m_step /= 2)
            for (const OpId cut : binding) {
                const auto at = static_cast<std::size_t>(std::lower_bound(m_places.begin(), m_places.end(), cut) -
                                                         m_places.begin());
                if (at >= m_step) add(at - m_step);
                if (at + m_step < m_places.size()) add(at + m_step);
            }
        return ops;
    }

    void take(const std::vector<OpId> &more)
    {
        m_cuts.insert(m_cuts.end(), more.begin(), more.end());
        std::sort(m_cuts.begin(), m_cuts.end());
        m_cuts.erase(std::unique(m_cuts.begin(), m_cuts.end()), m_cuts.end());
    }

    const BoundProblem &m_problem;
    std::vector<OpId> m_cuts; ///< ascending
    std::int64_t m_iterationsLeft;
    std::vector<OpId> m_places; ///< ascending
    std::size_t m_step = kFirstStep;
    std::optional<KCutRefined> m_best;
};

} // namespace

std::optional<KCutRefined> relaxCuts(const BoundProblem &problem, const std::vector<OpId> &cuts,
                                     std::int64_t iterations)
{
    KCutRefined now{buildKCutProgram(problem.graph, problem.costs, problem.budgetBytes, cuts), {}, 0};
    if (static_cast<std::size_t>(now.program.model.columns()) > kMostKCutColumns) return {};
    ilp::LinearProgram linear(now.program.model);
    const auto solve = [&] {
        ilp::Limits limits;
        limits.stop = problem.stop;
        limits.deadline = problem.deadline;
        limits.iterations = iterations - now.iterations;
        ilp::Relaxation relaxation = linear.solve(limits);
        now.iterations += std::max<std::int64_t>(1, relaxation.iterations);
        return relaxation;
    };
    now.relaxation = solve();
    for (int round = 0; round < kPathRounds && now.relaxation.status == ilp::Status::Optimal; ++round) {
        if (addPathRows(problem.graph, now.program, now.relaxation.x, kRowsPerRound) == 0) break;
        linear.addRowsOf(now.program.model);
        ilp::Relaxation next = solve();
        if (next.status != ilp::Status::Optimal && next.bound < now.relaxation.bound) break;
        now.relaxation = std::move(next);
    }
    if (now.relaxation.status == ilp::Status::Failed) return {};
    return now;
}

std::optional<KCutRefined> refineCuts(const BoundProblem &problem, const std::vector<OpId> &start)
{
    return Refinement(problem, start).run();
}

} // namespace remat
