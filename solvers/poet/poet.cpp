// SPDX-License-Identifier: Apache-2.0
#include "solvers/poet/poet.h"

#include "core/base/memory_units.h"
#include "core/base/number.h"
#include "core/base/units.h"
#include "core/plan/energy.h"
#include "core/plan/sequence_evaluator.h"
#include "solvers/blocks/cut_points.h"
#include "solvers/checkmate/exact.h"
#include "solvers/ilp/cbc.h"
#include "solvers/offload/exact.h"
#include "solvers/offload/paging_model.h"
#include "solvers/offload/parameters.h"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>
#include <limits>

namespace remat::poet {

namespace {

using offload::Candidates;
using offload::Coarse;
using offload::PagingModel;

/// Columns beyond which branch and cut does not get anywhere.
constexpr int kMostColumns = 60000;
/// Limit for one window.
constexpr int kWindowColumns = 12000;
/// Per thousand iterations.
constexpr int kColumnsPerWork = 60;
/// Forward ops of a window, from the first sweep over the graph on.
constexpr int kWindowOps[] = {6, 12, 24};
/// Graphs of so many ops are solved as a whole first.
constexpr int kSmallOps = 64;
/// Share of the iterations of a whole program, for one window.
constexpr double kWindowShare = 0.1;
/// Graphs of more ops start from a search instead of Checkmate's program, which grows with their square.
constexpr int kCheckmateOps = 250;
/// Thousands of iterations that a thousand moves of that search stand for, and the most that it makes.
constexpr int kWorkPerMoves = 10, kMostThousandMoves = 100;

class Solve
{
public:
    Solve(const SolveRequest &request, const SolveContext &context, const PoetSettings &settings)
        : m_options(settings),
          m_request(request),
          m_context(context),
          m_bare(offload::withResidentParameters(*request.graph)),
          m_flat(flatten(m_bare, *request.costs)),
          m_budgetBytes(std::max<std::int64_t>(request.budgetBytes - offload::plannedParameterBytes(*request.graph), 1))
    {
        m_goal.energy = m_options.energy;
        if (const double limit = m_options.overheadLimitPercent; limit > 0)
            m_goal.mostTimeUs = keepAllTimeUs(*request.costs) * (1 + limit / 100);
    }

    Expected<SolveOutcome> run()
    {
        if (m_goal.energy && m_request.costs->watts <= 0)
            return fail(
                "The costs name no energy figures. Plan for a device that has them (--device mkr1000 or another "
                "one whose file has joules_per_byte), or set objective to time.");
        Candidates candidates(m_flat, m_request, m_context, m_goal);
        if (const auto offered = offerStarts(candidates); !offered) return tl::unexpected(offered.error());
        if (const auto offered = offerOthers(candidates); !offered) return tl::unexpected(offered.error());
        if (m_context.shouldStop() || reachedBound(candidates)) return outcome(candidates);
        if (!m_goal.energy) {
            if (const auto solved = solveRuns(candidates); !solved) return tl::unexpected(solved.error());
            return outcome(candidates);
        }
        // One program where it ends soon; otherwise what is found by parts first.
        const bool small = m_flat.ops <= kSmallOps;
        if (small)
            if (const auto solved = solveWhole(candidates); !solved) return tl::unexpected(solved.error());
        if (!m_optimal)
            if (const auto solved = solveRuns(candidates); !solved) return tl::unexpected(solved.error());
        if (!m_optimal)
            if (const auto solved = solveWindows(candidates); !solved) return tl::unexpected(solved.error());
        if (!small)
            if (const auto solved = solveWhole(candidates); !solved) return tl::unexpected(solved.error());
        return outcome(candidates);
    }

private:
    /// The program over runs of ops, in which the link takes its time. For energy it is a start for windows, or what is
    /// left when a limit on time is missed.
    Expected<void> solveRuns(Candidates &candidates)
    {
        // Half as many runs first: their programs end sooner, and their plans stand when the others do not end.
        const int most = m_options.runs;
        for (const int runs : {std::max(most / 2, 2), most}) {
            const Coarse coarse = offload::coarsen(m_flat, offload::runLabels(m_flat, runs));
            m_runs = static_cast<int>(coarse.runs.size());
            const bool exact = m_runs == m_flat.ops;
            // Runs are a coarse view, which holds more than the graph: the program gets as much more to hold, and what
            // it needs beyond that is paged op by op.
            const double view = exact ? 1.0
                                      : static_cast<double>(coarse.keepAllPeakBytes()) /
                                            static_cast<double>(std::max<std::int64_t>(keepAllPeak(), 1));
            const bool once = m_goal.energy && m_goal.mostTimeUs == 0;
            if (once && runs < most) continue;
            for (const double more : once ? std::vector{1.0} : std::vector{1.0, 1.25, 0.85, 1.6}) {
                const auto budget = static_cast<std::int64_t>(static_cast<double>(m_budgetBytes) * view * more);
                for (const bool paging : {false, true}) {
                    if (once && !paging) continue;
                    if (m_context.shouldStop() || reachedBound(candidates)) return {};
                    if (const auto tried = tryBudget(coarse, budget, paging, candidates); !tried) return tried;
                }
                if (exact) return {};
            }
        }
        return {};
    }

    offload::LeastEnergySettings exactSettings(double share, int mostColumns) const
    {
        offload::LeastEnergySettings settings;
        settings.budgetBytes = m_request.budgetBytes;
        settings.mostTimeUs = m_goal.mostTimeUs;
        settings.stays = m_request.stays;
        settings.iterations = static_cast<std::int64_t>(share * 1000 * m_options.thousandIterations);
        settings.mostColumns = std::min(mostColumns, kColumnsPerWork * m_options.thousandIterations);
        settings.stop = m_context.stop;
        settings.deadline = Deadline(std::min(m_context.deadline.secondsLeft() / 2, kMostSeconds));
        settings.seed = static_cast<int>(m_context.seed);
        return settings;
    }

    /// Programs on single ops see no planned parameters, and need a plan to beat.
    bool hasWindows(const Candidates &candidates) const
    {
        return candidates.best() && !m_request.graph->parametersPlanned && !m_context.shouldStop();
    }

    Expected<void> solveWhole(Candidates &candidates)
    {
        if (!hasWindows(candidates)) return {};
        const std::vector<char> all(m_flat.ops, 1);
        const auto result = offload::solveExactly(m_flat, all, exactSettings(1, kMostColumns), candidates);
        if (!result) return tl::unexpected(result.error());
        m_tooLarge = result->tooLarge;
        m_optimal = result->solved;
        m_boundJoules = result->boundJoules;
        m_oncePerSlot = result->oncePerSlot;
        return {};
    }

    /// Forward ops by the few, with all else as it is, until a sweep over the graph brings nothing.
    Expected<void> solveWindows(Candidates &candidates)
    {
        for (const int size : kWindowOps) {
            double before = 0;
            do {
                before = candidates.bestJoules();
                for (int first = 0; first < m_flat.forwardOps; first += size / 2) {
                    if (!hasWindows(candidates)) return {};
                    std::vector<char> again(m_flat.ops, 0);
                    const int end = std::min(first + size, m_flat.forwardOps);
                    std::fill(again.begin() + first, again.begin() + end, 1);
                    tell(fmt::format("Windows of {} ops", size), candidates);
                    const auto result =
                        offload::solveExactly(m_flat, again, exactSettings(kWindowShare, kWindowColumns), candidates);
                    if (!result) return tl::unexpected(result.error());
                }
            } while (candidates.bestJoules() < before * (1 - kLeastGain));
        }
        return {};
    }

    void tell(const std::string &activity, const Candidates &candidates) const
    {
        if (!m_context.progress) return;
        SolveProgress told;
        told.activity = activity;
        told.incumbentTimeUs = candidates.best() ? candidates.best()->timeUs : -1;
        m_context.progress(told);
    }

    /// Plans of POFO, Rotor and Checkmate or a search, and the copies and recomputations of each decided on its own.
    Expected<void> offerOthers(Candidates &candidates) const
    {
        SolveRequest request = m_request;
        request.graph = &m_bare;
        request.budgetBytes = m_budgetBytes;
        const auto offer = [&](const Expected<SolveOutcome> &outcome) -> Expected<void> {
            if (!outcome) return tl::unexpected(outcome.error());
            if (!outcome->plan) return {};
            if (const auto offered = candidates.offer(outcome->plan->steps); !offered) return offered;
            const offload::Decisions decisions = offload::decisionsOf(m_bare, outcome->plan->steps);
            return candidates.offer(toRecomputes(m_flat, decisions.sequence), {});
        };
        double rotorJoules = std::numeric_limits<double>::infinity();
        if (m_flat.forwardOps < m_flat.ops)
            for (const char *name : {"pofo", "rotor"}) {
                const Planner &other = **findPlanner(name);
                if (m_context.shouldStop() || reachedBound(candidates)) return {};
                request.options = *makeOptions(other.info.options, {});
                const Expected<SolveOutcome> outcome =
                    planOf(other, request, other.info.offloads ? kPofoShare : kRotorShare);
                if (const auto offered = offer(outcome); !offered) return offered;
                if (outcome->plan && !other.info.offloads)
                    rotorJoules = planJoules(m_bare, *m_request.costs, outcome->plan->steps);
            }
        if (!m_goal.energy || m_context.shouldStop() || reachedBound(candidates)) return {};
        if (m_flat.ops > kCheckmateOps) {
            const Planner &search = **findPlanner("search");
            const int moves = std::clamp(m_options.thousandIterations / kWorkPerMoves, 1, kMostThousandMoves);
            request.options = *makeOptions(search.info.options, {{"moves", std::to_string(moves)}});
            return offer(planOf(search, request, kCheckmateShare));
        }
        checkmate::ExactSettings settings;
        settings.iterations = std::int64_t(1000) * m_options.thousandIterations;
        const bool unpaged = m_flat.ops > kSmallOps && !copiesPay(candidates, rotorJoules);
        return offer(
            checkmate::planExactly(request, within(unpaged ? kUnpagedShare : kCheckmateShare), m_flat, settings));
    }

    /// Whether the best plan so far adds clearly less energy than Rotor's, which copies nothing.
    bool copiesPay(const Candidates &candidates, double rotorJoules) const
    {
        const double keepAllJoules = m_request.costs->watts * keepAllTimeUs(*m_request.costs) * 1e-6;
        return !candidates.best() || candidates.bestJoules() - keepAllJoules < kClearly * (rotorJoules - keepAllJoules);
    }

    Expected<SolveOutcome> planOf(const Planner &other, const SolveRequest &request, double share) const
    {
        try {
            return other.plan(request, within(share));
        } catch (const TimeUp &) {
            return SolveOutcome{};
        }
    }

    /// A part of the time that is left, for another method; what that tells is of another plan.
    SolveContext within(double share) const
    {
        SolveContext context = m_context;
        context.deadline = Deadline(std::min(share * m_context.deadline.secondsLeft(), kMostSeconds));
        context.progress = nullptr;
        context.story = nullptr;
        return context;
    }

    std::int64_t keepAllPeak() const
    {
        return SequenceEvaluator(m_bare, *m_request.costs)(toSequence(m_flat, {})).peakBytes;
    }

    bool reachedBound(const Candidates &candidates) const
    {
        return !m_goal.energy && candidates.best() && candidates.best()->timeUs <= m_context.boundTimeUs * (1 + 1e-9);
    }

    /// Paging alone, and paging on top of checkpoints after every k-th op, k a power of two.
    Expected<void> offerStarts(Candidates &candidates) const
    {
        if (const auto offered = candidates.offer({}, {}); !offered) return offered;
        const std::vector<int> all = chain::allPoints(m_flat);
        for (std::size_t spacing = 4; m_flat.forwardOps < m_flat.ops && 2 * spacing < all.size(); spacing *= 2) {
            if (m_context.shouldStop() || reachedBound(candidates)) return {};
            std::vector<int> points;
            for (std::size_t i = spacing - 1; i < all.size(); i += spacing)
                points.push_back(all[i]);
            const std::vector<Recompute> recomputes = translate(m_flat, chain::keepBorders(m_flat, points), m_context);
            if (const auto offered = candidates.offer(recomputes, {}); !offered) return offered;
        }
        return {};
    }

    Expected<void> tryBudget(const Coarse &coarse, std::int64_t budgetBytes, bool pages, Candidates &candidates)
    {
        const PagingModel paging =
            offload::buildPagingModel(coarse, {budgetBytes, pages, m_goal.energy, m_goal.mostTimeUs,
                                               m_request.costs->watts, m_request.costs->linkWatts});
        if (paging.model.columns() > kMostColumns)
            return fail(
                fmt::format("A program over {} runs of ops has {} columns, too many to solve. Set runs to less.",
                            m_runs, formatCount(paging.model.columns())));
        ilp::Limits limits;
        limits.stop = m_context.stop;
        limits.deadline = Deadline(std::min(m_context.deadline.secondsLeft() / 4, kMostSeconds));
        limits.iterations = std::int64_t(1000) * m_options.thousandIterations;
        limits.relativeGap = 1e-4;
        limits.seed = static_cast<int>(m_context.seed);
        limits.progress = [&](const ilp::Progress &) { tell(fmt::format("Program over {} runs", m_runs), candidates); };
        m_tried = true;
        const ilp::Solution solution = ilp::solve(paging.model, limits);
        m_proven = m_proven && (solution.status == ilp::Status::Optimal || solution.status == ilp::Status::Infeasible);
        if (!solution.found()) return {};
        std::vector<char> leaves(m_flat.storages(), 0);
        for (std::size_t t = 0; t < paging.MOut.size(); ++t)
            for (std::size_t b = 0; b < paging.MOut[t].size(); ++b)
                if (paging.MOut[t][b] >= 0 && solution.x[paging.MOut[t][b]] > 0.01)
                    for (const int s : coarse.bundles[b].storages)
                        leaves[s] = 1;
        return candidates.offer(recomputesOf(coarse, paging, solution.x), leaves);
    }

    std::vector<Recompute> recomputesOf(const Coarse &coarse, const PagingModel &paging,
                                        const std::vector<double> &x) const
    {
        std::vector<Recompute> recomputes;
        for (std::size_t t = 0; t < paging.R.size(); ++t)
            for (std::size_t i = 0; i < paging.R[t].size(); ++i) {
                if (paging.R[t][i] < 0 || x[paging.R[t][i]] < 0.5) continue;
                for (int op = coarse.runs[i].firstOp; op < coarse.runs[i].endOp; ++op)
                    if (!m_flat.once[op]) recomputes.push_back({coarse.runs[t].firstOp, op});
            }
        tidyRecomputes(m_flat, recomputes);
        return recomputes;
    }

    /// What a person should know of the plan that was found.
    std::string message() const
    {
        std::string text;
        if (m_tried && m_runs < m_flat.ops && (m_tooLarge || !m_goal.energy)) {
            text += formatCount(m_flat.ops);
            text += " ops are too many for one program; they were merged into ";
            text += formatCount(m_runs);
            text += " runs. ";
        }
        if (m_goal.energy ? !m_optimal && !m_tooLarge : !m_proven) text += "The program was not solved to the end. ";
        if (m_request.graph->parametersPlanned)
            text += "The program took parameters as held throughout; they were moved afterwards where that is faster. ";
        std::string plan = "no plan in this order";
        if (m_oncePerSlot) plan += " that computes an op at most once between two first computations";
        if (m_optimal)
            text += fmt::format("Energy: {} takes less. ", plan);
        else if (m_boundJoules > 0)
            text += fmt::format("Energy: {} takes less than {} J. ", plan, shortNumber(m_boundJoules, 4));
        if (!text.empty()) text.pop_back();
        return text;
    }

    SolveOutcome outcome(const Candidates &candidates)
    {
        SolveOutcome outcome;
        m_optimal = m_optimal || (m_boundJoules > 0 && candidates.best() &&
                                  candidates.bestJoules() <= m_boundJoules * (1 + kOptimalShare));
        const bool cut = m_context.shouldStop();
        if (!candidates.best()) {
            outcome.status = cut ? SolveStatus::Stopped : SolveStatus::Infeasible;
            if (std::isfinite(candidates.shortestUs())) {
                outcome.message = fmt::format("No plan within {} that was found takes less than {}, more than the {} "
                                              "that overhead-limit allows. Raise one of the two.",
                                              formatMemory(m_request.budgetBytes),
                                              formatTimeUs(candidates.shortestUs()), formatTimeUs(m_goal.mostTimeUs));
            } else {
                outcome.smallestPeakBytes = candidates.smallestPeakBytes();
                outcome.message = fmt::format(
                    "Neither paging nor recomputing fits {}; the smallest peak reached is {}. Raise the budget.",
                    formatMemory(m_request.budgetBytes, outcome.smallestPeakBytes),
                    formatMemory(outcome.smallestPeakBytes));
            }
            return outcome;
        }
        outcome.status = m_optimal ? SolveStatus::Optimal : cut ? SolveStatus::Stopped : SolveStatus::Feasible;
        outcome.leastTime = !m_goal.energy;
        outcome.plan.emplace().steps = candidates.best()->steps;
        outcome.message = message();
        return outcome;
    }

    static constexpr double kMostSeconds = 60;     ///< limit for one program, so that a solve without a limit ends
    static constexpr double kPofoShare = 0.7;      ///< share of the time that is left; it mostly ends long before
    static constexpr double kRotorShare = 0.4;     ///< likewise
    static constexpr double kCheckmateShare = 0.5; ///< likewise; a search alone takes seconds
    static constexpr double kUnpagedShare = 0.9;   ///< likewise, where copies do not pay: what it has not found is lost
    static constexpr double kClearly = 0.9;
    static constexpr double kLeastGain = 1e-6; ///< least gain of a sweep of windows that is worth another one

    const PoetSettings m_options;
    const SolveRequest &m_request;
    const SolveContext &m_context;
    const Graph m_bare; ///< parameters resident: the program knows nothing of them, and they move op by op
    const FlatGraph m_flat;
    const std::int64_t m_budgetBytes; ///< what all parameters leave, when they count
    offload::Goal m_goal;
    int m_runs = 0;
    bool m_tried = false; ///< a program was solved
    bool m_proven = true;
    bool m_tooLarge = false;    ///< for one program on single ops
    bool m_optimal = false;     ///< proven
    bool m_oncePerSlot = false; ///< it is proven of such plans
    double m_boundJoules = 0;
};

} // namespace

Expected<SolveOutcome> plan(const SolveRequest &request, const SolveContext &context, const PoetSettings &settings)
{
    return Solve(request, context, settings).run();
}

} // namespace remat::poet
