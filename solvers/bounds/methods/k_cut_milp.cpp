// SPDX-License-Identifier: Apache-2.0
// Several cuts together, with whole storages.
#include "solvers/bounds/k_cut_plan.h"
#include "solvers/bounds/k_cut_whole.h"

#include <algorithm>
#include <cmath>

namespace remat::boundMethod {

namespace {

/// Slack in the objective, for CBC's tolerances.
constexpr double kObjectiveSlack = 1e-7;
constexpr int kRounds = 40;
/// Added in a round: each makes the program larger.
constexpr std::size_t kNewCuts = 4;

/// Cuts are added where the plan of the best whole choice holds too much, as long as there are such places: where there
/// is none left, that plan fits, and is the best there is.
class WholeRefinement
{
public:
    WholeRefinement(const BoundProblem &problem, BoundsSoFar &soFar)
        : m_problem(problem),
          m_soFar(soFar),
          m_flat(flatten(problem.graph, problem.costs)),
          m_iterationsLeft(problem.iterations)
    {
    }

    double run()
    {
        std::vector<OpId> missing;
        for (int round = 0; round < kRounds && relaxWith(missing); ++round) {
            const WholeCuts whole = solveWhole(m_problem, *m_soFar.cuts, m_soFar.enoughUs, m_iterationsLeft);
            charge(whole.iterations);
            m_provenUs = std::max(m_provenUs, whole.provenUs);
            m_soFar.cutShort = m_soFar.cutShort || whole.cutShort;
            if (whole.x.empty()) break;
            const KCutProgram &program = m_soFar.cuts->program;
            m_soFar.recomputes = recomputesOf(m_flat, program, whole.x);
            missing = missingCuts(m_flat, program, m_problem.budgetBytes, m_soFar.recomputes, kNewCuts);
            if (missing.empty()) break;
        }
        return m_provenUs;
    }

private:
    void charge(std::int64_t iterations)
    {
        m_soFar.iterations += iterations;
        m_iterationsLeft -= iterations;
    }

    /// The relaxation at these cuts, too; false where it leaves nothing to look for, or nothing to look with.
    bool relaxWith(const std::vector<OpId> &more)
    {
        std::vector<OpId> cuts = more;
        for (const CutReach &reach : m_soFar.cuts->program.reach)
            cuts.push_back(reach.cut);
        std::sort(cuts.begin(), cuts.end());
        cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
        if (cuts.size() > m_soFar.cuts->program.cuts()) {
            std::optional<KCutRefined> next = relaxCuts(m_problem, cuts, m_iterationsLeft);
            if (!next) return false;
            charge(next->iterations);
            m_provenUs = std::max(m_provenUs, std::min(next->relaxation.bound, m_soFar.enoughUs));
            if (next->relaxation.status != ilp::Status::Optimal) return false;
            next->cutShort = m_soFar.cuts->cutShort;
            m_soFar.cuts = std::make_shared<const KCutRefined>(std::move(*next));
        }
        return !m_problem.stopped() && m_iterationsLeft > 0 &&
               m_soFar.enoughUs > m_soFar.cuts->relaxation.bound * (1 + kObjectiveSlack);
    }

    const BoundProblem &m_problem;
    BoundsSoFar &m_soFar;
    const FlatGraph m_flat;
    std::int64_t m_iterationsLeft;
    double m_provenUs = 0;
};

std::optional<TimeBound> runKCutMilp(const BoundProblem &problem, BoundsSoFar &soFar)
{
    if (!soFar.cuts || soFar.cuts->relaxation.status != ilp::Status::Optimal) return {};
    const double provenUs = WholeRefinement(problem, soFar).run();
    const bool none = std::isinf(provenUs); // nothing is known, and there is no solution
    TimeBound bound =
        timeBoundOf(problem, "K-cut MILP", none ? 0 : provenUs * (1 - kObjectiveSlack), none ? OpId() : soFar.best.cut);
    bound.infeasible = none;
    return bound;
}

} // namespace

const BoundMethod &k_cut_milp()
{
    static const BoundMethod method = {"K-cut MILP",
                                       "whole chains of recomputations at several ops",
                                       "Jain et al., MLSys 2020, on some slots; branch and cut",
                                       50,
                                       false,
                                       runKCutMilp};
    return method;
}

} // namespace remat::boundMethod
